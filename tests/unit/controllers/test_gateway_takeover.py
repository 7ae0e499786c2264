"""A gateway that the Go operator made: its pods outlast the takeover, and are replaced when the user says so."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from app.controllers.rollout import TEMPLATE_DIGEST
from app.hooks.objects import CONTROLLER_UID
from app.resources.kinds import CONFIG_MAP, DEPLOYMENT, JOB
from tests.cases import go_operator
from tests.unit.controllers.gateway_world import ATTACHED, INSTANCE, MANAGED, TEAM, secret, template_of, world

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from app.hooks.objects import Object
    from tests.unit.controllers.gateway_world import World

AGREE = {"metadata": {"annotations": {"litellm.palena.ai/replace-pods": "true"}}}


@asynccontextmanager
async def taken_over(strategy: str = "dynamic-apply", change: Any = None, **spec: Any) -> AsyncGenerator[World]:
    """What that operator has left, after ``palena migrate`` and our first syncs; ``change`` is made to the Deployment before."""
    async with world(secret("pg", url="postgresql://h/d"), strategy=strategy) as made:
        owner = go_operator.instance(**spec)
        owner = await made.cluster.create({**owner, "metadata": {"name": "gw", "namespace": TEAM}})
        for child in go_operator.children(owner):
            if child["kind"] not in {"Job", "Ingress"}:
                child["metadata"]["labels"][CONTROLLER_UID] = owner["metadata"]["uid"]
                if child["kind"] == "Deployment" and change is not None:
                    change(child)
                await made.cluster.create(child)
        await made.kubelet.make_ready(DEPLOYMENT, TEAM, "gw")
        await made.settle(120)
        yield made


@pytest.mark.parametrize("strategy", ["dynamic-apply", "server-side-apply"])
async def test_pods_and_configuration_outlast_the_takeover_and_the_condition_says_what_is_held(strategy: str) -> None:
    async with taken_over(strategy) as made:
        deployment = await made.get(DEPLOYMENT)
        (left,) = [item for item in go_operator.children(await made.get(INSTANCE)) if item["kind"] == "Deployment"]
        assert deployment["spec"] == left["spec"]
        assert (await made.get(CONFIG_MAP, "gw-config"))["data"] == {"proxy_server_config.yaml": "model_list: []\n"}
        assert await made.reason() == "True/AllResourcesReady"
        assert await made.reason("RolloutComplete") == "False/Held"
        assert await made.reason("TemplateHeld") == "True/TakenOver"
        message = await made.message("TemplateHeld")
        assert "kubectl -n team annotate litellminstance gw litellm.palena.ai/replace-pods=true" in message
        assert "litellm.palena.ai/config-hash" in message
        assert (await made.status())["takeover"] == {"generation": 1}
        before = await made.versions()
        await made.settle(600)
        assert await made.versions() == before


async def replaced(made: World) -> bool:
    return TEMPLATE_DIGEST in (await made.get(DEPLOYMENT))["metadata"].get("annotations", {})


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        ({"spec": {"image": {"tag": "v1.82.0"}}}, "an upgrade"),
        ({"spec": {"replicas": 2}}, "any edit of the spec, as the condition says"),
        (AGREE, "no edit, but the word of the user"),
    ],
)
async def test_the_pods_are_replaced_once_the_user_agrees(edit: Object, why: str) -> None:
    async with taken_over() as made:
        assert not await replaced(made)
        await made.cluster.merge_patch(INSTANCE, TEAM, "gw", edit)
        await made.settle(120)
        assert await replaced(made), why
        await made.run_pods()
        assert await made.reason("TemplateHeld") == ""
        assert "takeover" not in await made.status(), "it is over, and never held again"
        assert await made.reason("RolloutComplete") == "True/RolledOut"


async def test_another_annotation_is_no_agreement() -> None:
    async with taken_over() as made:
        await made.cluster.merge_patch(INSTANCE, TEAM, "gw", {"metadata": {"annotations": {"team": "a"}}})
        await made.settle(120)
        assert not await replaced(made)


async def test_an_agreement_is_remembered_while_a_migration_is_waited_for() -> None:
    async with taken_over() as made:
        await made.edit({"image": {"tag": "v1.82.0"}, "database": {"migration": {"enabled": True}}})
        assert not await replaced(made)
        assert await made.reason("RolloutComplete") == "False/Waiting"
        assert len(await made.names(JOB)) == 1
        await made.settle(300)
        await made.run_pods()
        assert await made.image() == "v1.82.0"


async def test_a_detour_over_attachment_is_an_edit_like_any_other() -> None:
    async with taken_over() as made:
        await made.edit(ATTACHED)
        assert (await made.status())["takeover"] == {"generation": 1}
        assert not await replaced(made)
        await made.edit(MANAGED)
        assert await replaced(made)


async def test_attached_first_the_pods_are_held_when_the_proxy_becomes_ours() -> None:
    async with taken_over(**ATTACHED) as made:
        assert "takeover" not in await made.status()
        await made.edit({**MANAGED, "masterKey": {"autoGenerate": True, "secretRef": None}})
        await made.settle(120)
        assert not await replaced(made)
        assert await made.reason("TemplateHeld") == "True/TakenOver"


async def test_a_template_that_is_the_same_already_is_not_held() -> None:
    wanted: list[Object] = []
    async with taken_over() as made:
        await made.cluster.merge_patch(INSTANCE, TEAM, "gw", AGREE)
        await made.settle()
        wanted.append(template_of(await made.get(DEPLOYMENT)))

    def same(deployment: Object) -> None:
        deployment["spec"]["template"] = wanted[0]

    async with taken_over(change=same) as made:
        assert await made.reason("TemplateHeld") == ""
        assert template_of(await made.get(DEPLOYMENT)) == wanted[0]
        await made.run_pods()
        assert await made.reason("RolloutComplete") == "True/RolledOut"


async def test_our_own_deployment_is_never_taken_over() -> None:
    async with taken_over() as made:
        await made.cluster.delete(DEPLOYMENT, TEAM, "gw")
        await made.settle()
        assert await replaced(made), "it is made anew, by us"
        assert await made.reason("TemplateHeld") == ""
