"""CustomResourceDefinitions are objects too: they bring kinds and take them away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest

from app.sim.cel import Engine
from app.sim.cluster import Invalid, NotFound
from app.sim.memory import MemoryCluster
from tests.cases.validation_messages import CRD
from tests.unit.sim.memory.objects import DEFINITIONS, SAMPLE, sample

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.unit.sim.memory.conftest import Clock


async def tighten(cluster: MemoryCluster, **field: Any) -> None:
    """Change fields of the spec's schema."""
    definition = await cluster.get(DEFINITIONS, "", "samples.toy.example.com")
    spec = definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    spec["properties"].update(field)
    await cluster.update(definition)


async def test_a_definition_serves_its_kind(clock: Clock) -> None:
    cluster = MemoryCluster(clock=clock)
    with pytest.raises(NotFound):
        await cluster.resource("toy.example.com/v1", "samples")
    stored = await cluster.create(CRD)
    assert {"type": "Established", "status": "True"} in stored["status"]["conditions"]
    assert await cluster.resource("toy.example.com/v1", "samples") == SAMPLE
    assert await cluster.resource_of("toy.example.com/v1", "Sample") == SAMPLE


async def test_a_removed_definition_takes_its_objects_with_it(cluster: MemoryCluster) -> None:
    await cluster.create(sample())
    await cluster.delete(DEFINITIONS, "", "samples.toy.example.com")
    with pytest.raises(NotFound, match=r"the server could not find the requested resource"):
        await cluster.list(SAMPLE)
    await cluster.create(CRD)
    assert await cluster.list(SAMPLE) == []


async def test_each_served_version_shows_the_one_object(clock: Clock) -> None:
    crd: Object = orjson.loads(orjson.dumps(CRD))
    crd["spec"]["versions"].append({**crd["spec"]["versions"][0], "name": "v2", "storage": False})
    cluster = MemoryCluster([crd], clock=clock)
    await cluster.create(sample(namespace="default"))
    newer = await cluster.resource("toy.example.com/v2", "samples")
    assert (await cluster.get(newer, "default", "s"))["apiVersion"] == "toy.example.com/v2"


async def test_what_was_stored_before_a_tighter_schema_may_stay_wrong_until_it_is_touched(cluster: MemoryCluster) -> None:
    await cluster.create(sample(spec={"replicas": 7, "members": [{"name": "a", "count": 7}]}))
    await tighten(cluster, replicas={"type": "integer", "maximum": 5})
    told = await cluster.merge_patch(SAMPLE, "alpha", "s", {"status": {"phase": "Up"}}, subresource="status")
    assert told["status"] == {"phase": "Up"}
    await cluster.merge_patch(SAMPLE, "alpha", "s", {"spec": {"mode": "fast"}})
    with pytest.raises(Invalid, match=r"should be less than or equal to 5"):
        await cluster.merge_patch(SAMPLE, "alpha", "s", {"spec": {"replicas": 8}})


async def test_an_item_of_a_keyed_list_is_known_again_by_its_key(cluster: MemoryCluster) -> None:
    await cluster.create(sample(spec={"members": [{"name": "a", "count": 7}, {"name": "b"}]}))
    definition = await cluster.get(DEFINITIONS, "", "samples.toy.example.com")
    spec = definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    spec["properties"]["members"]["items"]["properties"]["count"]["maximum"] = 5
    await cluster.update(definition)
    await cluster.merge_patch(SAMPLE, "alpha", "s", {"spec": {"members": [{"name": "b"}, {"name": "a", "count": 7}]}})
    with pytest.raises(Invalid, match=r"spec.members\[0\].count"):
        await cluster.merge_patch(
            SAMPLE, "alpha", "s", {"spec": {"members": [{"name": "b", "count": 6}, {"name": "a", "count": 7}]}}
        )


async def test_a_default_takes_the_place_of_a_null_and_has_defaults_of_its_own(cluster: MemoryCluster) -> None:
    limit = {"type": "object", "default": {}, "properties": {"soft": {"type": "boolean", "default": True}}}
    await tighten(cluster, limit=limit, replicas={"type": "integer", "default": 2}, nothing={"type": "string", "nullable": True})
    stored = await cluster.create(sample(spec={"limit": None, "replicas": None, "nothing": None}))
    assert stored["spec"] == {"name": "abc", "limit": {"soft": True}, "replicas": 2, "nothing": None}


async def test_a_rule_that_cannot_be_evaluated_refuses(cluster: MemoryCluster) -> None:
    with pytest.raises(Invalid, match=r'spec.broken: Invalid value: "string": .* evaluating rule: above three'):
        await cluster.create(sample(spec={"broken": "many"}))


async def test_a_rule_unknown_to_the_engine_is_left_to_its_twin(clock: Clock) -> None:
    crd: Object = orjson.loads(orjson.dumps(CRD))
    rule = {"rule": "isURL(self)", "message": "must be a URL"}
    spec = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    spec["properties"]["site"] = {"type": "string", "maxLength": 20, "x-kubernetes-validations": [rule]}
    cluster = MemoryCluster([crd], clock=clock, engine=Engine({"isURL(self)": lambda now, _: "://" in now}))
    await cluster.create(sample(namespace="default", spec={"site": "http://x"}))
    with pytest.raises(Invalid, match=r'spec.site: Invalid value: "nowhere": must be a URL'):
        await cluster.create(sample("t", namespace="default", spec={"site": "nowhere"}))
