"""The last hook of an instance, answer by answer: how long it may hold, and what becomes of children meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from app.controllers.context import Context
from app.controllers.entities import ENTITIES
from app.controllers.litellm_instance import LITELLM_INSTANCES
from app.hooks import application
from app.kube.reader import NoReader, ReadFailed
from app.litellm.probe import Prober
from app.sim.fake_litellm import FakeNetwork
from tests.unit.controllers.exchange import FULL, grouped, instance

if TYPE_CHECKING:
    from app.hooks.objects import Object, Resource
    from app.kube.reader import Reader

METACONTROLLERS = "metacontroller.io/compositecontroller-litellmbudgets"
MARK = "2026-01-01T00:00:00Z"


def entity(*finalizers: str, deleted: bool = True, of: str = "gw", kind: str = "LiteLLMBudget") -> Object:
    marks = {"deletionTimestamp": MARK} if deleted else {}
    metadata = {"name": "free", "namespace": "team", "finalizers": [*finalizers], **marks}
    return {"kind": kind, "metadata": metadata, "spec": {"instanceRef": {"name": of}}}


@dataclass
class Objects:
    """A reader that has these objects of all kinds together."""

    items: list[Object] = field(default_factory=list["Object"])
    asked: list[str] = field(default_factory=list[str])

    async def secret(self, namespace: str, name: str, *, version: str = "") -> Object | None:
        raise AssertionError("no Secret is asked for")

    async def get(self, resource: Resource, namespace: str, name: str) -> Object | None:
        raise AssertionError("no object is asked for")

    async def list(self, resource: Resource, namespace: str) -> list[Object]:
        assert namespace == "team"
        self.asked.append(resource.kind)
        return [item for item in self.items if item["kind"] == resource.kind]

    async def aclose(self) -> None:
        pass


class Deaf(Objects):
    """A reader whose API server does not answer."""

    async def list(self, resource: Resource, namespace: str) -> list[Object]:
        raise ReadFailed("the API server does not answer")


async def finalized(reader: Reader, parent: Object | None = None, *, seconds: int = 20, children: tuple[Object, ...] = ()) -> Any:
    """The answer so many seconds after the deletion mark."""
    item = parent or instance(status={"ready": True, "conditions": []})
    item["metadata"] = {**item["metadata"], "deletionTimestamp": MARK}
    now = datetime(2026, 1, 1, 0, seconds // 60, seconds % 60, tzinfo=UTC)
    context = Context(now=lambda: now, prober=Prober(lambda _: FakeNetwork({}), lambda: 0.0), reader=reader)
    app = application([LITELLM_INSTANCES], context)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://palena") as hooks:
        body = {"controller": FULL, "parent": item, "children": grouped(children), "related": {}, "finalizing": True}
        return (await hooks.post("/hooks/litellminstances/finalize", json=body)).raise_for_status().json()


HOLDS: list[tuple[str, list[Object], int, bool]] = [
    ("one that LiteLLM has to be told of", [entity(METACONTROLLERS)], 119, True),
    ("but for two minutes only", [entity(METACONTROLLERS)], 120, False),
    ("one that waits for somebody else has told LiteLLM", [entity("foregroundDeletion")], 20, False),
    ("one of another instance", [entity(METACONTROLLERS, of="other")], 5, False),
    ("one that lives may be deleted next", [entity(METACONTROLLERS, deleted=False)], 9, True),
    ("or not", [entity(METACONTROLLERS, deleted=False)], 10, False),
    ("there is none", [], 0, False),
]


@pytest.mark.parametrize(("why", "items", "seconds", "holds"), HOLDS, ids=[row[0] for row in HOLDS])
async def test_it_holds_for_entities_on_their_way_out(why: str, items: list[Object], seconds: int, holds: bool) -> None:
    answer = await finalized(Objects(items), seconds=seconds)
    assert answer["finalized"] is not holds
    assert bool(answer["resyncAfterSeconds"]) is holds
    assert bool(answer["status"]["conditions"]) is holds


@pytest.mark.parametrize("kind", [controller.parent.kind for controller in ENTITIES])
async def test_every_kind_that_litellm_keeps_is_waited_for(kind: str) -> None:
    answer = await finalized(Objects([entity(METACONTROLLERS, kind=kind)]))
    (condition,) = answer["status"]["conditions"]
    assert condition["message"].startswith(
        f"{kind} objects that name it are deleted in LiteLLM first; it goes at 2026-01-01T00:02:00Z"
    )


async def test_without_a_cluster_to_read_from_it_goes_at_once() -> None:
    assert (await finalized(NoReader(), seconds=0))["finalized"]


async def test_a_cluster_that_gives_no_answer_holds_it_for_the_grace() -> None:
    answer = await finalized(Deaf(), seconds=119)
    assert not answer["finalized"]
    assert "is not known: the API server does not answer" in answer["status"]["conditions"][0]["message"]
    assert (await finalized(Deaf(), seconds=120))["finalized"]


async def test_after_the_grace_nobody_is_asked() -> None:
    reader = Objects([entity(METACONTROLLERS)])
    await finalized(reader, seconds=120)
    assert reader.asked == []


@pytest.mark.parametrize("seconds", [20, 120], ids=["held", "let go"])
async def test_children_are_answered_as_they_are_even_in_the_last_answer(seconds: int) -> None:
    """Left out they would be deleted, and ``--cascade=orphan`` is to leave them."""
    metadata = {"name": "gw-config", "namespace": "team"}
    applied: Object = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"a": "b"}}
    annotations = {"metacontroller.k8s.io/last-applied-configuration": httpx2.Response(200, json=applied).text}
    child = {**applied, "metadata": {**metadata, "annotations": annotations}}
    answer = await finalized(Objects([entity(METACONTROLLERS)]), seconds=seconds, children=(child,))
    assert answer["children"] == [applied]


async def test_what_was_told_before_stays_told_and_nothing_moves_at_the_second_look() -> None:
    reader = Objects([entity(METACONTROLLERS)])
    told = {"type": "Ready", "status": "True", "reason": "ProxyReachable", "message": "it answers"}
    before = {**told, "observedGeneration": 1, "lastTransitionTime": MARK}
    first = await finalized(reader, instance(status={"ready": True, "version": "1.110.2", "conditions": [before]}))
    assert first["status"]["conditions"][0] == before
    assert first["status"]["version"] == "1.110.2"
    assert await finalized(reader, instance(status=first["status"]), seconds=40) == first
    last = await finalized(Objects(), instance(status=first["status"]), seconds=40)
    assert last["status"]["conditions"] == [before]


async def test_the_go_operators_finalizer_is_still_named() -> None:
    parent = instance(status={})
    parent["metadata"] = {**parent["metadata"], "finalizers": ["litellm.palena.ai/finalizer"]}
    answer = await finalized(Objects(), parent)
    assert [one["type"] for one in answer["status"]["conditions"]] == ["StaleFinalizer"]
