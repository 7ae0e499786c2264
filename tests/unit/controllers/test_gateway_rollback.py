"""Automatic rollback: the last good pods run again, with their configuration, until the spec is another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from app.controllers.litellm_instance import LITELLM_INSTANCES
from app.controllers.rollout import REVISION
from app.resources.config_map import CONFIG_FILE
from app.resources.kinds import CONFIG_MAP, CONTROLLER_REVISION, DEPLOYMENT, JOB, SECRET, SERVICE, STATEFUL_SET
from tests.unit.controllers.gateway_world import (
    ATTACHED,
    INSTANCE,
    MANAGED,
    MIGRATED,
    SPEC,
    TEAM,
    env_of,
    instance,
    running,
    secret,
    template_of,
    world,
)
from tests.unit.controllers.test_gateway_references import GUARDRAIL, Cluster

if TYPE_CHECKING:
    from tests.unit.controllers.gateway_world import World

GUARDED: dict[str, Any] = {**SPEC, "upgrade": {"autoRollback": True}}


async def fail_rollout(made: World) -> None:
    """The Deployment controller gives the present rollout up; the old pods serve on."""
    generation = (await made.get(DEPLOYMENT))["metadata"]["generation"]
    status = {
        "observedGeneration": generation,
        "replicas": 2,
        "updatedReplicas": 1,
        "readyReplicas": 1,
        "availableReplicas": 1,
        "conditions": [
            {
                "type": "Progressing",
                "status": "False",
                "reason": "ProgressDeadlineExceeded",
                "lastTransitionTime": "2030-01-01T00:00:00Z",
            }
        ],
    }
    await made.cluster.merge_patch(DEPLOYMENT, TEAM, "gw", {"status": status}, subresource="status")
    await made.settle()


async def test_the_good_pods_are_kept_once_all_of_them_are_available() -> None:
    async with running(GUARDED) as made:
        (name,) = await made.names(CONTROLLER_REVISION)
        kept = await made.get(CONTROLLER_REVISION, name)
        assert kept["data"]["spec"]["template"]["spec"]["containers"][0]["image"].endswith(":v1.80.0")


async def test_pods_of_which_none_is_there_yet_are_not_kept_as_good_ones() -> None:
    """Where the old pods go before the new ones come, for a moment there are none, and all of none are available."""
    spec = {**GUARDED, "upgrade": {"autoRollback": True, "strategy": "recreate"}}
    async with running(spec) as made:
        await made.edit({"image": {"tag": "v1.81.0"}})
        generation = (await made.get(DEPLOYMENT))["metadata"]["generation"]
        between = {
            "observedGeneration": generation,
            **dict.fromkeys(("replicas", "updatedReplicas", "readyReplicas", "availableReplicas", "conditions")),
        }
        await made.cluster.merge_patch(DEPLOYMENT, TEAM, "gw", {"status": between}, subresource="status")
        await made.settle()
        assert await made.reason("RolloutComplete") == "False/RolloutInProgress"
        await fail_rollout(made)
        assert await made.image() == "v1.80.0"


async def test_a_rollout_that_fails_brings_the_good_pods_back_and_stays_told() -> None:
    async with running(GUARDED) as made:
        good, config = await made.get(DEPLOYMENT), await made.get(CONFIG_MAP, "gw-config")
        await made.edit({"image": {"tag": "v1.81.0"}, "routerSettings": {"numRetries": 9}})
        assert await made.image() == "v1.81.0"
        await fail_rollout(made)
        assert template_of(await made.get(DEPLOYMENT)) == template_of(good)
        assert (await made.get(CONFIG_MAP, "gw-config"))["data"] == config["data"]
        assert await made.reason() == "False/AutoRollback"
        await made.run_pods()
        await made.settle(600)
        assert await made.image() == "v1.80.0"
        assert await made.reason() == "False/AutoRollback", "the pods are good and the spec still is not what runs"
        assert await made.reason("RolloutComplete") == "False/RolledBack"
        status = await made.status()
        assert status["ready"] is True
        assert status["rollback"]["revision"] in await made.names(CONTROLLER_REVISION)
        assert status["version"] == "v1.80.0"


async def test_pods_that_failed_are_not_tried_again_when_status_says_nothing_of_it() -> None:
    """Children are written before status, and Metacontroller may sync again before it has seen the status that it wrote."""
    async with running(GUARDED) as made:
        await made.edit({"image": {"tag": "v1.81.0"}})
        await fail_rollout(made)
        before = (await made.status())["rollback"]
        await made.cluster.merge_patch(INSTANCE, TEAM, "gw", {"status": {"rollback": None}}, subresource="status")
        await made.settle(600)
        assert await made.image() == "v1.80.0"
        assert (await made.status())["rollback"] == before


async def test_pods_that_failed_are_not_tried_again_when_the_cluster_cannot_be_read() -> None:
    cluster = Cluster(presidio=secret("presidio", token="t1"))
    async with running(GUARDED, GUARDRAIL, reader=cluster) as made:
        cluster.secrets["presidio"] = secret("presidio", token="t2")
        await made.edit({"image": {"tag": "v1.81.0"}})
        await fail_rollout(made)
        assert await made.image() == "v1.80.0"
        for cluster.broken in (True, False):
            await made.settle(120)
            assert await made.image() == "v1.80.0", "another digest of what cannot be read is no other template"
            assert await made.reason() == "False/AutoRollback"
        await made.edit({"image": {"tag": "v1.82.0"}})
        assert await made.image() == "v1.82.0"


async def test_another_template_is_tried_anew() -> None:
    async with running(GUARDED) as made:
        await made.edit({"image": {"tag": "v1.81.0"}})
        await fail_rollout(made)
        await made.edit({"image": {"tag": "v1.82.0"}})
        assert await made.image() == "v1.82.0"
        await made.run_pods()
        assert await made.reason() == "True/AllResourcesReady"
        assert "rollback" not in await made.status()
        (name,) = await made.names(CONTROLLER_REVISION)
        kept = await made.get(CONTROLLER_REVISION, name)
        assert kept["data"]["spec"]["template"]["spec"]["containers"][0]["image"].endswith(":v1.82.0"), "the older one is gone"


async def test_pods_that_failed_are_tried_once_more_without_an_optional_secret_that_is_gone() -> None:
    """It may be what they failed for, and to delete it the remedy."""
    optional = {"extraEnvFrom": [{"secretRef": {"name": "extra", "optional": True}}]}
    async with running({**GUARDED, **optional}, secret("extra", A="1")) as made:
        await made.cluster.merge_patch(SECRET, TEAM, "extra", secret("extra", A="2"))
        await made.edit({"image": {"tag": "v1.81.0"}})
        await fail_rollout(made)
        assert await made.image() == "v1.80.0"
        await made.cluster.delete(SECRET, TEAM, "extra")
        await made.settle()
        assert await made.image() == "v1.81.0"
        await fail_rollout(made)
        await made.settle(600)
        assert await made.image() == "v1.80.0", "once"
        assert await made.reason() == "False/AutoRollback"


async def test_an_edit_that_leaves_the_template_alone_tries_nothing() -> None:
    async with running(GUARDED) as made:
        await made.edit({"image": {"tag": "v1.81.0"}})
        await fail_rollout(made)
        await made.edit({"replicas": 2})
        assert await made.image() == "v1.80.0"
        assert (await made.get(DEPLOYMENT))["spec"]["replicas"] == 2


async def test_pods_that_failed_are_not_tried_again_after_a_time_of_attachment() -> None:
    async with world(secret("pg", url="postgresql://h/d"), instance(GUARDED)) as made:
        await made.cluster.merge_patch(DEPLOYMENT, TEAM, "gw", {"metadata": {"annotations": {REVISION: "7"}}})
        await made.run_pods()
        await made.edit({"image": {"tag": "v1.81.0"}})
        await fail_rollout(made)
        before = await made.status()
        assert before["lastSuccessfulRevision"] == "7"
        await made.edit(ATTACHED)
        assert "lastSuccessfulRevision" not in await made.status(), "nothing is claimed of pods that are not ours"
        await made.edit(MANAGED)
        await made.settle(120)
        assert await made.image() == "v1.80.0"
        assert await made.reason("RolloutComplete") == "False/RolledBack"
        assert (await made.status())["rollback"] == before["rollback"]
        assert (await made.status())["lastSuccessfulRevision"] == "7"


@pytest.mark.parametrize("data", [None, {}, {"spec": {}}, {"spec": {"template": None}}, "text"])
async def test_a_revision_without_pods_is_none_to_go_back_to(data: Any) -> None:
    async with running(GUARDED) as made:
        (name,) = await made.names(CONTROLLER_REVISION)
        stored = await made.get(CONTROLLER_REVISION, name)
        await made.cluster.delete(CONTROLLER_REVISION, TEAM, name)
        metadata = {key: stored["metadata"][key] for key in ("namespace", "labels", "annotations", "ownerReferences")}
        await made.cluster.create({**stored, "metadata": {**metadata, "name": "gw-odd"}, "data": data})
        await made.edit({"image": {"tag": "v1.81.0"}})
        await fail_rollout(made)
        assert await made.image() == "v1.81.0"


async def test_without_a_good_template_a_failed_rollout_is_told_and_stays() -> None:
    async with running() as made:
        await made.edit({"image": {"tag": "v1.81.0"}})
        await fail_rollout(made)
        assert await made.image() == "v1.81.0"
        assert await made.reason("RolloutComplete") == "False/ProgressDeadlineExceeded"


async def test_good_pods_that_somebody_elses_object_keeps_from_being_kept_are_told() -> None:
    async with running(GUARDED) as made:
        (name,) = await made.names(CONTROLLER_REVISION)
        kept = await made.get(CONTROLLER_REVISION, name)
        await made.cluster.delete(CONTROLLER_REVISION, TEAM, name)
        foreign = {"name": name, "namespace": TEAM}
        await made.cluster.create({**kept, "metadata": foreign})
        await made.settle(180)
        assert await made.reason("ChildrenApplied") == "False/ChildNotApplied"
        assert f"ControllerRevision {name}" in await made.message("ChildrenApplied")


async def test_somebody_elses_object_is_not_taken_over_for_it_either() -> None:
    """Nobody can be asked for the name, which follows from what the pods read. But the API server lets nobody change the data."""
    async with running(GUARDED, strategy="server-side-apply") as made:
        (name,) = await made.names(CONTROLLER_REVISION)
        kept = await made.get(CONTROLLER_REVISION, name)
        await made.cluster.delete(CONTROLLER_REVISION, TEAM, name)
        await made.cluster.create({**kept, "metadata": {"name": name, "namespace": TEAM}, "data": {"mine": True}})
        foreign = await made.get(CONTROLLER_REVISION, name)
        await made.settle(180)
        assert await made.get(CONTROLLER_REVISION, name) == foreign
        assert f"ControllerRevision {name}" in await made.message("ChildrenApplied")


async def test_an_installation_that_can_keep_no_good_pods_says_so() -> None:
    rules = tuple(rule for rule in LITELLM_INSTANCES.children if rule.resource != CONTROLLER_REVISION)
    items = secret("pg", url="postgresql://h/d"), instance(GUARDED)
    async with world(*items, controller=replace(LITELLM_INSTANCES, children=rules)) as made:
        await made.run_pods()
        assert await made.reason("ChildrenApplied") == "False/ChildInvalid"
        assert "ControllerRevision gw-" in await made.message("ChildrenApplied")
        assert (await made.status())["ready"] is True


async def hold_and_lose(made: World) -> str:
    """An upgrade whose migration fails, and then somebody deletes the Deployment. Returns the configuration that ran."""
    config = (await made.get(CONFIG_MAP, "gw-config"))["data"][CONFIG_FILE]
    before = set(await made.names(JOB))
    await made.edit({"image": {"tag": "v1.81.0"}, "routerSettings": {"numRetries": 9}})
    (job,) = set(await made.names(JOB)) - before
    await made.kubelet.finish(JOB, TEAM, job, succeeded=False)
    await made.settle()
    assert await made.reason("RolloutComplete") == "False/Held"
    await made.cluster.delete(DEPLOYMENT, TEAM, "gw")
    await made.settle()
    return config


@pytest.mark.parametrize("strategy", ["dynamic-apply", "server-side-apply"])
async def test_pods_that_are_lost_while_others_are_held_come_back_as_they_last_were_good(strategy: str) -> None:
    async with running({**MIGRATED, "upgrade": {"autoRollback": True}}, strategy=strategy) as made:
        config = await hold_and_lose(made)
        assert await made.image() == "v1.80.0"
        assert (await made.get(CONFIG_MAP, "gw-config"))["data"][CONFIG_FILE] == config
        await made.run_pods(jobs=False)
        assert (await made.status())["ready"] is True
        assert await made.reason("RolloutComplete") == "False/Held"
        before = await made.versions()
        await made.settle(20 * 70)
        assert await made.versions() == before
        await made.edit({"image": {"tag": "v1.82.0"}})
        await made.run_pods()
        assert await made.image() == "v1.82.0", "what was held goes on"
        assert await made.reason() == "True/AllResourcesReady"


async def test_lost_pods_of_which_no_good_ones_are_known_are_said_to_come_with_the_spec_of_before() -> None:
    async with running(MIGRATED) as made:
        await hold_and_lose(made)
        assert await made.find(DEPLOYMENT) is None
        assert "set spec.image back to one that was migrated to, and pods are made at once" in await made.message("Ready")
        await made.edit({"image": {"tag": "v1.80.0"}})
        await made.run_pods()
        assert await made.image() == "v1.80.0"
        assert await made.reason() == "True/AllResourcesReady"


async def test_switching_it_off_drops_what_was_kept() -> None:
    async with running(GUARDED) as made:
        await made.edit({"upgrade": None})
        assert await made.names(CONTROLLER_REVISION) == []
        assert "lastSuccessfulRevision" not in await made.status()


@pytest.mark.parametrize(
    ("upgrade", "reason", "why"),
    [
        ({"autoRollback": True}, "False/RolledBack", "the pods that run again use it"),
        ({}, "False/ProgressDeadlineExceeded", "the pods before the rollout serve on and use it"),
    ],
)
async def test_the_managed_database_stays_while_a_move_to_another_one_fails(
    upgrade: dict[str, Any], reason: str, why: str
) -> None:
    async with running({**SPEC, "database": {"managed": {"enabled": True}}, "upgrade": upgrade}) as made:
        before = await made.get(STATEFUL_SET, "gw-db"), await made.get(SERVICE, "gw-db")
        await made.edit({"database": {"managed": None, "external": SPEC["database"]["external"]}})
        await fail_rollout(made)
        await made.settle(600)
        assert await made.reason("RolloutComplete") == reason
        assert (await made.get(STATEFUL_SET, "gw-db"), await made.get(SERVICE, "gw-db")) == before, why


async def test_the_managed_database_stays_while_a_move_to_another_one_is_held() -> None:
    async with running({**SPEC, "database": {"managed": {"enabled": True}}}) as made:
        elsewhere = {"external": {"connectionSecretRef": {"name": "elsewhere", "key": "url"}}}
        await made.edit({"database": {"managed": None, **elsewhere}})
        assert await made.names(STATEFUL_SET) == ["gw-db"]
        assert await made.names(SERVICE) == ["gw", "gw-db"]
        assert env_of(await made.get(DEPLOYMENT))["DATABASE_URL"]["valueFrom"]["secretKeyRef"]["name"] == "gw-db"
        await made.create(secret("elsewhere", url="postgresql://u:p@h/d"))
        assert await made.names(STATEFUL_SET) == ["gw-db"], "the older pods still serve"
        await made.run_pods()
        assert await made.reason() == "True/AllResourcesReady"
        assert await made.names(STATEFUL_SET) == []
        assert await made.names(SERVICE) == ["gw"]
