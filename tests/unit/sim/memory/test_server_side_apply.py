"""Server-side apply: who owns what, who gets what. The outcomes are those of an API server of Kubernetes 1.36."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.sim.cluster import ApiError, Conflict, Invalid, NotFound
from tests.unit.sim.memory.objects import CONFIG_MAP, DEPLOYMENT, SAMPLE, config_map, deployment, item, sample

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.sim.memory import MemoryCluster
    from tests.unit.sim.memory.conftest import Clock


def owners(stored: Object) -> dict[tuple[str, str], Object]:
    """``fieldsV1`` by manager and operation."""
    entries = stored["metadata"].get("managedFields", [])
    return {(entry["manager"], entry["operation"]): entry["fieldsV1"] for entry in entries}


def variables(stored: Object) -> list[str]:
    env = stored["spec"]["template"]["spec"]["containers"][0].get("env", [])
    return [f"{one['name']}={one['value']}" for one in env]


async def test_the_first_apply_creates_and_owns_what_it_names(cluster: MemoryCluster) -> None:
    stored = await cluster.apply(config_map(data={"a": "1"}, labels={"l": "1"}), manager="us")
    assert owners(stored) == {("us", "Apply"): {"f:data": {"f:a": {}}, "f:metadata": {"f:labels": {"f:l": {}}}}}


async def test_an_update_takes_over_what_it_changes(cluster: MemoryCluster) -> None:
    await cluster.apply(config_map(data={"a": "1", "b": "2"}), manager="us")
    patched = await cluster.merge_patch(CONFIG_MAP, "alpha", "c", {"data": {"b": "9", "c": "3"}})
    assert owners(patched) == {
        ("us", "Apply"): {"f:data": {"f:a": {}}},
        ("tester", "Update"): {"f:data": {"f:b": {}, "f:c": {}}},
    }


async def test_what_is_no_longer_applied_goes_and_what_others_own_stays(cluster: MemoryCluster) -> None:
    await cluster.apply(config_map(data={"a": "1", "b": "2", "shared": "s"}, labels={"l": "1"}), manager="us")
    await cluster.apply(config_map(data={"shared": "s"}), manager="them", force=False)
    await cluster.merge_patch(CONFIG_MAP, "alpha", "c", {"data": {"theirs": "3"}})
    applied = await cluster.apply(config_map(data={"b": "2"}), manager="us")
    assert applied["data"] == {"b": "2", "shared": "s", "theirs": "3"}
    assert "labels" not in applied["metadata"]


async def test_without_force_a_foreign_field_is_a_conflict_that_names_owner_and_field(cluster: MemoryCluster) -> None:
    await cluster.apply(sample(spec={"members": [{"name": "a", "count": 1}]}, labels={"x": "y"}), manager="m")
    await cluster.merge_patch(SAMPLE, "alpha", "s", {"spec": {"mode": "fast"}})
    wanted = sample(spec={"members": [{"name": "a", "count": 2}], "mode": "slow"}, labels={"x": "z"})
    with pytest.raises(Conflict) as refused:
        await cluster.apply(wanted, manager="n", force=False)
    assert refused.value.message.splitlines() == [
        'Apply failed with 3 conflicts: conflicts with "m":',
        "- .metadata.labels.x",
        '- .spec.members[name="a"].count',
        'conflicts with "tester" using toy.example.com/v1:',
        "- .spec.mode",
    ]


async def test_one_conflict_is_told_in_one_line(cluster: MemoryCluster) -> None:
    await cluster.apply(sample(spec={"mode": "fast"}), manager="m")
    with pytest.raises(Conflict, match=r'^Apply failed with 1 conflict: conflict with "m": .spec.mode$'):
        await cluster.apply(sample(spec={"mode": "slow"}), manager="n", force=False)


async def test_an_equal_value_is_shared_without_conflict(cluster: MemoryCluster) -> None:
    await cluster.apply(sample(spec={"mode": "fast"}), manager="m")
    shared = await cluster.apply(sample(spec={"mode": "fast"}), manager="n", force=False)
    assert owners(shared)["m", "Apply"] == owners(shared)["n", "Apply"]
    kept = await cluster.apply(sample(), manager="m")
    assert kept["spec"] == {"name": "abc", "mode": "fast"}


async def test_force_takes_the_field_away_from_its_owner(cluster: MemoryCluster) -> None:
    await cluster.apply(sample(spec={"mode": "fast"}), manager="m")
    taken = await cluster.apply(sample(spec={"mode": "slow"}), manager="n")
    assert taken["spec"]["mode"] == "slow"
    assert owners(taken)["m", "Apply"] == {"f:spec": {"f:name": {}}}


async def test_the_same_apply_again_moves_nothing(cluster: MemoryCluster, clock: Clock) -> None:
    first = await cluster.apply(sample(spec={"members": [{"name": "a"}]}), manager="m")
    clock.advance(60)
    assert await cluster.apply(sample(spec={"members": [{"name": "a"}]}), manager="m") == first


async def test_a_dry_run_tells_the_next_generation_and_stores_nothing(cluster: MemoryCluster) -> None:
    first = await cluster.apply(sample(), manager="m")
    shown = await cluster.apply(sample(spec={"mode": "fast"}), manager="m", dry_run=True)
    assert (shown["spec"]["mode"], shown["metadata"]["generation"]) == ("fast", 2)
    assert await cluster.get(SAMPLE, "alpha", "s") == first
    await cluster.apply(sample("new"), manager="m", dry_run=True)
    with pytest.raises(NotFound):
        await cluster.get(SAMPLE, "alpha", "new")


ENVIRONMENTS = [
    pytest.param(["C=1", "A=1"], ["X=1", "Y=1", "C=1", "Z=1", "A=1"], "our order wins, theirs stay where they stood", id="order"),
    pytest.param(
        ["Z=2", "C=1"], ["X=1", "Y=1", "Z=2", "C=1"], "an item of theirs that we name takes its place among ours", id="takeover"
    ),
    pytest.param([], ["X=1", "Y=1", "Z=1"], "our items go, theirs stay", id="none-of-ours"),
    pytest.param(
        ["Q=1", "A=1", "B=1", "C=1"], ["Q=1", "A=1", "X=1", "B=1", "Y=1", "C=1", "Z=1"], "a new first item comes first", id="new"
    ),
]


@pytest.mark.parametrize(("applied", "result", "why"), ENVIRONMENTS)
async def test_the_order_of_a_keyed_list(cluster: MemoryCluster, applied: list[str], result: list[str], why: str) -> None:
    await cluster.apply(deployment(env=["A=1", "B=1", "C=1"]), manager="m")
    both = deployment(env=["A=1", "X=1", "B=1", "Y=1", "C=1", "Z=1"])
    await cluster.update({**both, "metadata": {**both["metadata"]}})
    assert variables(await cluster.apply(deployment(env=applied), manager="m")) == result, why


async def test_a_port_is_known_by_number_and_protocol_and_tcp_need_not_be_said(cluster: MemoryCluster) -> None:
    both = [{"containerPort": 53, "protocol": "UDP"}, {"containerPort": 53}]
    await cluster.apply(deployment(ports=both), manager="m")
    named = await cluster.apply(deployment(ports=[{"containerPort": 53, "protocol": "TCP", "name": "dns"}]), manager="n")
    ports = named["spec"]["template"]["spec"]["containers"][0]["ports"]
    assert sorted((port.get("protocol"), port.get("name")) for port in ports) == [("TCP", "dns"), ("UDP", None)]


async def test_a_list_without_keys_and_an_atomic_map_are_taken_whole(cluster: MemoryCluster) -> None:
    await cluster.apply(sample(spec={"tags": ["a", "b"]}), manager="m")
    with pytest.raises(Conflict, match=r"\.spec\.tags$"):
        await cluster.apply(sample(spec={"tags": ["a", "c"]}), manager="n", force=False)
    assert (await cluster.apply(sample(spec={"tags": ["c"]}), manager="n"))["spec"]["tags"] == ["c"]


async def test_a_set_grows_by_what_each_manager_adds(cluster: MemoryCluster) -> None:
    await cluster.apply(sample(spec={"unique": ["a", "b"]}), manager="m")
    await cluster.apply(sample(spec={"unique": ["c"]}), manager="n", force=False)
    assert (await cluster.apply(sample(spec={"unique": ["b"]}), manager="m"))["spec"]["unique"] == ["b", "c"]


async def test_an_owner_reference_removed_by_hand_comes_back(cluster: MemoryCluster) -> None:
    reference = {"apiVersion": "v1", "kind": "Namespace", "name": "alpha", "uid": "n", "controller": True}
    await cluster.apply(config_map(ownerReferences=[reference]), manager="m")
    await cluster.merge_patch(CONFIG_MAP, "alpha", "c", {"metadata": {"ownerReferences": None}})
    applied = await cluster.apply(config_map(ownerReferences=[reference]), manager="m")
    assert applied["metadata"]["ownerReferences"] == [reference]


async def test_an_object_has_one_controller(cluster: MemoryCluster) -> None:
    def owned(uid: str) -> list[Object]:
        return [{"apiVersion": "v1", "kind": "Pod", "name": uid, "uid": uid, "controller": True}]

    await cluster.apply(config_map(ownerReferences=owned("first")), manager="m")
    with pytest.raises(Invalid, match=r"Only one reference can have Controller set to true"):
        await cluster.apply(config_map(ownerReferences=owned("second")), manager="n")


async def test_the_status_is_not_applied(cluster: MemoryCluster) -> None:
    await cluster.apply(sample(), manager="m")
    await cluster.merge_patch(SAMPLE, "alpha", "s", {"status": {"phase": "Up"}}, subresource="status")
    applied = await cluster.apply({**sample(), "status": {"phase": "Down"}}, manager="m")
    assert applied["status"] == {"phase": "Up"}
    assert owners(applied)["tester", "Update"] == {"f:status": {".": {}, "f:phase": {}}}


SENSELESS: list[Any] = [
    pytest.param(
        sample(spec={"bogus": 1}),
        500,
        r"\(alpha/s; toy.example.com/v1, Kind=Sample\): .spec.bogus: field not declared in schema",
        id="unknown",
    ),
    pytest.param(
        sample(spec={"members": [{"name": "a"}] * 2}), 500, r'duplicate entries for key \[name="a"\]', id="two-of-one-key"
    ),
    pytest.param(sample(spec={"replicas": None}), 422, 'spec.replicas in body must be of type integer: "null"', id="null"),
    pytest.param(sample(managedFields=[]), 400, "metadata.managedFields must be nil", id="managed-fields"),
    pytest.param(item(CONFIG_MAP, "new", uid="u"), 409, "uid mismatch: the provided object specified uid u", id="uid-of-nothing"),
]


@pytest.mark.parametrize(("config", "status", "text"), SENSELESS)
async def test_what_cannot_be_applied(cluster: MemoryCluster, config: Object, status: int, text: str) -> None:
    with pytest.raises(ApiError, match=text) as refused:
        await cluster.apply(config, manager="m")
    assert refused.value.status == status


async def test_a_field_that_nobody_applied_stays_beside_ours(cluster: MemoryCluster) -> None:
    await cluster.create(deployment(env=["A=1"]))
    slim = deployment(env=["A=1"])
    del slim["spec"]["replicas"]
    await cluster.apply(slim, manager="m")
    assert (await cluster.get(DEPLOYMENT, "alpha", "d"))["spec"]["replicas"] == 2
