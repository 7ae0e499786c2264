"""``palena migrate`` and what lives in LiteLLM: objects keep their rows, keys their values, and deletion ends again."""

from __future__ import annotations

import copy
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import httpx2
import pytest

from app.cli.migrate import carry_out, look
from app.cli.migration_plan import Found, plan
from app.hooks.objects import CONTROLLER_UID, reference
from app.resources.kinds import SECRET
from tests.cases import go_operator
from tests.unit.sim.scene import ATTACHED, INSTANCE, Scene, placed, scene

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from app.hooks.objects import Object

ENTITIES = go_operator.entities()


def stored(name: str) -> Object:
    item = copy.deepcopy(ENTITIES[name])
    item["metadata"] |= {"namespace": "ai", "uid": f"uid-{name}", "resourceVersion": "7"}
    return item


def test_the_secret_of_a_key_gets_the_label_before_the_key_loses_the_finalizer() -> None:
    owner = stored("ci")
    secret, key = plan(Found(instances=[], entities=[owner], children=[go_operator.key_secret(owner)])).steps
    assert secret.patch["metadata"]["labels"] == {CONTROLLER_UID: "uid-ci"}
    assert key.patch["metadata"] == {"uid": "uid-ci", "resourceVersion": "7", "finalizers": []}


def test_every_kind_loses_the_finalizer_and_nothing_else() -> None:
    wanted = plan(Found(instances=[], entities=[stored(name) for name in ENTITIES], children=[]))
    assert [reference(step.item) for step in wanted.steps] == [
        "LiteLLMVirtualKey ai/ci",
        "LiteLLMModel ai/flash",
        "LiteLLMUser ai/bob",
    ]
    assert all(step.patch["metadata"].keys() == {"uid", "resourceVersion", "finalizers"} for step in wanted.steps)


def test_what_an_entity_owns_and_ours_would_not_is_left() -> None:
    owner = stored("flash")
    (left,) = plan(Found(instances=[], entities=[owner], children=[go_operator.key_secret(owner)])).left
    assert "Palena's LiteLLMModel owns no such thing" in left.why


def test_of_one_that_is_being_deleted_it_is_said_that_it_stays_in_litellm() -> None:
    owner = stored("flash")
    owner["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    (step,) = plan(Found(instances=[], entities=[owner], children=[])).steps
    assert "whatever it is in LiteLLM stays there; only the Go operator would still delete that" in step.why


@pytest.mark.parametrize(
    "children", [[{"apiVersion": "v1", "resource": "secrets"}], []], ids=["it owns Secrets", "it owns nothing"]
)
def test_a_controller_of_ours_that_takes_owners_away_has_to_go_first(children: list[Object]) -> None:
    installed: Object = {"metadata": {"name": "litellmvirtualkeys"}, "spec": {"childResources": children}}
    obstacles = plan(Found(instances=[], entities=[stored("ci")], children=[], controllers=[installed])).obstacles
    assert ["delete compositecontroller litellmvirtualkeys" in one for one in obstacles] == ([True] if children else [])


@asynccontextmanager
async def left_by_the_go_operator() -> AsyncGenerator[Scene]:
    """Its objects in the cluster, and their rows in LiteLLM, which carry no mark."""
    async with scene() as made:
        cluster = made.simulation.cluster
        await made.simulation.apply([placed(*INSTANCE, spec=ATTACHED)])
        headers = {"Authorization": f"Bearer {made.proxy.master_key}"}
        transport = httpx2.ASGITransport(app=made.proxy)
        async with httpx2.AsyncClient(transport=transport, base_url="http://gw", headers=headers) as litellm:
            for path, body in go_operator.rows().items():
                (await litellm.post(path, json=body)).raise_for_status()
        for name, item in ENTITIES.items():
            owner = await cluster.create({**item, "metadata": {**item["metadata"], "namespace": "ai"}})
            owner = await cluster.update({**owner, "status": go_operator.status(name)}, subresource="status")
            if name == "ci":
                await cluster.create(go_operator.key_secret(owner))
        made.proxy.calls.clear()
        yield made


async def test_after_the_move_every_object_has_its_row_and_the_key_its_value() -> None:
    async with left_by_the_go_operator() as made:
        rows = made.rows()
        await carry_out(plan(await look(made.simulation.cluster)), made.simulation.cluster)
        await made.settle()
        for item in ENTITIES.values():
            ready = made.condition(item["kind"], item["metadata"]["name"], "Ready")
            assert (ready["status"], ready["reason"]) == ("True", "Synced"), ready["message"]
        assert made.rows() == rows
        made_or_ended = [
            call for call in made.proxy.admin_calls if call.rpartition("/")[2] in ("new", "generate", "regenerate", "delete")
        ]
        assert made_or_ended == []
        secret = await made.simulation.cluster.get(SECRET, "ai", "ci-key")
        assert secret["data"]["api_key"] == secret["data"]["api-key"] == go_operator.key_secret(stored("ci"))["data"]["api_key"]
        assert made.condition("LiteLLMVirtualKey", "ci", "KeySecretOwned") == {}


async def test_after_the_move_deletion_ends_and_what_was_adopted_stays_in_litellm() -> None:
    async with left_by_the_go_operator() as made:
        await carry_out(plan(await look(made.simulation.cluster)), made.simulation.cluster)
        await made.settle()
        await made.delete([INSTANCE, *((item["kind"], name) for name, item in ENTITIES.items())])
        assert await made.gone() < 30
        assert made.rows() == {"users": ["bob"]}
        assert made.there() == {("Secret", "master-key"), ("Secret", "provider")}


async def test_without_the_move_no_key_changes_either_but_its_secret_is_not_owned() -> None:
    async with left_by_the_go_operator() as made:
        await made.settle()
        assert made.condition("LiteLLMVirtualKey", "ci", "Ready")["status"] == "True"
        assert made.condition("LiteLLMVirtualKey", "ci", "KeySecretOwned")["status"] == "False"
        assert not {"POST /key/generate", "POST /key/delete"} & {*made.proxy.admin_calls}
        for kind, name in (("LiteLLMVirtualKey", "ci"), ("LiteLLMUser", "bob")):
            told = made.condition(kind, name, "StaleFinalizer")["message"]
            assert f"kubectl -n ai patch {kind.lower()} {name} --type=json" in told
