"""An event loop whose time jumps to the next timer instead of waiting for it: seconds cost nothing and are exact."""

from __future__ import annotations

import asyncio
import selectors
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

T = TypeVar("T")


class _JumpingSelector(selectors.DefaultSelector):
    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise AssertionError("everything waits for something that never happens")
        self.now += max(0.0, timeout)
        return super().select(0)


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """``loop.time()`` starts at 0."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        """At once: a thread would take real time, in which nothing else happens here."""
        done = self.create_future()
        done.set_result(func(*args))
        return done


def run(scenario: Coroutine[Any, Any, T]) -> T:
    """The scenario's result. Work that is still waiting when it ends is cancelled."""
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(scenario)


def now() -> float:
    """Virtual seconds since the scenario began."""
    return asyncio.get_running_loop().time()
