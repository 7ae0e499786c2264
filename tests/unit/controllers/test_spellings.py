"""Quantities, ports and durations in every legal spelling: the gateway runs, comes to rest, and nothing is written on and on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.resources.kinds import DEPLOYMENT, JOB, SERVICE, VOLUME_CLAIM
from app.sim.cluster import Invalid
from tests.unit.controllers.gateway_world import INSTANCE, MIGRATED, SPEC, TEAM, instance, running, secret, template_of, world

if TYPE_CHECKING:
    from app.hooks.objects import Object

STRATEGIES = pytest.mark.parametrize("strategy", ["dynamic-apply", "server-side-apply"])
AMOUNTS = {
    1: "1",
    "0.5": "500m",
    ".5": "500m",
    "1.": "1",
    "+1": "1",
    "1000m": "1",
    "1e3": "1e3",
    "1E3": "1e3",
    "1024Mi": "1Gi",
    "0.5Gi": "512Mi",
    "1000k": "1M",
    "0.0001Ki": "103m",
    "1e-4": "1e-3",
    "100u": "1m",
    "1n": "1m",
    "0": "0",
}


def amounts(value: Any) -> Object:
    both = {"cpu": value, "memory": value, "ephemeral-storage": value}
    return {"resources": {"requests": both, "limits": both}}


@STRATEGIES
@pytest.mark.parametrize("value", AMOUNTS, ids=repr)
async def test_a_quantity_comes_to_rest_in_its_stored_form(value: Any, strategy: str) -> None:
    async with running({**SPEC, **amounts(value)}, strategy=strategy) as made:
        limits = template_of(await made.get(DEPLOYMENT))["spec"]["containers"][0]["resources"]["limits"]
        assert set(limits.values()) == {AMOUNTS[value]}
        before = await made.versions()
        await made.settle(20 * 70)
        assert await made.versions() == before


@pytest.mark.parametrize("value", [0.5, "lots", "1 Gi", "1gi", "1e"], ids=repr)
async def test_what_is_no_amount_the_api_server_refuses(value: Any) -> None:
    async with running() as made:
        with pytest.raises(Invalid, match=r"spec\.resources\.limits"):
            await made.edit(amounts(value))


async def test_an_amount_that_is_negative_is_told() -> None:
    async with running() as made:
        before = await made.get(DEPLOYMENT)
        await made.edit(amounts("-1"))
        assert "spec.resources" in await made.message("ChildrenApplied")
        assert (await made.get(DEPLOYMENT))["spec"] == before["spec"]


async def test_a_request_above_its_limit_is_told_at_once_and_what_runs_is_kept() -> None:
    async with running({**SPEC, "resources": {"limits": {"cpu": "0.1"}}}) as made:
        before = await made.get(DEPLOYMENT)
        await made.edit({"resources": {"requests": {"cpu": "200m"}}})
        assert await made.reason("ChildrenApplied") == "False/ChildInvalid"
        assert "spec.resources.requests.cpu must not be more than its limit" in await made.message("ChildrenApplied")
        assert (await made.get(DEPLOYMENT))["spec"] == before["spec"]
        await made.edit({"resources": {"limits": {"cpu": ".2"}}})
        assert await made.reason("ChildrenApplied") == ""


@pytest.mark.parametrize(
    ("size", "stored"), [("10Gi", "10Gi"), ("10240Mi", "10Gi"), ("1e10", "10e9"), ("0.5Ti", "512Gi"), ("10G", "10G")]
)
async def test_a_size_that_is_spelled_otherwise_is_the_same_size(size: str, stored: str) -> None:
    async with running({**SPEC, "database": {"managed": {"enabled": True, "storageSize": size}}}) as made:
        assert (await made.get(VOLUME_CLAIM, "gw-db"))["spec"]["resources"]["requests"]["storage"] == stored
        await made.edit({"database": {"managed": {"storageSize": stored}}})
        assert await made.reason("ChildrenApplied") == ""


@pytest.mark.parametrize(("port", "served"), [(0, 4000), (1, 1), (80, 80), (65535, 65535)])
async def test_a_port_is_served(port: int, served: int) -> None:
    async with world(secret("pg", url="postgresql://h/d"), instance({**SPEC, "service": {"port": port}})) as made:
        assert (await made.get(SERVICE))["spec"]["ports"][0]["port"] == served
        assert await made.reason("ChildrenApplied") == ""


@pytest.mark.parametrize("port", [-1, 65536, 2**31 - 1])
async def test_what_is_no_port_is_told(port: int) -> None:
    async with running() as made:
        await made.edit({"service": {"port": port}})
        assert "spec.service.port" in await made.message("ChildrenApplied")
        assert (await made.get(SERVICE))["spec"]["ports"][0]["port"] == 4000


@pytest.mark.parametrize(
    ("after", "seconds"),
    [("300s", 300), ("5m", 300), ("1h30m", 5400), ("1.5h", 5400), (".5m", 30), ("1m1ns", 61), ("1500ms", 2)],
)
async def test_a_duration_ends_the_migration_job_in_time(after: str, seconds: int) -> None:
    migration = {"enabled": True, "timeout": after}
    spec = {**MIGRATED, "database": {**MIGRATED["database"], "migration": migration}}
    async with running(spec) as made:
        (job,) = await made.cluster.list(JOB, TEAM)
        assert job["spec"]["activeDeadlineSeconds"] == seconds


@pytest.mark.parametrize("after", ["5", "5 m", "1d", "-5m", "0s", "forever"])
async def test_what_is_no_duration_is_told_and_what_runs_is_kept(after: str) -> None:
    async with running(MIGRATED) as made:
        before = await made.get(DEPLOYMENT)
        await made.edit({"database": {"migration": {"timeout": after}}})
        assert "spec.database.migration.timeout" in await made.message("ChildrenApplied")
        assert (await made.get(DEPLOYMENT))["spec"] == before["spec"]


@STRATEGIES
@pytest.mark.parametrize("name", ["a", "7", "gw.prod", "g" * 63, "g" * 64, "g" * 243, "g" * 253, ".".join(["a" * 60] * 4)])
async def test_an_instance_may_have_any_name_that_the_api_server_takes(name: str, strategy: str) -> None:
    spec = {**MIGRATED, "database": {"managed": {"enabled": True}, "migration": {"enabled": True}}}
    async with world(instance(spec, name), strategy=strategy) as made:
        await made.run_pods()
        assert (await made.get(INSTANCE, name))["status"]["readyReplicas"] == 1
        assert await made.reason("ChildrenApplied", name) == ""
        assert made.loop.events == []
        before = await made.versions()
        await made.settle(20 * 70)
        assert await made.versions() == before


async def test_instances_whose_children_would_share_names_run_side_by_side_as_far_as_they_can() -> None:
    """Whoever comes first keeps a name; whoever frees it hands it over."""
    managed = {**SPEC, "database": {"managed": {"enabled": True}}}
    async with world(secret("pg", url="postgresql://h/d"), instance(managed), instance(SPEC, "gw-db")) as made:
        await made.run_pods()
        assert (await made.get(INSTANCE))["status"]["readyReplicas"] == 1
        assert "Service gw-db belongs to LiteLLMInstance gw" in await made.message("ChildrenApplied", "gw-db")
        await made.edit({"database": SPEC["database"] | {"managed": None}})
        await made.run_pods()
        await made.settle(700)
        assert await made.reason("ChildrenApplied", "gw-db") == ""
        owner = (await made.get(SERVICE, "gw-db"))["metadata"]["ownerReferences"][0]
        assert owner["name"] == "gw-db"
