"""Our loop on a real API server leaves what Metacontroller left: the last objects of every recorded scenario.

The scenarios are played side by side, each in namespaces of its own, by one loop. Exchanges and writes are compared in
``tests/sim``, where nothing else happens at the same time; here the API server, its defaults and its garbage collector are real.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from app.sim.clock import RealClock
from app.sim.cluster import ApiError, NotFound, Propagation
from app.sim.cluster_kube import KubeCluster
from app.sim.loop import Loop, Reply
from tests.e2e.controlplane.plane import USER, ControlPlane
from tests.recordings import toy_hook
from tests.recordings.normalise import Normaliser, reference
from tests.sim.replay import KINDS, RECORDINGS, load, toy_controllers

if TYPE_CHECKING:
    from app.hooks.objects import Object

PATIENCE_SECONDS, QUIET_SECONDS = 60.0, 0.5
AT_ONCE = 12
NOT_COMPARED = ("ConfigMap", "kube-root-ca.crt")
"""Put into every namespace by a controller of Kubernetes."""


class Hooks:
    """The toy hook, out of order for some namespaces now and then; knows when each namespace was heard of last."""

    def __init__(self) -> None:
        self.outages: dict[str, toy_hook.Answer] = {}
        self.answered: dict[str, list[tuple[float, int]]] = {}

    async def __call__(self, url: str, request: Object) -> Reply:
        namespace = (request.get("parent") or request["object"])["metadata"]["namespace"]
        hook = url.rpartition("/")[2]
        answer = self.outages.get(namespace) or toy_hook.answer(hook, request)
        if hook != "customize":  # which is asked about every parent there is, for whatever happens in another scenario
            self.answered.setdefault(namespace, []).append((time.monotonic(), answer.code))
        content = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
        return Reply(answer.code, answer.headers, content.encode())


class Driver:
    """Our loop at work; knows when it last had nothing to do, which for a busy loop may be a while ago."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self.idle_at = 0.0

    async def work(self) -> None:
        while True:
            if not await self._loop.step():
                self.idle_at = time.monotonic()
                await asyncio.sleep(0.02)


class Play:
    """One scenario, in the hands of a user."""

    def __init__(self, scenario: Object, user: KubeCluster, driver: Driver, hooks: Hooks, changed: dict[str, float]) -> None:
        self._scenario, self._user, self._driver, self._hooks, self._changed = scenario, user, driver, hooks, changed
        self._actual = {word: f"{word}-{uuid4().hex[:8]}" for word in scenario.get("namespaces", ["alpha"])}
        self.normaliser = Normaliser({actual: word for word, actual in self._actual.items()})

    @property
    def namespaces(self) -> list[str]:
        return [*self._actual.values()]

    async def final(self) -> list[Object]:
        """Play all steps; the objects that are left."""
        for namespace in self.namespaces:
            await self._user.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
        for step in self._scenario["steps"]:
            begin = time.monotonic()
            await self._do(step)
            await self._settle(step, begin)
        return sorted([self.normaliser.object(item) for item in await self._objects()], key=reference)

    async def _do(self, step: Object) -> None:
        match {key: value for key, value in step.items() if key not in ("until", "quiet", "exchanges")}:
            case {"create": item}:
                await self._user.create(self._placed(item))
            case {"server-side-apply": what}:
                await self._user.apply(self._placed(what["object"]), manager=what["manager"])
            case {"merge-patch": what}:
                patch, subresource = self._rewritten(what["patch"]), what.get("subresource", "")
                await self._user.merge_patch(*self._target(what["object"]), patch, subresource=subresource)
            case {"delete": what}:
                propagation = Propagation(what.get("propagation", "Background"))
                await self._user.delete(*self._target(what["object"]), propagation=propagation)
            case {"outage": what}:
                answer = toy_hook.Answer(what.get("body", "outage"), what["code"], what.get("headers", {}))
                self._hooks.outages |= dict.fromkeys(self.namespaces, answer)
            case {"recovery": _}:
                for namespace in self.namespaces:
                    self._hooks.outages.pop(namespace, None)
            case {"watch": seconds}:
                await asyncio.sleep(seconds)

    async def _settle(self, step: Object, begin: float) -> None:
        """What the step waits for is there, no object and no hook has moved for a while, and the loop was idle after that."""
        until, quiet = step.get("until", {}), 0.0 if "watch" in step else step.get("quiet", QUIET_SECONDS)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (await self._met(until, begin) and self._driver.idle_at - max(begin, self._last_activity()) >= quiet):
            if time.monotonic() > deadline:
                raise TimeoutError(f"no rest after {step}")
            await asyncio.sleep(0.1)
        for item in await self._objects():
            self.normaliser.learn(item)

    async def _met(self, until: Object, begin: float) -> bool:
        codes = {code for namespace in self.namespaces for at, code in self._hooks.answered.get(namespace, []) if at >= begin}
        return (
            until.get("answered", 0) in {0, *codes}
            and all([await self._present(ref) for ref in until.get("present", [])])
            and not any([await self._present(ref) for ref in until.get("absent", [])])
        )

    async def _present(self, ref: str) -> bool:
        try:
            await self._user.get(*self._target(ref))
        except NotFound:
            return False
        return True

    def _last_activity(self) -> float:
        heard = [times[-1][0] for namespace in self.namespaces if (times := self._hooks.answered.get(namespace))]
        return max([*heard, *(self._changed.get(namespace, 0.0) for namespace in self.namespaces)], default=0.0)

    async def _objects(self) -> list[Object]:
        found = [item for kind in KINDS.values() for name in self.namespaces for item in await self._user.list(kind, name)]
        return sorted(
            (item for item in found if (item["kind"], item["metadata"]["name"]) != NOT_COMPARED),
            key=lambda item: int(item["metadata"]["resourceVersion"]),
        )

    def _target(self, ref: str) -> tuple[Any, str, str]:
        kind, namespace, name = ref.split("/")
        return KINDS[kind], self._actual[namespace], name

    def _placed(self, item: Object) -> Object:
        return self._rewritten({**item, "metadata": {"namespace": "alpha", **item["metadata"]}})

    def _rewritten(self, value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: self._rewritten(one, name) for name, one in value.items()}
        if isinstance(value, list):
            return [self._rewritten(one) for one in value]
        if key == "namespace":
            return self._actual[value]
        return self.normaliser.uid_of(value) if isinstance(value, str) and value.startswith("uid:") else value


async def note_changes(user: KubeCluster, changed: dict[str, float]) -> None:
    """Keep up to date when something changed last in each namespace."""
    user.watch([*KINDS.values()])
    while True:
        for change in await user.changes():
            changed[change.item["metadata"]["namespace"]] = time.monotonic()
        await asyncio.sleep(0.05)


@pytest.mark.parametrize("strategy", ["dynamic-apply", "server-side-apply"])
async def test_the_same_objects_are_left(plane: ControlPlane, strategy: str) -> None:
    kubeconfig, hooks, changed = plane.kubeconfig(USER), Hooks(), {}
    names = sorted(path.name for path in (RECORDINGS / "recorded" / strategy).iterdir())
    turn = asyncio.Semaphore(AT_ONCE)

    async def left(name: str) -> str:
        """Nothing if the scenario ends as recorded, else what is wrong."""
        async with turn:
            play = Play(load(f"scenarios/{name}"), user, driver, hooks, changed)
            try:
                final = await play.final()
            except (ApiError, TimeoutError) as error:
                return f"{name}: {error!r}"
            finally:
                for namespace in play.namespaces:
                    hooks.outages.pop(namespace, None)
            return "" if final == load(f"recorded/{strategy}/{name}")["final"] else f"{name}: {json.dumps(final, indent=1)}"

    async with (
        KubeCluster.from_kubeconfig(kubeconfig, manager="kubectl") as user,
        KubeCluster.from_kubeconfig(kubeconfig, manager="metacontroller") as cluster,
    ):
        driver = Driver(Loop(cluster, toy_controllers(), hooks, clock=RealClock(), strategy=strategy))
        running = [asyncio.create_task(driver.work()), asyncio.create_task(note_changes(user, changed))]
        try:
            wrong = [said for said in await asyncio.gather(*map(left, names)) if said]
        finally:
            for task in running:
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.gather(*running)
    assert not wrong, "\n".join(wrong)
