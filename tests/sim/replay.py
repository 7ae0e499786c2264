"""Plays a recorded scenario with our loop and cluster, and tells it in the recording's words.

What is told is as strict as the recordings are: every exchange in order (identical ones in a row count once), every write of
every object, and every object at the end. The one normalisation is ``tests/recordings/normalise.py``.
"""

from __future__ import annotations

import json
import statistics
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import yaml

from app.hooks.objects import Object, Resource
from app.sim.clock import VirtualClock
from app.sim.cluster import Change, NotFound, Propagation
from app.sim.loop import Loop, Reply
from app.sim.memory import MemoryCluster
from tests.recordings import toy_hook
from tests.recordings.normalise import Normaliser, comparable, reference
from tests.sim.deployment_defaults import DefaultingCluster

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from datetime import datetime

RECORDINGS = Path(__file__).resolve().parents[1] / "recordings"
DEFAULTS = "the API server's defaults of built-in kinds"
HOOKS = "http://hooks.example"
PATIENCE_SECONDS, QUIET_SECONDS = 40.0, 0.7
OTHERS_WRITE = {"Deployment", "Job"}
"""Kinds whose status other controllers write: a change of status alone is none of ours."""
COUNTED = {"ADDED": "created", "MODIFIED": "updated", "DELETED": "deleted"}
KINDS = {
    resource.kind: resource
    for resource in (
        Resource("v1", "ConfigMap", "configmaps"),
        Resource("v1", "Secret", "secrets"),
        Resource("v1", "Service", "services"),
        Resource("apps/v1", "Deployment", "deployments"),
        Resource("batch/v1", "Job", "jobs"),
        Resource("toy.example.com/v1", "Widget", "widgets"),
        Resource("toy.example.com/v1", "Gadget", "gadgets"),
        Resource("toy.example.com/v1", "Badge", "badges"),
    )
}


def load(path: str) -> Any:
    """A YAML file of the recordings."""
    return yaml.load((RECORDINGS / path).read_text(), Loader=yaml.CSafeLoader)


def toy_crds() -> list[Object]:
    return list(yaml.safe_load_all((RECORDINGS / "toy/crds.yaml").read_text()))


def toy_controllers() -> list[Object]:
    return yaml.safe_load((RECORDINGS / "toy/controllers.yaml").read_text().replace("HOOKS", HOOKS))["items"]


class Exchange:
    """One hook call, as it was at that moment."""

    def __init__(self, at: datetime, url: str, request: Object, answer: toy_hook.Answer) -> None:
        self.at, self.path, self.request, self.answer = at, urlsplit(url).path, request, answer


class Play:
    """One scenario on the stage."""

    def __init__(self, scenario: Object, strategy: str) -> None:
        self._scenario = scenario
        self._clock = VirtualClock()
        defaulting = DEFAULTS in scenario.get("requires", [])
        self._hands = (DefaultingCluster if defaulting else MemoryCluster)(toy_crds(), clock=self._clock.now, manager="kubectl")
        self._witness = self._client("witness")
        self._witness.watch([*KINDS.values()])
        self._loop = Loop(self._client("metacontroller"), toy_controllers(), self._call, clock=self._clock, strategy=strategy)
        self._normaliser = Normaliser()
        self._outage: toy_hook.Answer | None = None
        self._exchanges: list[Exchange] = []
        self._last: dict[str, Object] = {}

    def _client(self, manager: str) -> MemoryCluster:
        return type(self._hands)(clock=self._clock.now, manager=manager, server=self._hands.server)

    async def record(self) -> Object:
        """Play all steps; what came of it."""
        for namespace in self._scenario.get("namespaces", ["alpha"]):
            await self._hands.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
        steps = [await self._step(step) for step in self._scenario["steps"]]
        items = [self._normaliser.object(item) async for item in self._everything()]
        record: Object = {"steps": steps, "final": sorted(items, key=reference)}
        if self._scenario.get("events"):
            told = {f"Warning {event.reason} {event.regarding.rpartition('/')[2]}" for event in self._loop.events}
            record["events"] = sorted(told)
        return record

    async def _call(self, url: str, request: Object) -> Reply:
        answer = self._outage or toy_hook.answer(url.rpartition("/")[2], request)
        self._exchanges.append(Exchange(self._clock.now(), url, request, answer))
        content = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
        return Reply(answer.code, answer.headers, content.encode())

    async def _step(self, step: Object) -> Object:
        first = len(self._exchanges)
        verb = next(key for key in step if key in ACTIONS)
        own = await ACTIONS[verb](self, step[verb])
        await self._settle(step, first)
        await self._hands.settle()
        changes = await self._witness.changes()
        for change in changes:
            self._normaliser.learn(change.item)
        exchanges = self._exchanges[first:]
        noted: Object = {"step": describe(verb, step[verb])}
        if step.get("exchanges") != "raced":
            noted["exchanges"] = list(self._told(exchanges))
        if verb == "watch" and (seconds := interval(exchanges)) is not None:
            noted["interval"] = seconds
        noted["writes"] = self._writes(changes, own)
        return noted

    async def _settle(self, step: Object, first: int) -> None:
        until = step.get("until", {})

        async def met() -> bool:
            codes = {one.answer.code for one in self._exchanges[first:]}
            return (
                not any([await self._present(ref) for ref in until.get("absent", [])])
                and all([await self._present(ref) for ref in until.get("present", [])])
                and until.get("answered", 0) in {0, *codes}
            )

        assert await self._loop.run_until(met, PATIENCE_SECONDS), f"{step}: not within {PATIENCE_SECONDS} s"
        await self._loop.run_until_quiet(step.get("watch", step.get("quiet", QUIET_SECONDS)))

    async def _present(self, ref: str) -> bool:
        kind, namespace, name = ref.split("/")
        try:
            await self._hands.get(KINDS[kind], namespace, name)
        except NotFound:
            return False
        return True

    # What a step does. Each returns how to recognise its own change: by a resourceVersion, or by a reference to an object.

    async def _create(self, item: Object) -> str:
        created = await self._hands.create(self._actual({**item, "metadata": {"namespace": "alpha", **item["metadata"]}}))
        return created["metadata"]["resourceVersion"]

    async def _merge_patch(self, what: Object) -> str:
        kind, namespace, name = what["object"].split("/")
        patch, subresource = self._actual(what["patch"]), what.get("subresource", "")
        item = await self._hands.merge_patch(KINDS[kind], namespace, name, patch, subresource=subresource)
        gone = "deletionTimestamp" in item["metadata"] and not item["metadata"].get("finalizers")
        return what["object"] if gone else item["metadata"]["resourceVersion"]

    async def _server_side_apply(self, what: Object) -> str:
        item = {**what["object"], "metadata": {"namespace": "alpha", **what["object"]["metadata"]}}
        return (await self._hands.apply(self._actual(item), manager=what["manager"]))["metadata"]["resourceVersion"]

    async def _delete(self, what: Object) -> str:
        kind, namespace, name = what["object"].split("/")
        propagation = Propagation(what.get("propagation", "Background"))
        await self._hands.delete(KINDS[kind], namespace, name, propagation=propagation)
        return what["object"]

    async def _begin_outage(self, what: Object) -> None:
        self._outage = toy_hook.Answer(what.get("body", "outage"), what["code"], what.get("headers", {}))

    async def _recover(self, _: None) -> None:
        self._outage = None

    async def _watch(self, _: float) -> None:
        """Only time passes."""

    # Summing up.

    def _told(self, exchanges: list[Exchange]) -> Iterator[Object]:
        previous = None
        for one in exchanges:
            told = {
                "path": one.path,
                "request": self._normaliser.request(one.request),
                "code": one.answer.code,
                **({"headers": one.answer.headers} if one.answer.headers else {}),
                "response": self._normaliser.value(one.answer.body),
            }
            if told != previous:
                yield told
                previous = told

    def _writes(self, changes: list[Change], own: str | None) -> Object:
        writes: dict[str, dict[str, int]] = {}
        for change in changes:
            ref = reference(change.item)
            previous, self._last[ref] = self._last.get(ref), change.item
            if own is not None and own in (ref, change.item["metadata"]["resourceVersion"]):
                own = None
                continue
            if previous and change.type == "MODIFIED" and only_others_wrote(previous, change.item):
                continue
            counts = writes.setdefault(ref, {})
            verb = verb_of(change, previous)
            counts[verb] = counts.get(verb, 0) + 1
        return dict(sorted(writes.items()))

    async def _everything(self) -> AsyncIterator[Object]:
        for resource in KINDS.values():
            for item in await self._hands.list(resource):
                yield item

    def _actual(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: self._actual(one) for name, one in value.items()}
        if isinstance(value, list):
            return [self._actual(one) for one in value]
        return self._normaliser.uid_of(value) if isinstance(value, str) and value.startswith("uid:") else value


ACTIONS = {
    "create": Play._create,
    "merge-patch": Play._merge_patch,
    "server-side-apply": Play._server_side_apply,
    "delete": Play._delete,
    "outage": Play._begin_outage,
    "recovery": Play._recover,
    "watch": Play._watch,
}


def describe(verb: str, what: Any) -> str:
    """A step in a few words, to find it by."""
    if verb == "create":
        return f"create {what['kind']}/{what['metadata'].get('namespace', 'alpha')}/{what['metadata']['name']}"
    if verb == "server-side-apply":
        return f"server-side-apply {what['object']['kind']}/{what['object']['metadata']['name']} by {what['manager']}"
    if verb in ("merge-patch", "delete"):
        return " ".join(filter(None, [verb, what["object"], what.get("subresource"), what.get("propagation")]))
    if verb == "outage":
        return f"outage {what['code']}"
    return f"watch {what} s" if verb == "watch" else verb


def verb_of(change: Change, previous: Object | None) -> str:
    """created, updated, deleted, or terminating: an update that sets the deletionTimestamp."""
    begins = "deletionTimestamp" in change.item["metadata"] and previous is not None
    begins = begins and "deletionTimestamp" not in previous["metadata"]
    return "terminating" if change.type == "MODIFIED" and begins else COUNTED[change.type]


def only_others_wrote(previous: Object, item: Object) -> bool:
    """Whether a change is one of status alone, of a kind whose status other controllers write."""
    return item["kind"] in OTHERS_WRITE and comparable(previous) == comparable(item)


def interval(exchanges: list[Exchange]) -> int | None:
    """Whole seconds between calls of one hook, by the median; nothing when it was called less than twice."""
    times = [one.at for one in exchanges if not one.path.endswith("/customize")]
    pauses = [(later - earlier).total_seconds() for earlier, later in pairwise(times)]
    return round(statistics.median(pauses)) if pauses else None
