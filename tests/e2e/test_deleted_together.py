"""A gateway that is deleted before what it has in LiteLLM: it runs on until LiteLLM was told."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from app.apis.litellm.budget import LITELLM_BUDGET
from app.apis.litellm.virtual_key import LITELLM_VIRTUAL_KEY
from app.resources.generated_secrets import MASTER_KEY
from app.resources.kinds import SECRET
from tests.e2e.driven import until
from tests.e2e.objects import condition, ready
from tests.e2e.world import INSTANCE

if TYPE_CHECKING:
    from tests.e2e.gateway import Gateway

ENTITIES = (LITELLM_BUDGET.resource, LITELLM_VIRTUAL_KEY.resource)


async def test_it_runs_on_while_the_proxy_does_not_answer_and_leaves_nothing_once_it_does(gateway: Gateway) -> None:
    await gateway.begin()
    await gateway.come_up()
    secret = await gateway.get(SECRET, "gw-master-key")
    gateway.proxy.fake.master_key = base64.b64decode(secret["data"][MASTER_KEY]).decode()
    for kind, spec in zip(ENTITIES, ({"maxBudget": 5}, {"keyAlias": "ci"}), strict=True):
        item = {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": {"name": "ci"}}
        await gateway.create({**item, "spec": {"instanceRef": {"name": "gw"}, **spec}})

    async def accepted() -> bool:
        return all([ready(await gateway.get(kind, "ci")) == ("True", "Synced") for kind in ENTITIES])

    await until(accepted, "not every object is in LiteLLM")
    before = await gateway.children()
    gateway.proxy.stop()
    for kind, name in ((INSTANCE, "gw"), *((kind, "ci") for kind in ENTITIES)):
        await gateway.user.delete(kind, gateway.namespace, name)

    async def held() -> bool:
        told = condition(await gateway.get(INSTANCE), "DeletionHeld").get("message", "")
        return told.startswith("LiteLLMBudget objects that name it are deleted in LiteLLM first")

    await until(held, "the instance does not say what it waits for")
    after = await gateway.children()
    assert after.keys() == before.keys()
    specs = [{name: item.get("spec", item.get("data")) for name, item in one.items()} for one in (before, after)]
    assert specs[0] == specs[1]

    gateway.proxy.start()

    async def gone() -> bool:
        found = [await gateway.find(kind, name) for kind, name in ((INSTANCE, "gw"), *((kind, "ci") for kind in ENTITIES))]
        return found == [None] * 3 and not await gateway.children()

    await until(gone, "the deletion does not end")
    left = {table: [*rows] for table, rows in gateway.proxy.fake.database.tables.items() if rows and table != "deleted keys"}
    assert left == {}
