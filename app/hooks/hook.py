"""One hook of one controller, as three steps: read the body, decide, write the answer. Nothing here is about HTTP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from app.hooks.answer import Clean, composite_answer, customize_answer, decorator_answer
from app.hooks.controller import CompositeController
from app.hooks.request import composite_request, customize_request, decorator_request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.hooks.controller import Controller

C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class Hook(Generic[C]):
    """What answers ``POST /hooks/<controller>/<name>``."""

    controller: str
    name: str
    """``sync``, ``finalize`` or ``customize``."""
    read: Callable[[object], Any]
    """From the parsed body to the request; raises :class:`~app.hooks.errors.BadRequest`."""
    decide: Callable[[Any, C], Any]
    """From the request to the response, or to an awaitable of it."""
    write: Callable[[Any, Any], bytes]
    """From request and response to the answer; raises :class:`~app.hooks.errors.AnswerRefused`."""


def hooks_of(controller: Controller[C]) -> Iterator[Hook[C]]:
    """The hooks that a controller has."""
    clean = Clean()
    if isinstance(controller, CompositeController):
        read, write = composite_request, composite_answer(controller, clean)
    else:
        read, write = decorator_request, decorator_answer(controller, clean)
    yield Hook(controller.name, "sync", read, controller.sync, write)
    if controller.finalize is not None:
        yield Hook(controller.name, "finalize", read, controller.finalize, write)
    if controller.customize is not None:
        decide = controller.customize
        yield Hook(
            controller.name, "customize", customize_request, lambda request, _: decide(request), customize_answer(controller)
        )
