"""A gateway at rest, edited, drifted, flipped and deleted."""

from __future__ import annotations

from typing import Any

import pytest

from app.resources.kinds import (
    AUTOSCALER,
    CONFIG_MAP,
    DEPLOYMENT,
    DISRUPTION_BUDGET,
    INGRESS,
    NETWORK_POLICY,
    SECRET,
    SERVICE,
    SERVICE_ACCOUNT,
)
from tests.unit.controllers.gateway_world import ATTACHED, INSTANCE, MIGRATED, SPEC, TEAM, instance, running, secret, world
from tests.unit.controllers.test_gateway_collisions import EVERYTHING

FULL: dict[str, Any] = {
    **EVERYTHING,
    "database": {"managed": {"enabled": True}, "migration": {"enabled": True}},
    "upgrade": {"autoRollback": True, "healthCheckTimeout": "5m"},
    "redis": {"enabled": True, "host": "redis"},
    "caching": {"enabled": True},
    "patches": [{"target": {"kind": "Service"}, "patch": [{"op": "add", "path": "/metadata/annotations", "value": {"a": "b"}}]}],
}


@pytest.mark.parametrize("strategy", ["dynamic-apply", "server-side-apply"])
@pytest.mark.parametrize("spec", [SPEC, MIGRATED, FULL], ids=["small", "migrated", "full"])
async def test_twenty_resyncs_at_rest_write_nothing_and_answer_the_same_bytes(spec: dict[str, Any], strategy: str) -> None:
    async with running(spec, strategy=strategy) as made:
        await made.settle(120)
        before, seen = await made.versions(), len(made.exchanges)
        await made.settle(20 * 70)
        assert await made.versions() == before
        answers = {one.reply.body for one in made.exchanges[seen:] if "/sync" in one.url}
        assert len(made.exchanges) - seen >= 20
        assert len(answers) == 1


async def test_the_objects_of_everything_are_there() -> None:
    async with running(FULL) as made:
        assert await made.reason() == "True/AllResourcesReady"
        for resource in (AUTOSCALER, DISRUPTION_BUDGET, INGRESS, NETWORK_POLICY, SERVICE_ACCOUNT):
            assert await made.names(resource) == ["gw"]
        assert await made.names(CONFIG_MAP) == ["gw-config", "gw-grafana-dashboard"]


@pytest.mark.parametrize(
    ("change", "resource", "name"),
    [
        ({"ingress": None}, INGRESS, "gw"),
        ({"autoscaling": {"enabled": False}}, AUTOSCALER, "gw"),
        ({"podDisruptionBudget": None}, DISRUPTION_BUDGET, "gw"),
        ({"security": None}, NETWORK_POLICY, "gw"),
        ({"observability": None}, CONFIG_MAP, "gw-grafana-dashboard"),
    ],
)
async def test_what_is_switched_off_is_removed(change: dict[str, Any], resource: Any, name: str) -> None:
    async with running(FULL) as made:
        assert await made.find(resource, name) is not None
        await made.edit(change)
        assert await made.find(resource, name) is None


async def test_the_number_of_an_autoscaler_is_never_undone() -> None:
    async with running({**MIGRATED, "autoscaling": {"enabled": True, "maxReplicas": 5}}) as made:
        await made.cluster.merge_patch(DEPLOYMENT, TEAM, "gw", {"spec": {"replicas": 4}})
        await made.settle(300)
        assert (await made.get(DEPLOYMENT))["spec"]["replicas"] == 4
        await made.edit({"image": {"tag": "v1.81.0"}})
        assert (await made.get(DEPLOYMENT))["spec"]["replicas"] == 4, "while an upgrade waits neither"


async def test_nor_is_it_once_the_proxy_is_attached_to() -> None:
    async with running({**SPEC, "autoscaling": {"enabled": True, "maxReplicas": 9}}) as made:
        for replicas in (4, 7):
            await made.cluster.merge_patch(DEPLOYMENT, TEAM, "gw", {"spec": {"replicas": replicas}})
            await made.settle(300)
            assert (await made.get(DEPLOYMENT))["spec"]["replicas"] == replicas
            await made.edit(ATTACHED)


async def test_an_edit_of_a_child_is_repaired_and_what_others_add_stays() -> None:
    async with running() as made:
        selector = {"selector": {"litellm.palena.ai/instance": "y"}}
        edit = {"metadata": {"annotations": {"cloud": "x"}}, "spec": selector}
        await made.cluster.merge_patch(SERVICE, TEAM, "gw", edit)
        await made.settle()
        service = await made.get(SERVICE)
        assert service["spec"]["selector"]["litellm.palena.ai/instance"] == "gw"
        assert service["metadata"]["annotations"]["cloud"] == "x"


async def test_a_child_that_was_deleted_comes_back() -> None:
    async with running() as made:
        await made.cluster.delete(SERVICE, TEAM, "gw")
        await made.settle()
        assert await made.find(SERVICE) is not None


async def test_a_flip_to_unmanaged_keeps_every_child_and_a_flip_back_resumes() -> None:
    async with running(FULL) as made:
        await made.create(secret("mk", key="sk-x"))
        before = await made.versions()
        await made.edit({"workload": {"managed": False}, "masterKey": {"secretRef": {"name": "mk", "key": "key"}}})
        assert await made.reason("ChildrenRetained") == "True/ManagedBefore"
        after = await made.versions()
        assert {name: after[name] for name in before if not name.startswith("LiteLLM")} == {
            name: version for name, version in before.items() if not name.startswith("LiteLLM")
        }
        await made.edit({"workload": None, "masterKey": {"secretRef": None}})
        await made.run_pods()
        assert await made.reason() == "True/AllResourcesReady"
        assert await made.reason("ChildrenRetained") == ""
        final = await made.versions()
        assert {name for name in before if before[name] != final.get(name) and not name.startswith("LiteLLM")} == set()


async def test_an_instance_that_is_deleted_takes_its_children_along() -> None:
    async with running() as made:
        await made.cluster.delete(INSTANCE, TEAM, "gw")
        await made.settle()
        assert await made.find(DEPLOYMENT) is None
        assert await made.names(SECRET) == ["pg"], "what the user made stays"


async def test_a_field_that_makes_no_object_costs_that_object_alone_and_is_named() -> None:
    async with running({**SPEC, "ingress": {"enabled": True, "host": "a.example.com"}}) as made:
        before = await made.get(INGRESS)
        await made.edit({"ingress": {"host": "Not_A_Host"}, "image": {"tag": "v1.81.0"}})
        assert await made.get(INGRESS) == before
        assert await made.reason("ChildrenApplied") == "False/ChildInvalid"
        assert "spec.ingress.host" in await made.message("ChildrenApplied")
        assert await made.image() == "v1.81.0"


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"resources": {"limits": {"cpu": "-1"}}}, "spec.resources.limits.cpu"),
        ({"extraEnvVars": [{"name": "A=B", "value": "x"}]}, "spec.extraEnvVars[0].name"),
        ({"extraVolumes": [{"name": "config", "emptyDir": {}}]}, "spec.extraVolumes[0].name"),
        ({"scim": {"enabled": True, "generatedTokenSecretName": "No Name"}}, "spec.scim.generatedTokenSecretName"),
        ({"upgrade": {"healthCheckTimeout": "soon"}}, "spec.upgrade.healthCheckTimeout"),
    ],
)
async def test_a_template_that_cannot_be_made_keeps_the_pods(spec: dict[str, Any], field: str) -> None:
    async with running() as made:
        before = await made.get(DEPLOYMENT)
        await made.edit(spec)
        assert (await made.get(DEPLOYMENT))["spec"] == before["spec"]
        assert field in await made.message("ChildrenApplied")
        assert await made.reason("RolloutComplete") == "False/Held"


async def test_a_migration_that_cannot_be_made_holds_the_pods() -> None:
    async with running(MIGRATED) as made:
        await made.edit({"image": {"tag": "v1.81.0"}, "database": {"migration": {"timeout": "soon"}}})
        assert await made.image() == "v1.80.0"
        assert "spec.database.migration.timeout" in await made.message("ChildrenApplied")


async def test_a_name_of_253_characters_makes_legal_children() -> None:
    name = "a" * 250 + ".bc"
    async with world(secret("pg", url="postgresql://h/d"), instance(MIGRATED, name)) as made:
        await made.run_pods()
        assert await made.reason("ChildrenApplied", name) == ""
        assert len(await made.names(DEPLOYMENT)) == 1
