"""A virtual key's Secret as the cluster has it, where the request lacks it or its value: looked at before a value is made up."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

from app.kube.reader import LIVE, NoReader
from app.litellm.entities.virtual_key import token_of
from tests.unit.entities.test_virtual_keys import KIND, SECRET, keys, put, settled, value, wish
from tests.unit.entities.world import LAST_APPLIED, World
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from app.hooks.objects import Object


def live(world: World, stored: Object) -> None:
    """The cluster has the key's Secret like this, whatever requests show."""

    async def secret(namespace: str, name: str, *, version: str = "") -> Object | None:
        if name != SECRET:
            return world.objects.get(("Secret", name))
        assert version == LIVE, "what is remembered would be no better than the cache"
        return stored

    world.context.reader.secret = secret  # type: ignore[method-assign]


def seen_live_alone(world: World) -> None:
    """The key's Secret is in the cluster, and no request shows it."""
    live(world, world.objects.pop(("Secret", SECRET)))


def emptied(world: World) -> None:
    """Requests show the Secret without a value, and nothing tells what was there, as under server-side apply."""
    put(world, api_key="", dashed="")
    del world.objects["Secret", SECRET]["metadata"]["annotations"][LAST_APPLIED]


def test_a_secret_that_is_there_and_that_no_watch_shows_is_not_taken_for_lost() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world)
        made = value(world)
        seen_live_alone(world)
        await world.sync(KIND, "app")
        assert list(keys(world)) == [token_of(made)]
        assert value(world) == made, "what is answered is what is there"

    run(scenario())


def test_no_second_value_is_made_up_for_a_new_key_whose_secret_the_request_lacks_yet() -> None:
    async def scenario() -> None:
        world = World()
        wish(world)
        await world.sync(KIND, "app")
        made = value(world)
        seen_live_alone(world)
        await world.sync(KIND, "app")
        assert value(world) == made
        assert list(keys(world)) == [token_of(made)]

    run(scenario())


def test_somebody_elses_secret_that_no_watch_shows_yet_is_told() -> None:
    async def scenario() -> None:
        world = World()
        world.secret(SECRET, password="mine")
        seen_live_alone(world)
        wish(world)
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("False", "KeySecretNameTaken")
        assert world.answers[-1]["children"] == []

    run(scenario())


def test_a_registered_value_in_somebody_elses_secret_that_no_watch_shows_yet_is_told_where_it_is() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world)
        made = value(world)
        world.remove("Secret", SECRET)
        world.secret(SECRET, api_key=made)
        seen_live_alone(world)
        status = await world.sync(KIND, "app")
        assert status["keySecretRef"] == {"name": SECRET, "key": "api_key"}
        assert list(keys(world)) == [token_of(made)]

    run(scenario())


def test_no_value_is_made_up_for_a_new_key_before_the_cluster_answers() -> None:
    async def scenario() -> None:
        world = World()
        wish(world)
        world.unreadable.add(SECRET)
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("False", "SecretFetchFailed")
        assert "no value is made up" in world.message(KIND, "app")
        assert world.answers[-1]["children"] == []

    run(scenario())


def test_without_a_cluster_to_read_from_a_key_is_made() -> None:
    async def scenario() -> None:
        world = World()
        world.context.reader.secret = NoReader().secret  # type: ignore[method-assign]
        wish(world)
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("False", "KeyPending")
        assert value(world)

    run(scenario())


def test_a_cluster_that_does_not_answer_costs_no_key() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world)
        made = value(world)
        hidden = world.objects.pop(("Secret", SECRET))
        world.unreadable.add(SECRET)
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("False", "SecretFetchFailed")
        assert world.answers[-1]["children"] == []
        world.objects["Secret", SECRET] = hidden
        await world.sync(KIND, "app")
        assert list(keys(world)) == [token_of(made)]
        assert world.condition(KIND, "app") == ("True", "Synced")

    run(scenario())


def test_a_value_that_is_back_already_counts_where_the_request_shows_none() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world)
        made = value(world)
        live(world, deepcopy(world.objects["Secret", SECRET]))
        emptied(world)
        await world.sync(KIND, "app")
        assert value(world) == made
        assert list(keys(world)) == [token_of(made)]

    run(scenario())


def test_somebody_elses_secret_counts_as_such_though_the_request_shows_ours() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world)
        stored = deepcopy(world.objects["Secret", SECRET])
        stored["metadata"]["ownerReferences"] = [{"uid": "another", "controller": True}]
        stored["data"] = {"password": "eA=="}
        live(world, stored)
        emptied(world)
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("False", "KeySecretNameTaken")

    run(scenario())


def test_a_secret_with_the_registered_value_that_is_somebody_elses_by_now_is_not_deleted() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world)
        stored = deepcopy(world.objects["Secret", SECRET])
        stored["metadata"]["ownerReferences"] = [{"uid": "another", "controller": True}]
        live(world, stored)
        emptied(world)
        await world.sync(KIND, "app")
        assert [child["metadata"]["name"] for child in world.answers[-1]["children"]] == [SECRET]
        assert world.condition(KIND, "app") == ("False", "KeySecretNameTaken")

    run(scenario())


def test_no_value_is_made_up_for_an_emptied_secret_before_the_cluster_answers() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world)
        emptied(world)
        world.unreadable.add(SECRET)
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("False", "SecretFetchFailed")
        (child,) = world.answers[-1]["children"]
        assert not any(child.get("data", {}).values())

    run(scenario())


def test_no_value_is_made_up_where_the_sync_ends_before_anybody_looked() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world)
        emptied(world)
        world.instance(ready=False)
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app")[0] == "False"
        (child,) = world.answers[-1]["children"]
        assert not any(child.get("data", {}).values())

    run(scenario())
