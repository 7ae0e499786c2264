"""Upgrades of a managed gateway: pods wait for their migration, what fails stops there, and no outage of ours breaks it off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.resources.kinds import CONTROLLER_REVISION, JOB
from tests.e2e.driven import until
from tests.e2e.objects import condition, ready
from tests.e2e.world import INSTANCE

if TYPE_CHECKING:
    from tests.e2e.gateway import Gateway

FAILS_AT_ONCE = [{"target": {"kind": "Job"}, "patch": [{"op": "replace", "path": "/spec/backoffLimit", "value": 0}]}]


async def test_a_migration_that_fails_holds_the_pods_until_its_job_is_deleted_and_succeeds(gateway: Gateway) -> None:
    await gateway.begin(patches=FAILS_AT_ONCE)
    await gateway.come_up()
    (first,) = await gateway.jobs()
    await gateway.edit({"image": {"tag": "v1.81.0"}})
    await gateway.told("DatabaseReady", "MigrationRunning")
    (second,) = await gateway.jobs() - {first}
    assert await gateway.image() == "v1.80.0"

    await gateway.end_job(second, succeeded=False)
    await gateway.told("DatabaseReady", "MigrationFailed")
    await gateway.told("RolloutComplete", "Held")
    await gateway.driver.resyncs(3, "gw")
    item = await gateway.get(INSTANCE)
    assert ready(item) == ("False", "ReconcileError")
    assert item["status"]["ready"] is True, "the old pods serve"
    assert await gateway.image() == "v1.80.0"
    assert await gateway.jobs() == {first, second}

    await gateway.user.delete(JOB, gateway.namespace, second)
    await gateway.told("DatabaseReady", "MigrationRunning")
    await gateway.come_up()
    assert await gateway.image() == "v1.81.0"

    async def one_is_left() -> bool:
        return await gateway.jobs() == {second}

    await until(one_is_left, "the older Job stays though the newer has finished")
    await gateway.user.delete(JOB, gateway.namespace, second)
    await gateway.driver.resyncs(3, "gw")
    assert await gateway.jobs() == set(), "what has finished is not run again"


async def test_a_migration_that_never_ends_is_ended_and_another_image_goes_on(gateway: Gateway) -> None:
    await gateway.begin()
    await gateway.come_up()
    await gateway.edit({"image": {"tag": "v1.81.0"}, "database": {"migration": {"timeout": "3s"}}})
    await gateway.told("DatabaseReady", "MigrationFailed")
    assert "DeadlineExceeded" in condition(await gateway.get(INSTANCE), "DatabaseReady")["message"]
    assert await gateway.image() == "v1.80.0"
    await gateway.edit({"image": {"tag": "v1.82.0"}, "database": {"migration": {"timeout": "5m"}}})
    await gateway.told("DatabaseReady", "MigrationRunning")
    await gateway.come_up()
    assert await gateway.image() == "v1.82.0"
    assert len(await gateway.jobs()) == 1


async def test_pods_that_do_not_become_ready_are_rolled_back_until_the_spec_changes(gateway: Gateway) -> None:
    await gateway.begin(upgrade={"autoRollback": True, "maxSurge": 1, "maxUnavailable": 0, "healthCheckTimeout": "3s"})
    await gateway.come_up()
    await gateway.driver.resyncs(2, "gw")
    assert await gateway.user.list(CONTROLLER_REVISION, gateway.namespace), "the good template is kept"
    await gateway.edit({"image": {"tag": "v1.81.0"}})
    await gateway.told("DatabaseReady", "MigrationRunning")
    (running,) = await gateway.running_jobs()
    await gateway.end_job(running, succeeded=True)
    await until_image(gateway, "v1.81.0")
    await gateway.pods_fail("ImagePullBackOff")

    async def rolled_back() -> bool:
        return ready(await gateway.get(INSTANCE)) == ("False", "AutoRollback") and await gateway.image() == "v1.80.0"

    await until(rolled_back, "the new pods were not given up")
    await gateway.told("RolloutComplete", "RolledBack")
    await gateway.driver.resyncs(5, "gw")
    item = await gateway.get(INSTANCE)
    assert gateway.images_sent() == ["v1.80.0", "v1.81.0", "v1.80.0"], "it does not try the failed template again"
    assert (item["status"]["ready"], item["status"]["version"]) == (True, "v1.80.0")

    await gateway.edit({"image": {"tag": "v1.81.1"}})
    await gateway.come_up()
    assert await gateway.image() == "v1.81.1"
    assert "rollback" not in (await gateway.get(INSTANCE))["status"]


async def test_an_outage_in_the_middle_of_an_upgrade_neither_undoes_it_nor_does_it_twice(gateway: Gateway) -> None:
    await gateway.begin()
    await gateway.come_up()
    (first,) = await gateway.jobs()
    written = len(gateway.attempts())
    await gateway.edit({"image": {"tag": "v1.81.0"}})
    await gateway.told("DatabaseReady", "MigrationRunning")
    (second,) = await gateway.jobs() - {first}
    before = set(await gateway.children())
    with gateway.driver.service.outage():
        await gateway.end_job(second, succeeded=True)
        assert await gateway.image() == "v1.80.0"
    await until_image(gateway, "v1.81.0")
    with gateway.driver.service.outage():
        await gateway.run_pods()
        assert set(await gateway.children()) >= before - {f"Job/{first}"}
    await gateway.come_up()
    assert await gateway.image() == "v1.81.0"
    made = [entry for entry in gateway.written(written) if "jobs" in entry and not entry.startswith("delete")]
    assert len(made) == 1, "the migration ran once"


async def until_image(gateway: Gateway, tag: str) -> None:
    async def has_it() -> bool:
        return await gateway.image() == tag

    await until(has_it, f"the pod template never had {tag}")
