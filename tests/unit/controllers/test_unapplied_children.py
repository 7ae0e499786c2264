"""Children that the API server does not take, for reasons that no schema foresees: the user is told after a minute."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from app.controllers.unapplied import Unapplied
from app.resources.kinds import DEPLOYMENT, SECRET, SERVICE
from tests.unit.controllers.gateway_world import INSTANCE, SPEC, TEAM, World, instance, running, secret, template_of, world
from tests.unit.controllers.test_gateway_life import FULL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.hooks.objects import Object

STRATEGIES = pytest.mark.parametrize("strategy", ["dynamic-apply", "server-side-apply"])


@contextmanager
def denied(made: World, kind: str) -> Iterator[None]:
    """A policy that lets nobody write objects of the kind."""

    def webhook(item: Object) -> str:
        return f"no {kind} today" if item["kind"] == kind else ""

    made.cluster.server.webhooks.append(webhook)
    try:
        yield
    finally:
        made.cluster.server.webhooks.remove(webhook)


@STRATEGIES
async def test_a_child_that_is_denied_is_told_after_a_minute_and_no_longer_once_it_is_let_in(strategy: str) -> None:
    async with world(secret("pg", url="postgresql://h/d"), strategy=strategy) as made:
        with denied(made, "Service"):
            await made.create(instance(SPEC))
            assert await made.reason("ChildrenApplied") == "", "it may take a while"
            await made.settle(700)
            assert await made.reason("ChildrenApplied") == "False/ChildNotApplied"
            assert (await made.message("ChildrenApplied")).startswith("Service gw was answered and is not applied")
            assert await made.reason() == "False/ReconcileError"
        await made.settle(1200)
        assert await made.find(SERVICE) is not None
        assert await made.reason("ChildrenApplied") == ""


@STRATEGIES
async def test_a_generated_secret_that_is_denied_is_told_though_each_answer_has_another_value(strategy: str) -> None:
    async with world(secret("pg", url="postgresql://h/d"), strategy=strategy) as made:
        with denied(made, "Secret"):
            await made.create(instance(SPEC))
            await made.settle(700)
            assert (await made.message("ChildrenApplied")).startswith("Secret gw-master-key was answered and is not applied")
        await made.settle(1200)
        assert await made.find(SECRET, "gw-master-key") is not None
        assert await made.reason("ChildrenApplied") == ""


@STRATEGIES
async def test_an_update_that_is_denied_is_told_and_the_others_go_on(strategy: str) -> None:
    async with running(strategy=strategy) as made:
        with denied(made, "Deployment"):
            await made.edit({"image": {"tag": "v1.81.0"}, "service": {"port": 5000}})
            await made.settle(700)
            assert (await made.message("ChildrenApplied")).startswith("Deployment gw was answered and is not applied")
            assert (await made.get(SERVICE))["spec"]["ports"][0]["port"] == 5000
            assert await made.image() == "v1.80.0"
        await made.settle(1200)
        assert await made.image() == "v1.81.0"
        assert await made.reason("ChildrenApplied") == ""


async def test_an_edit_that_takes_the_denied_change_back_ends_it() -> None:
    async with running() as made:
        with denied(made, "Deployment"):
            await made.edit({"image": {"tag": "v1.81.0"}})
            await made.settle(700)
            assert await made.reason("ChildrenApplied") == "False/ChildNotApplied"
            await made.edit({"image": {"tag": "v1.80.0"}})
            assert await made.reason("ChildrenApplied") == ""


@STRATEGIES
@pytest.mark.parametrize("spec", [SPEC, FULL], ids=["small", "full"])
async def test_nothing_of_a_gateway_at_rest_is_taken_for_lacking(spec: Object, strategy: str) -> None:
    async with running(spec, strategy=strategy) as made:
        await made.settle(3600)
        assert await made.reason("ChildrenApplied") == ""
        assert (await made.get(DEPLOYMENT))["metadata"]["name"] == "gw"


@contextmanager
def rewritten(made: World, kind: str, change: Callable[[Object], None]) -> Iterator[None]:
    """A policy that writes something else into objects of the kind."""

    def webhook(item: Object) -> str:
        if item["kind"] == kind:
            change(item)
        return ""

    made.cluster.server.webhooks.append(webhook)
    try:
        yield
    finally:
        made.cluster.server.webhooks.remove(webhook)


def mirrored(deployment: Object) -> None:
    container = template_of(deployment)["spec"]["containers"][0]
    container["image"] = container["image"].replace("ghcr.io", "mirror.example.com")


def opened(service: Object) -> None:
    service["spec"]["type"] = "NodePort"


@STRATEGIES
async def test_pods_that_a_policy_rewrites_were_applied_all_the_same(strategy: str) -> None:
    async with running(strategy=strategy) as made:
        with rewritten(made, "Deployment", mirrored):
            await made.edit({"image": {"tag": "v1.81.0"}})
            await made.run_pods()
            await made.settle(700)
            assert template_of(await made.get(DEPLOYMENT))["spec"]["containers"][0]["image"].startswith("mirror.example.com/")
            assert await made.reason("ChildrenApplied") == ""
            assert await made.reason() == "True/AllResourcesReady"
            before = await made.versions()
            await made.settle(20 * 70)
            assert await made.versions() == before
        with denied(made, "Deployment"):
            await made.edit({"image": {"tag": "v1.82.0"}})
            await made.settle(700)
            assert await made.reason("ChildrenApplied") == "False/ChildNotApplied"


async def test_another_field_that_a_policy_rewrites_is_named_and_nothing_is_written_on_and_on() -> None:
    async with running(strategy="server-side-apply") as made:
        with rewritten(made, "Service", opened):
            await made.edit({"service": {"port": 5000}})
            await made.settle(700)
            assert await made.reason("ChildrenApplied") == "False/ChildNotApplied"
            assert "; Service gw differs in spec.type" in await made.message("ChildrenApplied")
            before = await made.versions()
            await made.settle(20 * 70)
            assert await made.versions() == before


def scaled_and_mirrored(deployment: Object) -> None:
    mirrored(deployment)
    deployment["spec"]["replicas"] = 5


async def test_what_counts_as_applied_is_not_named_beside_what_does_not() -> None:
    async with running(strategy="server-side-apply") as made:
        with rewritten(made, "Deployment", scaled_and_mirrored):
            await made.edit({"image": {"tag": "v1.81.0"}})
            await made.settle(700)
            message = await made.message("ChildrenApplied")
            assert message.partition("; Deployment gw differs in ")[2].startswith("spec.replicas (see ")


async def test_what_was_told_is_told_on_when_the_service_has_forgotten_since_when() -> None:
    memory = Unapplied(limit=1)
    async with running(unapplied=memory) as made:
        with denied(made, "Deployment"):
            await made.edit({"image": {"tag": "v1.81.0"}})
            await made.settle(700)
            before = await made.condition("ChildrenApplied")
            assert before["reason"] == "ChildNotApplied"
            memory.note("another instance", made.clock.now(), {})
            await made.cluster.merge_patch(INSTANCE, TEAM, "gw", {"metadata": {"labels": {"any": "event"}}})
            await made.settle(0)
            assert await made.condition("ChildrenApplied") == before
