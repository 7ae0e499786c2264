"""Objects may arrive in any order: each waits for what it lacks and says so, and none is made twice or under an empty id."""

from __future__ import annotations

import asyncio
from itertools import permutations
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.unit.entities.examples import EXAMPLES, KINDS, put
from tests.unit.entities.world import KEY, World
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from collections.abc import Sequence

ENDPOINT = "http://litellm.platform.svc:4000"
MASTER_KEY = {"secretRef": {"name": "litellm-master-key", "key": "LITELLM_MASTER_KEY"}}

COMPANY: dict[str, tuple[str, dict[str, Any]]] = {
    "LiteLLMVirtualKey": ("ci", {"keyAlias": "ci", "teamRef": {"name": "eng"}, "userRef": {"name": "bob"}}),
    "LiteLLMUser": ("bob", {"userId": "bob", "teams": [{"teamRef": {"name": "eng"}}]}),
    "LiteLLMTeam": ("eng", {"teamAlias": "eng", "organizationRef": {"name": "acme"}}),
    "LiteLLMOrganization": ("acme", {"organizationAlias": "acme"}),
}
"""A key of a user in a team of an organization: by kind, the name and the spec."""

CREATES = {example.create: kind for kind, example in EXAMPLES.items()}

ROUNDS = 4
"""The longest chain of references, and one for the key: its value is stored before it is registered."""


def bare() -> World:
    """A namespace in which nothing has arrived."""
    world = World(endpoint=ENDPOINT)
    world.objects.clear()
    return world


def arrive_instance(world: World) -> None:
    """The instance, attached and ready."""
    workload = {"managed": False, "endpoint": ENDPOINT}
    world.instance(spec={"workload": workload, "masterKey": MASTER_KEY, "database": {}})


async def rounds(world: World, objects: Sequence[tuple[str, str]], most: int) -> int:
    """Resyncs of all objects in their order until all are in step; how many rounds that took. Fails after ``most``."""
    for number in range(1, most + 1):
        for kind, name in objects:
            await world.sync(kind, name)
        if all(world.condition(kind, name) == ("True", "Synced") for kind, name in objects):
            return number
        await asyncio.sleep(300)
    raise AssertionError({name: world.message(kind, name) for kind, name in objects})


def made(world: World) -> list[str]:
    """The kinds of what was made, one for each call that makes something."""
    return sorted(CREATES[call] for call in world.proxy.admin_calls if call in CREATES)


def sent_nothing_empty(world: World) -> bool:
    """Whether no call named an empty id, in its query or in its body."""
    queries = [part for call in world.proxy.calls for part in call.query.split("&") if part]
    bodies: list[dict[str, Any]] = [call.body for call in world.proxy.calls if call.body]
    values = [value for body in bodies for value in body.values()]
    return all(not part.endswith("=") for part in queries) and "" not in values and [""] not in values


@pytest.mark.parametrize("order", list(permutations(COMPANY)), ids=lambda order: "-".join(order).replace("LiteLLM", ""))
def test_a_company_arrives_before_its_gateway_does(order: tuple[str, ...]) -> None:
    async def scenario() -> None:
        world = bare()
        world.proxy.database.licensed = True
        for kind in order:
            name, spec = COMPANY[kind]
            world.entity(kind, name, **spec)
            await world.sync(kind, name)
            assert world.condition(kind, name) == ("False", "InstanceNotReady"), kind
            assert "LiteLLMInstance gw" in world.message(kind, name)
        world.secret("litellm-master-key", LITELLM_MASTER_KEY=KEY)
        assert world.proxy.calls == []
        assert not [one for kind, one in world.objects if kind == "Secret" and one != "litellm-master-key"]
        arrive_instance(world)
        objects = [(kind, COMPANY[kind][0]) for kind in order]
        assert await rounds(world, objects, ROUNDS + 1) <= ROUNDS + 1
        assert made(world) == sorted(COMPANY)
        assert sent_nothing_empty(world)
        assert len(world.rows("keys")) == 1
        (key,) = world.rows("keys").values()
        (team,) = world.rows("teams")
        assert (key["team_id"], key["user_id"]) == (team, "bob")
        assert "bob" in [one["user_id"] for one in world.rows("teams")[team]["members_with_roles"]]
        created = next(call for call in world.proxy.calls if call.path == "/user/new")
        assert created.body["auto_create_key"] is False

    run(scenario())


def test_whoever_waits_names_what_is_missing() -> None:
    async def scenario() -> None:
        world = bare()
        world.secret("litellm-master-key", LITELLM_MASTER_KEY=KEY)
        arrive_instance(world)
        said: dict[str, str] = {}
        for kind in ("LiteLLMVirtualKey", "LiteLLMTeam"):
            name, spec = COMPANY[kind]
            world.entity(kind, name, **spec)
            await world.sync(kind, name)
            assert world.condition(kind, name) == ("False", "ReferenceNotReady")
            said[kind] = world.message(kind, name)
        assert "LiteLLMTeam eng (spec.teamRef) does not exist" in said["LiteLLMVirtualKey"]
        assert "LiteLLMOrganization acme (spec.organizationRef) does not exist" in said["LiteLLMTeam"]
        await world.sync("LiteLLMVirtualKey", "ci")
        assert "LiteLLMTeam eng (spec.teamRef) is not in LiteLLM yet" in world.message("LiteLLMVirtualKey", "ci")
        assert made(world) == []

    run(scenario())


SHUFFLES = 12


def orders() -> list[tuple[str, ...]]:
    """All kinds: in the order in which each comes after what it refers to, the other way round, and shuffled."""
    found = [KINDS, KINDS[::-1]]
    for seed in range(SHUFFLES):
        shuffled = list(KINDS)
        Random(seed).shuffle(shuffled)
        found.append(tuple(shuffled))
    return found


@pytest.mark.parametrize("order", orders(), ids=["after", "before", *(f"shuffled-{seed}" for seed in range(SHUFFLES))])
def test_one_of_each_kind_comes_in_step_in_any_order(order: tuple[str, ...]) -> None:
    async def scenario() -> None:
        world = bare()
        for kind in order:
            await world.sync(kind, put(world, kind))
            assert world.condition(kind, EXAMPLES[kind].name)[0] == "False"
        assert world.proxy.calls == []
        world.secret("litellm-master-key", LITELLM_MASTER_KEY=KEY)
        arrive_instance(world)
        objects = [(kind, EXAMPLES[kind].name) for kind in order]
        await rounds(world, objects, ROUNDS + 1)
        assert sent_nothing_empty(world)
        # The limits of a customer are in a budget of its own.
        assert made(world) == sorted([*KINDS, "LiteLLMBudget"])
        world.forget_calls()
        await rounds(world, objects, 1)
        assert world.proxy.admin_calls == []

    run(scenario())


@pytest.mark.parametrize("master_key", [{}, {"autoGenerate": False}], ids=["nothing", "not wanted"])
def test_an_instance_that_names_no_master_key_is_told_with_what_to_set(master_key: dict[str, bool]) -> None:
    async def scenario() -> None:
        world = World()
        world.remove("Secret", "gw-master-key")
        world.instance(spec={"masterKey": master_key, "database": {}})
        world.entity("LiteLLMTeam", "eng", teamAlias="eng")
        await world.sync("LiteLLMTeam", "eng")
        assert world.condition("LiteLLMTeam", "eng") == ("False", "InstanceNotReady")
        assert "spec.masterKey.autoGenerate: true" in world.message("LiteLLMTeam", "eng")

    run(scenario())
