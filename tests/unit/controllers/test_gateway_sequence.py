"""The order of things: secrets, database, migration, pods; and that nothing which runs is taken away for what comes before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.resources.kinds import CONFIG_MAP, DEPLOYMENT, JOB, POD, SECRET, STATEFUL_SET, VOLUME_CLAIM
from app.sim.cluster import Propagation
from tests.unit.controllers.gateway_world import (
    ATTACHED,
    INSTANCE,
    MANAGED,
    MIGRATED,
    SPEC,
    TEAM,
    instance,
    running,
    secret,
    template_of,
    world,
)

if TYPE_CHECKING:
    from tests.unit.controllers.gateway_world import World

OWN_DATABASE: dict[str, Any] = {
    "image": {"tag": "v1.80.0"},
    "masterKey": {"autoGenerate": True},
    "database": {"managed": {"enabled": True}, "migration": {"enabled": True}},
}


async def job_of(made: World) -> str:
    (name,) = await made.names(JOB)
    return name


async def upgrade(made: World, tag: str) -> str:
    """The Job that another tag makes."""
    before = set(await made.names(JOB))
    await made.edit({"image": {"tag": tag}})
    (new,) = set(await made.names(JOB)) - before
    return new


async def pod_of(made: World, job: str, **status: Any) -> None:
    """The Job controller makes a pod, and the kubelet says how it is."""
    owner = await made.get(JOB, job)
    reference = {"apiVersion": "batch/v1", "kind": "Job", "name": job, "uid": owner["metadata"]["uid"], "controller": True}
    template = owner["spec"]["template"]
    metadata = {"name": f"{job}-x", "namespace": TEAM, "labels": template["metadata"]["labels"], "ownerReferences": [reference]}
    pod = await made.cluster.create({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]})
    await made.cluster.update({**pod, "status": status}, subresource="status")
    await made.settle()


async def test_a_gateway_with_its_own_database_comes_up_in_order() -> None:
    async with world(instance(OWN_DATABASE)) as made:
        assert await made.names(SECRET) == ["gw-db", "gw-master-key"]
        assert await made.names(VOLUME_CLAIM) == ["gw-db"]
        assert await made.names(STATEFUL_SET) == ["gw-db"]
        assert await made.names(JOB) == [], "the database is not ready"
        assert await made.reason("DatabaseReady") == "False/DatabaseStarting"
        await made.kubelet.make_ready(STATEFUL_SET, TEAM, "gw-db")
        await made.settle()
        job = await job_of(made)
        assert await made.find(DEPLOYMENT) is None, "the schema is not migrated"
        assert await made.reason("DatabaseReady") == "False/MigrationRunning"
        assert await made.reason("RolloutComplete") == "False/Waiting"
        await made.kubelet.finish(JOB, TEAM, job)
        await made.settle()
        assert await made.find(DEPLOYMENT) is not None
        assert await made.reason("DatabaseReady") == "True/MigrationComplete"
        await made.run_pods()
        assert await made.reason() == "True/AllResourcesReady"
        assert await made.reason("RolloutComplete") == "True/RolledOut"


async def test_the_first_answer_wires_no_generated_secret_into_anything() -> None:
    async with world(secret("pg", url="postgresql://h/d"), instance(SPEC)) as made:
        first = made.syncs()[0][1]["children"]
        assert "Secret" in {child["kind"] for child in first}
        assert "Deployment" not in {child["kind"] for child in first}
        assert await made.find(DEPLOYMENT) is not None, "the stored Secret starts the next sync"


async def test_a_database_that_goes_down_later_takes_no_pod_away() -> None:
    async with world(instance(OWN_DATABASE)) as made:
        await made.run_pods()
        before = await made.get(DEPLOYMENT)
        await made.kubelet.make_ready(STATEFUL_SET, TEAM, "gw-db", ready=False)
        await made.settle()
        assert await made.reason("DatabaseReady") == "False/DatabaseStarting"
        assert template_of(await made.get(DEPLOYMENT)) == template_of(before)


async def test_an_upgrade_waits_for_its_migration_and_a_failed_one_stops_it() -> None:
    """Tag A is ready; the Job of tag B runs, then fails; the user goes on to tag C."""
    async with running(MIGRATED) as made:
        first = await job_of(made)
        await made.edit({"image": {"tag": "v1.81.0"}})
        second = next(name for name in await made.names(JOB) if name != first)
        assert await made.names(JOB) == sorted([first, second]), "the old one stays until the newer has finished"
        assert await made.image() == "v1.80.0"
        assert await made.reason("DatabaseReady") == "False/MigrationRunning"
        assert await made.reason("RolloutComplete") == "False/Waiting"
        await made.kubelet.finish(JOB, TEAM, second, succeeded=False)
        await made.settle()
        assert await made.image() == "v1.80.0"
        assert await made.reason("DatabaseReady") == "False/MigrationFailed"
        assert "BackoffLimitExceeded" in await made.message("DatabaseReady")
        assert await made.reason("RolloutComplete") == "False/Held"
        assert await made.reason() == "False/ReconcileError"
        assert (await made.status())["ready"] is True, "the pods of tag A serve"
        await made.edit({"image": {"tag": "v1.82.0"}})
        (third,) = set(await made.names(JOB)) - {first, second}
        assert await made.image() == "v1.80.0"
        await made.kubelet.finish(JOB, TEAM, third)
        await made.settle()
        assert await made.image() == "v1.82.0"
        assert await made.names(JOB) == [third], "old Jobs vanish after the newer finished"


async def test_the_configuration_stays_with_the_pods_that_read_it() -> None:
    async with running(MIGRATED) as made:
        before = await made.get(CONFIG_MAP, "gw-config")
        await made.edit({"image": {"tag": "v1.81.0"}, "routerSettings": {"numRetries": 7}})
        assert (await made.get(CONFIG_MAP, "gw-config"))["data"] == before["data"]
        await made.run_pods()
        assert "num_retries: 7" in (await made.get(CONFIG_MAP, "gw-config"))["data"]["proxy_server_config.yaml"]


async def test_everything_but_the_template_follows_the_spec_while_an_upgrade_waits() -> None:
    async with running(MIGRATED) as made:
        await made.edit({"image": {"tag": "v1.81.0"}, "replicas": 3})
        assert (await made.get(DEPLOYMENT))["spec"]["replicas"] == 3
        assert await made.image() == "v1.80.0"


async def test_a_finished_job_that_is_gone_is_not_run_again() -> None:
    async with running(MIGRATED) as made:
        await made.cluster.delete(JOB, TEAM, await job_of(made))
        await made.settle(300)
        assert await made.names(JOB) == []
        assert await made.reason("DatabaseReady") == "True/MigrationComplete"
        assert await made.reason() == "True/AllResourcesReady"


SWITCHED_OFF: dict[str, Any] = {"database": {"migration": {"enabled": False}}}
SWITCHED_ON: dict[str, Any] = {"database": {"migration": {"enabled": True}}}


@pytest.mark.parametrize(
    ("there", "back", "why"),
    [
        (ATTACHED, MANAGED, "the proxy was somebody else's for a while"),
        (SWITCHED_OFF, SWITCHED_ON, "no migration was asked for for a while"),
    ],
)
async def test_a_finished_migration_is_remembered_over_a_detour(there: dict[str, Any], back: dict[str, Any], why: str) -> None:
    async with running(MIGRATED) as made:
        await made.cluster.delete(JOB, TEAM, await job_of(made))
        await made.settle()
        await made.edit(there)
        await made.settle(120)
        await made.edit(back)
        assert await made.names(JOB) == [], why
        assert await made.reason("DatabaseReady") == "True/MigrationComplete"


async def test_a_migration_that_ends_as_it_is_switched_off_is_remembered() -> None:
    async with world(secret("pg", url="postgresql://h/d"), instance(MIGRATED)) as made:
        await made.cluster.merge_patch(INSTANCE, TEAM, "gw", {"spec": SWITCHED_OFF})
        await made.kubelet.finish(JOB, TEAM, await job_of(made))
        await made.settle()
        await made.edit(SWITCHED_ON)
        assert await made.names(JOB) == []
        assert await made.reason("DatabaseReady") == "True/MigrationComplete"


async def test_a_failed_job_is_not_repeated_until_it_is_deleted() -> None:
    async with world(secret("pg", url="postgresql://h/d"), instance(MIGRATED)) as made:
        failed = await job_of(made)
        await made.kubelet.finish(JOB, TEAM, failed, succeeded=False)
        await made.settle(600)
        assert (await made.get(JOB, failed))["status"]["failed"] == 1
        assert await made.find(DEPLOYMENT) is None
        await made.cluster.delete(JOB, TEAM, failed)
        await made.settle()
        assert await made.reason("DatabaseReady") == "False/MigrationRunning"


async def test_a_suspended_job_is_told_and_holds_the_pods() -> None:
    async with world(secret("pg", url="postgresql://h/d"), instance(MIGRATED)) as made:
        await made.cluster.merge_patch(JOB, TEAM, await job_of(made), {"spec": {"suspend": True}})
        await made.settle()
        assert await made.reason("DatabaseReady") == "False/MigrationSuspended"
        assert await made.find(DEPLOYMENT) is None


async def test_a_job_that_never_ends_has_a_deadline() -> None:
    async with world(secret("pg", url="postgresql://h/d"), instance(MIGRATED)) as made:
        assert (await made.get(JOB, await job_of(made)))["spec"]["activeDeadlineSeconds"] == 300


async def test_to_go_back_runs_no_earlier_migration_and_to_go_forward_again_runs_the_later_one() -> None:
    """An older image's migration has nothing to give a newer schema; a backup that was put back may need the newer one again."""
    async with running(MIGRATED) as made:
        for tag in ("v1.81.0", "v1.82.0"):
            await made.edit({"image": {"tag": tag}})
            await made.run_pods()
        (last,) = await made.names(JOB)
        for tag in ("v1.81.0", "v1.80.0"):
            await made.edit({"image": {"tag": tag}})
            assert await made.names(JOB) == [], "what finished goes with the image that it was for"
            assert await made.image() == tag
            assert await made.reason("DatabaseReady") == "True/MigrationComplete"
        assert set((await made.status())["migration"]) == {"finished"}
        await made.edit({"image": {"tag": "v1.82.0"}})
        assert await made.names(JOB) == [last]
        assert await made.image() == "v1.80.0"


async def test_what_is_remembered_of_migrations_is_bounded() -> None:
    async with running(MIGRATED) as made:
        for number in range(12):
            await made.edit({"image": {"tag": f"v2.{number}.0"}})
            await made.run_pods()
        assert len((await made.status())["migration"]["earlier"]) == 7
        await made.edit(ATTACHED)
        await made.edit(MANAGED)
        assert len((await made.status())["migration"]["earlier"]) == 7, "a detour forgets nothing"


async def test_another_placement_repeats_no_finished_migration() -> None:
    async with running(MIGRATED) as made:
        before = await job_of(made)
        await made.edit({"podScheduling": {"nodeSelector": {"disk": "ssd"}}})
        assert await made.names(JOB) == [before]
        assert template_of(await made.get(DEPLOYMENT))["spec"]["nodeSelector"] == {"disk": "ssd"}


async def test_back_to_the_image_that_runs_needs_no_migration() -> None:
    async with running(MIGRATED) as made:
        await made.edit({"image": {"tag": "v1.81.0"}})
        for name in await made.names(JOB):
            job = await made.get(JOB, name)
            if not job.get("status", {}).get("conditions"):
                await made.kubelet.finish(JOB, TEAM, name, succeeded=False)
        await made.edit({"image": {"tag": "v1.80.0"}})
        assert await made.reason("DatabaseReady") == "True/MigrationComplete"
        assert await made.reason() == "True/AllResourcesReady"
        assert len(await made.names(JOB)) == 1, "the failed one is gone"


@pytest.mark.parametrize(
    ("change", "told", "why"),
    [
        ({"image": {"tag": "v1.80.0"}}, "True/MigrationComplete", "what the schema was migrated for before is wanted again"),
        ({"database": {"migration": {"enabled": False}}}, "True/MigrationSkipped", "no Job is asked for any more"),
    ],
)
async def test_a_running_migration_is_never_broken_off(change: dict[str, Any], told: str, why: str) -> None:
    async with running(MIGRATED) as made:
        first = await job_of(made)
        await made.edit({"image": {"tag": "v1.81.0"}})
        (second,) = set(await made.names(JOB)) - {first}
        await made.edit({**change, "podScheduling": {"nodeSelector": {"disk": "ssd"}}})
        await made.settle(600)
        assert second in await made.names(JOB), why
        assert await made.reason("DatabaseReady") == "False/MigrationRunning"
        assert second in await made.message("DatabaseReady")
        assert "nodeSelector" not in template_of(await made.get(DEPLOYMENT))["spec"], "pods wait for what changes the schema"
        await made.kubelet.finish(JOB, TEAM, second)
        await made.settle()
        assert second not in await made.names(JOB), "it has ended"
        assert await made.reason("DatabaseReady") == told
        assert template_of(await made.get(DEPLOYMENT))["spec"]["nodeSelector"] == {"disk": "ssd"}


@pytest.mark.parametrize("succeeded", [True, False])
async def test_a_newer_migration_waits_for_the_end_of_an_older_one(succeeded: bool) -> None:
    async with running(MIGRATED) as made:
        first = await job_of(made)
        second = await upgrade(made, "v1.81.0")
        await made.edit({"image": {"tag": "v1.82.0"}})
        await made.settle(600)
        assert await made.names(JOB) == sorted([first, second]), "two at once would harm the schema"
        assert await made.reason("DatabaseReady") == "False/MigrationRunning"
        assert f"Job {second} of an earlier migration" in await made.message("DatabaseReady")
        assert second in await made.message("RolloutComplete")
        await made.kubelet.finish(JOB, TEAM, second, succeeded=succeeded)
        await made.settle()
        (third,) = set(await made.names(JOB)) - {first, second}
        assert await made.image() == "v1.80.0"
        await made.kubelet.finish(JOB, TEAM, third)
        await made.settle()
        assert await made.names(JOB) == [third]
        assert await made.image() == "v1.82.0"


FOREIGN = {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}}
PULLING = {"state": {"waiting": {"reason": "ImagePullBackOff", "message": "no such tag"}}, "restartCount": 0}
UNSCHEDULABLE = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "no node has disk=ssd"}
CREATING = {"state": {"waiting": {"reason": "ContainerCreating"}}, "restartCount": 0}
CRASHED = {
    "state": {"waiting": {"reason": "CrashLoopBackOff"}},
    "lastState": {"terminated": {"exitCode": 1}},
    "restartCount": 1,
}


@pytest.mark.parametrize(
    ("pod", "words"),
    [
        ({"containerStatuses": [PULLING]}, "ImagePullBackOff: no such tag"),
        ({"conditions": [UNSCHEDULABLE]}, "Unschedulable: no node has disk=ssd"),
    ],
)
async def test_a_migration_that_cannot_start_is_told_and_replaced_at_once_by_an_edit(pod: dict[str, Any], words: str) -> None:
    async with running(MIGRATED) as made:
        first = await job_of(made)
        second = await upgrade(made, "v1.81.0")
        await pod_of(made, second, phase="Pending", **pod)
        assert await made.reason("DatabaseReady") == "False/MigrationNotStarted"
        assert f"pod {second}-x: {words}" in await made.message("DatabaseReady")
        assert await made.reason("RolloutComplete") == "False/Held"
        assert await made.reason("PodsHealthy") == "True/AllPodsHealthy", "the proxy's pods are well"
        await made.settle(600)
        assert await made.reason() == "True/AllResourcesReady", "the pods of before serve"
        assert "what the spec asks of pods is held; the condition RolloutComplete says why" in await made.message("Ready")
        assert second in await made.names(JOB), "its image may come yet"
        await made.edit({"image": {"tag": "v1.82.0"}})
        (third,) = set(await made.names(JOB)) - {first}
        assert third != second
        await made.run_pods()
        assert await made.names(JOB) == [third]
        assert await made.image() == "v1.82.0"
        await made.settle(600)
        assert "held" not in await made.message("Ready")


@pytest.mark.parametrize(
    ("phase", "container", "why"),
    [
        ("Pending", CREATING, "it may start any moment"),
        ("Running", CRASHED, "it ran and is tried again"),
        ("Running", {"state": {"running": {}}, "restartCount": 0}, "it is at work"),
    ],
)
async def test_a_migration_that_may_have_begun_is_waited_for(phase: str, container: dict[str, Any], why: str) -> None:
    async with running(MIGRATED) as made:
        first = await job_of(made)
        second = await upgrade(made, "v1.81.0")
        await pod_of(made, second, phase=phase, containerStatuses=[container])
        await made.edit({"image": {"tag": "v1.82.0"}})
        assert await made.names(JOB) == sorted([first, second]), why
        assert await made.reason("DatabaseReady") == "False/MigrationRunning"


async def test_pods_wait_for_no_migration_that_cannot_start_once_nobody_wants_it() -> None:
    async with running(MIGRATED) as made:
        first = await job_of(made)
        second = await upgrade(made, "v1.81.0")
        await pod_of(made, second, phase="Pending", containerStatuses=[PULLING])
        await made.edit({"image": {"tag": "v1.80.0"}, "podScheduling": {"nodeSelector": {"disk": "ssd"}}})
        assert await made.names(JOB) == [first]
        assert template_of(await made.get(DEPLOYMENT))["spec"]["nodeSelector"] == {"disk": "ssd"}
        assert await made.reason("DatabaseReady") == "True/MigrationComplete"


async def test_a_pod_that_outlives_its_job_is_waited_for() -> None:
    async with running(MIGRATED) as made:
        first = await job_of(made)
        second = await upgrade(made, "v1.81.0")
        await pod_of(made, second, phase="Running", containerStatuses=[{"state": {"running": {}}}])
        await made.cluster.delete(JOB, TEAM, second, propagation=Propagation.ORPHAN)
        await made.settle()
        assert await made.names(JOB) == [first], "the same migration would run beside itself"
        assert f"Pod {second}-x" in await made.message("DatabaseReady")
        await made.cluster.delete(POD, TEAM, f"{second}-x")
        await made.settle()
        assert second in await made.names(JOB)


async def test_a_suspended_migration_is_not_left_to_begin_beside_a_newer_one() -> None:
    async with running(MIGRATED) as made:
        first = await job_of(made)
        second = await upgrade(made, "v1.81.0")
        await made.cluster.merge_patch(JOB, TEAM, second, {"spec": {"suspend": True}})
        await made.settle()
        await made.edit({"image": {"tag": "v1.82.0"}})
        third = (set(await made.names(JOB)) - {first}).pop()
        assert await made.names(JOB) == sorted([first, third])
        assert third != second


async def test_a_pod_that_outlives_the_end_of_its_job_is_waited_for() -> None:
    async with running(MIGRATED) as made:
        first = await job_of(made)
        second = await upgrade(made, "v1.81.0")
        await pod_of(made, second, phase="Running", containerStatuses=[{"state": {"running": {}}}])
        failed = {"conditions": [{"type": "Failed", "status": "True", "reason": "DeadlineExceeded"}]}
        await made.cluster.merge_patch(JOB, TEAM, second, {"status": failed}, subresource="status")
        await made.settle()
        await made.edit({"image": {"tag": "v1.82.0"}})
        assert set(await made.names(JOB)) == {first, second}, "two would be at work at once"
        assert f"Pod {second}-x" in await made.message("DatabaseReady")
        await made.cluster.delete(POD, TEAM, f"{second}-x")
        await made.settle()
        assert set(await made.names(JOB)) - {first, second}


def patch(kind: str, path: str, value: Any, **target: str) -> dict[str, Any]:
    return {"target": {"kind": kind, **target}, "patch": [{"op": "add", "path": path, "value": value}]}


IMAGE = "/spec/template/spec/containers/0/image"
COMMAND = "/spec/template/spec/containers/0/command"
LIMITS = "/spec/template/spec/containers/0/resources"


async def test_the_gate_looks_at_the_image_that_patches_put_into_the_pods() -> None:
    async with running(MIGRATED) as made:
        first = await job_of(made)
        await made.edit({"patches": [patch("Deployment", IMAGE, "registry.example.com/litellm:v1.81.0-ours")]})
        (second,) = set(await made.names(JOB)) - {first}
        assert await made.image() == "v1.80.0", "the schema is that of the old image"
        (container,) = (await made.get(JOB, second))["spec"]["template"]["spec"]["containers"]
        assert container["image"] == "registry.example.com/litellm:v1.81.0-ours"
        await made.run_pods()
        assert await made.image() == "v1.81.0-ours"
        assert await made.names(JOB) == [second]
        assert await made.reason("DatabaseReady") == "True/MigrationComplete"


async def test_the_separate_migrations_image_follows_a_patched_tag() -> None:
    separate = {"enabled": True, "useDatabaseImage": True}
    async with running({**MIGRATED, "database": {**SPEC["database"], "migration": separate}}) as made:
        first = await job_of(made)
        await made.edit({"patches": [patch("Deployment", IMAGE, "registry.example.com/litellm:v1.81.0")]})
        (second,) = set(await made.names(JOB)) - {first}
        (container,) = (await made.get(JOB, second))["spec"]["template"]["spec"]["containers"]
        assert container["image"].endswith("litellm-migrations:v1.81.0")


@pytest.mark.parametrize(
    ("patches", "again", "why"),
    [
        ([patch("Job", COMMAND, ["true"])], True, "it does something else"),
        ([patch("Job", LIMITS, {"limits": {"cpu": "1"}})], False, "it does the same with less"),
        ([patch("Deployment", LIMITS, {"limits": {"cpu": "1"}})], False, "nothing of the migration's"),
    ],
)
async def test_what_was_done_is_done_again_if_a_patch_changes_it(patches: list[Any], again: bool, why: str) -> None:
    async with running(MIGRATED) as made:
        before = await job_of(made)
        await made.edit({"patches": patches})
        assert (len(await made.names(JOB)) == 2) is again, why
        assert await made.reason("DatabaseReady") == ("False/MigrationRunning" if again else "True/MigrationComplete")
        assert await made.reason("SpecWarnings") == ""
        await made.run_pods()
        assert (await job_of(made) != before) is again


async def test_another_patch_of_a_job_that_failed_is_another_job() -> None:
    spec = {**MIGRATED, "patches": [patch("Job", LIMITS, {"limits": {"memory": "64Mi"}})]}
    async with world(secret("pg", url="postgresql://h/d"), instance(spec)) as made:
        failed = await job_of(made)
        await made.kubelet.finish(JOB, TEAM, failed, succeeded=False)
        await made.edit({"patches": [patch("Job", LIMITS, {"limits": {"memory": "1Gi"}})]})
        (second,) = set(await made.names(JOB)) - {failed}
        await made.run_pods()
        assert await made.names(JOB) == [second]
        assert await made.reason() == "True/AllResourcesReady"


async def test_a_patch_may_name_the_job_as_it_is_called_without_it() -> None:
    async with running(MIGRATED) as made:
        first = await job_of(made)
        await made.edit({"patches": [patch("Job", COMMAND, ["true"], name=first)]})
        (second,) = set(await made.names(JOB)) - {first}
        assert (await made.get(JOB, second))["spec"]["template"]["spec"]["containers"][0]["command"] == ["true"]
        assert await made.reason("SpecWarnings") == ""


@pytest.mark.parametrize("kind", ["Deployment", "Job"])
async def test_while_a_patch_fails_nothing_is_migrated(kind: str) -> None:
    async with running(MIGRATED) as made:
        before = await made.names(JOB)
        broken = {"target": {"kind": kind}, "patch": [{"op": "remove", "path": "/spec/nothing"}]}
        await made.edit({"image": {"tag": "v1.81.0"}, "patches": [broken]})
        assert await made.names(JOB) == before
        assert await made.image() == "v1.80.0"
        assert await made.reason("DatabaseReady") == "False/MigrationWaiting"
        assert await made.reason("ChildrenApplied") == "False/PatchFailed"


@pytest.mark.parametrize("patches", [[], [patch("Deployment", IMAGE, "i:v1.81.0")], [patch("Job", COMMAND, ["true"])]])
async def test_a_foreign_job_under_the_name_is_found_whatever_patches_make_of_it(patches: list[Any]) -> None:
    spec = {**MIGRATED, "patches": patches}
    async with world(secret("pg", url="postgresql://h/d"), instance(spec, "gw")) as made:
        name = await job_of(made)
        job = await made.get(JOB, name)
        await made.cluster.delete(INSTANCE, TEAM, "gw")
        await made.settle()
        metadata = {"name": name, "namespace": TEAM}
        await made.create({**{key: job[key] for key in ("apiVersion", "kind")}, "metadata": metadata, "spec": FOREIGN})
        await made.create(instance(spec, "gw"))
        assert await made.reason("ChildrenApplied") == "False/NameTaken"


@pytest.mark.parametrize("tag", ["latest", "main-stable"])
@pytest.mark.parametrize(
    ("database", "gate", "warning", "why"),
    [
        ({"migration": {"enabled": True}}, "False/MovingTag", "", "a new image behind the tag is not migrated for"),
        ({}, "", "True/SettingsQuestionable", "no gate to blind, and yet it is not noticed"),
    ],
)
async def test_a_moving_tag_is_told_once(tag: str, database: dict[str, Any], gate: str, warning: str, why: str) -> None:
    spec = {**SPEC, "image": {"tag": tag}, "database": {**SPEC["database"], **database}}
    async with world(secret("pg", url="postgresql://h/d"), instance(spec)) as made:
        assert await made.reason("UpgradesGated") == gate, why
        assert await made.reason("SpecWarnings") == warning, why


async def test_a_moving_tag_that_a_patch_pins_is_not_told() -> None:
    pinned = {**MIGRATED, "image": {"tag": "latest"}, "patches": [patch("Deployment", IMAGE, "i:v1.81.0")]}
    async with running(pinned) as made:
        assert await made.reason("UpgradesGated") == ""
        assert await made.reason("SpecWarnings") == ""


async def test_without_a_migration_nothing_waits() -> None:
    async with running() as made:
        assert await made.names(JOB) == []
        assert await made.reason("DatabaseReady") == "True/MigrationSkipped"
        await made.edit({"image": {"tag": "v1.81.0"}})
        assert await made.image() == "v1.81.0"
