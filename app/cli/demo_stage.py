"""The stage of the demo: how it speaks, and a cluster for each of its plays.

A play is a coroutine that is given the stage: it opens a :class:`Scenery`, has acts in it, and tells what must hold of them.
The acts of all plays have one form: objects are applied, the cluster is watched until every one has come to its
:class:`~app.cli.demo_outcome.Outcome`, and what came to be must also last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text

from app.cli.options import Output
from app.cli.terminal import line, mark, show
from app.cli.timeline import Tone
from app.cli.tree import tree
from app.cli.watching import Watcher, display, lines
from app.hooks.objects import reference
from app.sim.clock import RealClock
from app.sim.simulation import Simulation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rich.console import Console

    from app.cli.demo_cluster import ClusterOverHttp
    from app.cli.demo_outcome import Outcome
    from app.cli.timeline import Step
    from app.hooks.objects import Object
    from app.sim.cluster import Cluster
    from app.sim.loop import HookCall
    from app.sim.simulation import RunPods

SECONDS = 15.0
"""How long anything may take. A second is usual."""
LASTING_SECONDS = 0.5
"""How long it must stay as it came to be: some passes of the loop."""


@dataclass(frozen=True)
class Act:
    """What an act came to."""

    differences: list[str]
    """How objects are not what they must be."""
    steps: Sequence[Step]
    """What happened in it."""
    objects: dict[str, Object]
    """What there is after it, by kind, namespace and name."""


class Stage:
    """Where the plays are seen."""

    def __init__(self, target: Console, call: HookCall, over_http: ClusterOverHttp) -> None:
        """``call`` leads to the hooks, which read the cluster ``over_http``."""
        self._target = target
        self._call = call
        self._over_http = over_http

    def title(self, text: str) -> None:
        """The beginning of something."""
        self._target.print(f"\n{text}", style="heading")

    def say(self, name: str, text: str) -> None:
        """A fact under a name."""
        line(self._target, Text(f"{name:15} ", "name"), Text(text, "detail"))

    def tell(self, verdicts: Iterable[tuple[bool, str]]) -> bool:
        """What must hold and whether it does, line by line; says whether all does."""
        self.title("Compare")
        # None is left untold after one that does not hold.
        held = [self._tell(holds, what) for holds, what in verdicts]
        return all(held)

    def scenery(self, run_pods: RunPods | None = None) -> Scenery:
        """A cluster of its own, and the one that hooks read; pods are as in :class:`~app.sim.simulation.Simulation`."""
        scenery = Scenery(self, self._target, self._call, run_pods)
        self._over_http.cluster = scenery.cluster
        return scenery

    def _tell(self, held: bool, what: str) -> bool:
        tone = Tone.GOOD if held else Tone.BAD
        line(self._target, Text.assemble(mark(self._target, tone), " "), Text(what, tone.value))
        return held


class Scenery:
    """A cluster in memory and its audience."""

    def __init__(self, stage: Stage, target: Console, call: HookCall, run_pods: RunPods | None) -> None:
        clock = RealClock()
        self._stage = stage
        self._target = target
        self._simulation = Simulation(call, clock=clock, run_pods=run_pods)
        self._watcher = Watcher(clock.now)

    @property
    def cluster(self) -> Cluster:
        """What is there."""
        return self._simulation.cluster

    @property
    def rules(self) -> str:
        """What checks the rules of the custom resources."""
        return "their Python twins, for want of a CEL engine" if self._simulation.engine.uses_twins else "a CEL engine"

    async def before(self, item: Object) -> Object:
        """Have an object there before anything is watched; gives it as it is stored."""
        await self._simulation.apply([item])
        return next(one for one in await self._simulation.objects() if reference(one) == reference(item))

    async def act(self, title: str, items: Sequence[Object], outcomes: Sequence[Outcome]) -> Act:
        """Apply the objects one by one, and show what comes of them until it is there or time is up."""
        self._stage.title(title)
        before = len(self._watcher.steps)
        with display(self._target, Output.TEXT) as self._watcher.display:
            for item in items:
                await self._simulation.apply([item])
                await self._watcher.look(await self._simulation.objects())
            await self._converge(SECONDS, lambda present: not _differences(present, outcomes))
            await self._converge(LASTING_SECONDS)
        if not self._target.is_terminal:
            self._target.print()
            show(self._target, tree(self._watcher.seen, self._target))
        return self._act(before, _differences(self._watcher.seen, outcomes))

    async def removal(self, title: str, items: Sequence[Object]) -> Act:
        """Delete the objects, the last one first, and show the order in which they and what they own go."""
        self._stage.title(title)
        before, names = len(self._watcher.steps), {reference(item) for item in items}
        self._watcher.display = lines(self._target, Output.TEXT)
        for item in reversed(items):
            await self._simulation.delete([item])
            await self._watcher.look(await self._simulation.objects())
        await self._converge(SECONDS, lambda present: not any(reference(item) in names for item in present))
        left = [f"{reference(item)} is still there" for item in self._watcher.seen if reference(item) in names]
        return self._act(before, left)

    async def _converge(self, seconds: float, until: Callable[[Sequence[Object]], bool] = lambda _: False) -> None:
        await self._simulation.converge(seconds=seconds, look=self._watcher.look, until=until)

    def _act(self, before: int, differences: list[str]) -> Act:
        objects = {reference(item): item for item in self._watcher.seen}
        return Act(differences, self._watcher.steps[before:], objects)


def _differences(present: Sequence[Object], outcomes: Sequence[Outcome]) -> list[str]:
    live = {reference(item): item for item in present}
    return [f"{outcome.object}: {one}" for outcome in outcomes for one in outcome.differences(live.get(outcome.object, {}))]
