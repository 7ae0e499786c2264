"""An instance with config sync on: what it counts, what it prunes, and what it never touches."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from app.kube.reader import ReadFailed
from app.litellm.snapshot import LISTED
from app.sim.fake_litellm import Fault
from app.status.instance.words import LONGEST_LIST
from tests.unit.entities.world import URL, World, WorldReader
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from app.hooks.objects import Object

INSTANCE = ("LiteLLMInstance", "gw")
TEAM = "LiteLLMTeam"
MODEL = "LiteLLMModel"
KEY = "LiteLLMVirtualKey"


def attached(**config_sync: Any) -> World:
    world = World(endpoint=URL)
    instance = world.objects[INSTANCE]
    world.instance(spec=instance["spec"] | {"configSync": {"enabled": True, **config_sync}})
    return world


async def later(world: World, seconds: float = 31) -> Object:
    """The instance's next sync, by its timer; what the status tells of config sync."""
    await asyncio.sleep(seconds)
    return (await world.sync(*INSTANCE)).get("configSync", {})


async def team(world: World, name: str) -> str:
    """A team with a custom resource; its id in LiteLLM."""
    world.entity(TEAM, name, teamAlias=name, memberManagement="sso")
    return str((await world.sync(TEAM, name))["litellmTeamId"])


async def model(world: World, name: str) -> str:
    """The same for a model."""
    world.entity(MODEL, name, modelName=name, litellmParams={"model": "openai/gpt-4o"})
    return str((await world.sync(MODEL, name))["litellmModelId"])


def foreign_model(world: World, name: str, **info: Any) -> None:
    """A model that was made at the proxy."""
    world.rows("models")[name] = {
        "model_name": name,
        "litellm_params": {"model": "openai/gpt-4o"},
        "model_info": {"id": name, "db_model": True, **info},
    }


def foreign_key(world: World, token: str, row: Object, **fields: Any) -> None:
    world.rows("keys")[token] = {**row, "metadata": {}, "key_alias": None, **fields}


def marked(owner: str, *, adopted: bool = False) -> Object:
    return {"palena.ai/owner": {"owner": owner, "uid": "u", "fields": [], "adopted": adopted}}


def test_what_custom_resources_have_and_what_only_the_proxy_has_is_counted() -> None:
    async def scenario() -> None:
        world = attached()
        await team(world, "red")
        await model(world, "chat")
        world.rows("teams")["by-hand"] = {**next(iter(world.rows("teams").values())), "team_id": "by-hand", "metadata": {}}
        foreign_model(world, "by-hand")
        told = await later(world)
        assert {name: told[name] for name in ("syncedTeams", "unmanagedTeams", "syncedModels", "unmanagedModels")} == {
            "syncedTeams": 1,
            "unmanagedTeams": 1,
            "syncedModels": 1,
            "unmanagedModels": 1,
        }
        assert world.condition(*INSTANCE, "ConfigSynced") == ("True", "SyncCompleted")
        assert "2 managed, 2 unmanaged" in world.message(*INSTANCE, "ConfigSynced")
        assert 30 <= world.comes_back_in <= 33
        assert await later(world) == told, "the time moves with what is told, and with nothing else"
        assert world.rows("models").keys() >= {"by-hand"}, "nothing is pruned that nobody wants pruned"

    run(scenario())


def test_without_config_sync_nothing_is_listed_or_told() -> None:
    async def scenario() -> None:
        world = World(endpoint=URL)
        assert await later(world) == {}
        assert world.condition(*INSTANCE, "ConfigSynced") == ("", "")
        assert world.proxy.admin_calls == []

    run(scenario())


def test_switching_it_off_takes_away_all_that_it_told() -> None:
    async def scenario() -> None:
        world = attached()
        assert await later(world)
        world.instance(spec=world.objects[INSTANCE]["spec"] | {"configSync": {"enabled": False}})
        assert await later(world) == {}
        assert world.condition(*INSTANCE, "ConfigSynced") == ("", "")

    run(scenario())


def test_pruning_takes_what_is_ours_and_was_left_and_models_and_keys_that_nobody_claims() -> None:
    async def scenario() -> None:
        world = attached(unmanagedResourcePolicy="prune")
        kept = await model(world, "chat")
        gone = await team(world, "red")
        world.remove(TEAM, "red")
        world.entity(KEY, "app", keyAlias="app")
        for _ in range(2):
            await world.sync(KEY, "app")
        token, row = next(iter(world.rows("keys").items()))
        foreign_model(world, "by-hand")
        foreign_key(world, "f" * 64, row, key_alias="forgotten")
        told = await later(world)
        assert gone not in world.rows("teams")
        assert world.rows("models").keys() == {kept}
        assert world.rows("keys").keys() == {token}
        assert "pruned" in world.message(*INSTANCE, "ConfigSynced")
        assert sorted(world.changes) == [(MODEL, "pruned"), (TEAM, "pruned"), (KEY, "pruned")]
        assert "syncErrors" not in told
        again = await later(world)
        assert again["unmanagedModels"] == again["unmanagedKeys"] == again["unmanagedTeams"] == 0

    run(scenario())


@pytest.mark.parametrize(
    ("table", "row", "why"),
    [
        ("teams", {"metadata": {}}, "teams come to be by single sign-on and by hand, and have keys and spend"),
        ("teams", {"metadata": marked("south/team/red")}, "another cluster's"),
        ("teams", {"metadata": marked("north/other/red")}, "of another namespace, whose instance has the same proxy"),
        ("teams", {"metadata": marked("north/team/red", adopted=True)}, "it was there before us"),
        ("teams", {"metadata": marked("north/team/../x")}, "no object has such a name: we have not written that"),
        ("users", {"user_id": "default_user_id", "metadata": {}}, "LiteLLM's own"),
        ("users", {"metadata": {}}, "users come to be by single sign-on"),
        ("customers", {"user_id": "x"}, "requests make customers"),
        ("budgets", {"budget_id": "x"}, "LiteLLM makes budgets of its own"),
        ("keys", {"metadata": {}, "team_id": "litellm-dashboard"}, "the session of somebody who is signed in"),
        ("keys", {"metadata": marked("south/team/app")}, "another cluster's"),
        ("models", {"model_info": {"id": "x", "db_model": False}}, "of the configuration file"),
        ("models", {"model_info": {"id": "x", "db_model": True, "team_id": "t"}}, "a team's members made it"),
        ("models", {"model_info": {"id": "x", "db_model": True, **marked("south/team/x")}}, "another cluster's"),
    ],
)
def test_pruning_spares(table: str, row: Object, why: str) -> None:
    async def scenario() -> None:
        world = attached(unmanagedResourcePolicy="prune")
        blank: dict[str, Object] = {
            "teams": {"team_id": "x", "team_alias": "x"},
            "users": {"user_id": "x", "user_email": None},
            "keys": {"key_alias": None},
            "models": {"model_name": "x", "litellm_params": {}},
            "customers": {"budget_id": None},
        }
        name = str(row.get("user_id", "x"))
        world.rows(table)[name] = {**blank.get(table, {}), **row}
        await later(world)
        assert name in world.rows(table), why
        assert world.condition(*INSTANCE, "ConfigSynced") == ("True", "SyncCompleted")

    run(scenario())


def test_pruning_spares_what_a_custom_resource_would_adopt() -> None:
    async def scenario() -> None:
        world = attached(unmanagedResourcePolicy="prune")
        await model(world, "first")
        world.rows("models")["9"] = {**next(iter(world.rows("models").values())), "model_info": {"id": "9", "db_model": True}}
        world.entity(MODEL, "nine", modelName="nine", litellmParams={"model": "openai/gpt-4o"})
        world.objects[MODEL, "nine"]["status"] = {"litellmModelId": "9"}
        world.entity(KEY, "app", keyAlias="app")
        foreign_key(world, "a" * 64, {"spend": 0.0}, key_alias="app")
        told = await later(world)
        assert told["unmanagedModels"] == told["unmanagedKeys"] == 0
        assert "9" in world.rows("models"), "its id is in a status, as the Go operator leaves it"
        assert "a" * 64 in world.rows("keys"), "its alias is in a spec"

    run(scenario())


def test_an_heir_of_a_key_is_its_owners_whatever_its_alias_and_hash() -> None:
    async def scenario() -> None:
        world = attached(unmanagedResourcePolicy="prune")
        world.entity(KEY, "app", keyAlias="app")
        for _ in range(2):
            await world.sync(KEY, "app")
        row = next(iter(world.rows("keys").values()))
        world.rows("keys")["b" * 64] = {**row, "key_alias": "palena-0b0b"}
        told = await later(world)
        assert "b" * 64 in world.rows("keys")
        assert (told["syncedKeys"], told["unmanagedKeys"]) == (1, 0)

    run(scenario())


@pytest.mark.parametrize("entity", LISTED, ids=lambda entity: entity.noun)
def test_nothing_is_pruned_when_any_list_is_not_whole(entity: Any) -> None:
    async def scenario() -> None:
        world = attached(unmanagedResourcePolicy="prune")
        await later(world)
        foreign_model(world, "by-hand")
        call = entity.listing(1)
        world.proxy.faults.append(Fault(f"{call.method} {call.path}", status=500))
        told = await later(world)
        assert "by-hand" in world.rows("models")
        assert world.condition(*INSTANCE, "ConfigSynced") == ("False", "SyncErrors")
        assert len(told["syncErrors"]) == 1
        assert "syncErrors" not in await later(world)
        assert "by-hand" not in world.rows("models"), "the next pass sees all of it"

    run(scenario())


def test_a_later_page_that_fails_makes_the_list_partial() -> None:
    async def scenario() -> None:
        world = attached(unmanagedResourcePolicy="prune")
        for number in range(150):
            foreign_key(world, f"{number:064x}", {"spend": 0.0})
        world.proxy.faults.append(Fault("GET /key/list", status=500, skip=1))
        told = await later(world)
        assert len(world.rows("keys")) == 150
        assert "syncedKeys" not in told, "what was not counted is not told"

    run(scenario())


def test_nothing_is_pruned_when_custom_resources_cannot_be_listed() -> None:
    class Blind(WorldReader):
        async def list(self, resource: Any, namespace: str) -> list[Object]:
            if resource.kind == "LiteLLMUser":
                raise ReadFailed("litellmusers cannot be listed: the API server does not answer")
            return await super().list(resource, namespace)

    async def scenario() -> None:
        world = attached(unmanagedResourcePolicy="prune")
        object.__setattr__(world.context, "reader", Blind(world))
        foreign_model(world, "by-hand")
        told = await later(world)
        assert "by-hand" in world.rows("models")
        assert told["syncErrors"] == ["litellmusers cannot be listed: the API server does not answer"]

    run(scenario())


def test_an_object_whose_owner_came_back_since_the_list_is_spared() -> None:
    async def scenario() -> None:
        world = attached(unmanagedResourcePolicy="prune")
        gone = await team(world, "red")
        stored = world.objects[TEAM, "red"]
        world.remove(TEAM, "red")

        class Late(WorldReader):
            async def get(self, resource: Any, namespace: str, name: str) -> Object | None:
                return stored if name == "red" else await super().get(resource, namespace, name)

        object.__setattr__(world.context, "reader", Late(world))
        await later(world)
        assert gone in world.rows("teams")

    run(scenario())


def test_pruning_spares_what_a_custom_resource_of_another_namespace_claims() -> None:
    class Wide(WorldReader):
        async def list(self, resource: Any, namespace: str) -> list[Object]:
            elsewhere: Object = {
                "metadata": {"name": "nine", "namespace": "other", "uid": "u"},
                "spec": {"instanceRef": {"name": "gw"}, "modelName": "nine", "litellmParams": {"model": "openai/gpt-4o"}},
                "status": {"litellmModelId": "9"},
            }
            more = [elsewhere] if resource.kind == MODEL and not namespace else []
            return [*await super().list(resource, namespace), *more]

    async def scenario() -> None:
        world = attached(unmanagedResourcePolicy="prune")
        object.__setattr__(world.context, "reader", Wide(world))
        foreign_model(world, "9")
        foreign_model(world, "10")
        await later(world)
        assert world.rows("models").keys() == {"9"}

    run(scenario())


def test_an_object_that_got_a_mark_since_the_list_is_spared() -> None:
    async def scenario() -> None:
        world = attached(unmanagedResourcePolicy="prune")
        foreign_model(world, "by-hand")

        class Marking(WorldReader):
            async def list(self, resource: Any, namespace: str) -> list[Object]:
                world.rows("models")["by-hand"]["model_info"] |= marked("south/team/x")
                return await super().list(resource, namespace)

        object.__setattr__(world.context, "reader", Marking(world))
        await later(world)
        assert "by-hand" in world.rows("models")

    run(scenario())


def test_a_mass_of_orphans_goes_twenty_at_a_time() -> None:
    async def scenario() -> None:
        world = attached(unmanagedResourcePolicy="prune")
        for number in range(30):
            foreign_model(world, f"m{number}")
        await later(world)
        assert len(world.rows("models")) == 10
        await later(world)
        assert world.rows("models") == {}

    run(scenario())


def test_what_only_litellm_has_is_named_where_it_may_be_adopted() -> None:
    async def scenario() -> None:
        world = attached(unmanagedResourcePolicy="adopt")
        foreign_model(world, "by-hand")
        foreign_key(world, "c" * 64, {"spend": 0.0}, key_alias="app")
        await later(world)
        assert world.condition(*INSTANCE, "UnmanagedObjects") == ("True", "OnlyInLiteLLM")
        assert "model by-hand, key app" in world.message(*INSTANCE, "UnmanagedObjects")
        assert world.rows("models").keys() == {"by-hand"}

    run(scenario())


def test_an_instance_that_is_not_ready_keeps_its_counts_and_says_why_they_are_old() -> None:
    async def scenario() -> None:
        world = attached()
        await team(world, "red")
        told = await later(world)
        world.remove("Secret", "gw-master-key")
        assert await later(world) == told
        assert world.condition(*INSTANCE, "ConfigSynced") == ("False", "InstanceNotReady")

    run(scenario())


def test_entities_that_differ_are_counted() -> None:
    async def scenario() -> None:
        world = attached(conflictResolution="manual")
        name = await team(world, "red")
        first = await later(world)
        world.rows("teams")[name]["team_alias"] = "blue"
        await asyncio.sleep(31)
        await world.sync(TEAM, "red")
        told = await later(world)
        assert "1 other than its spec" in world.message(*INSTANCE, "ConfigSynced")
        assert told["lastSyncTime"] > first["lastSyncTime"]

    run(scenario())


def test_what_wakes_the_instance_between_two_snapshots_costs_no_call() -> None:
    class Counting(WorldReader):
        lists = 0

        async def list(self, resource: Any, namespace: str) -> list[Object]:
            Counting.lists += 1
            return await super().list(resource, namespace)

    async def scenario() -> None:
        world = attached()
        object.__setattr__(world.context, "reader", Counting(world))
        await later(world)
        world.forget_calls()
        Counting.lists = 0
        for _ in range(5):
            await world.sync(*INSTANCE)
        assert world.proxy.admin_calls == []
        assert Counting.lists == 0

    run(scenario())


@pytest.mark.parametrize("alias", [[], {"a": 1}, 3, None], ids=str)
@pytest.mark.parametrize("owner", ["north/team", "north/team/", "north", "", 7], ids=str)
def test_rows_of_odd_shapes_end_no_comparison(alias: Any, owner: Any) -> None:
    async def scenario() -> None:
        world = attached(unmanagedResourcePolicy="prune")
        kept = await model(world, "kept")
        foreign_model(world, "odd", **{"palena.ai/owner": {"owner": owner, "fields": 3}})
        world.entity(KEY, "ci", keyAlias="ci")
        await world.sync(KEY, "ci")
        status = await world.sync(KEY, "ci")
        foreign_key(world, "odd", world.rows("keys")[status["litellmKeyToken"]], key_alias=alias, metadata=None)
        told = await later(world)
        assert told["syncedModels"] == 1
        assert told["syncedKeys"] == 1
        assert kept in world.rows("models")
        assert status["litellmKeyToken"] in world.rows("keys")

    run(scenario())


ODD = "by\x1b[2Jhand\n\u202eevil " + "sk-0123456789 " + "x" * 1_000


@pytest.mark.parametrize("policy", ["adopt", "prune"])
def test_what_others_wrote_into_an_id_or_an_alias_is_told_on_one_line_cut_and_without_a_key(policy: str) -> None:
    async def scenario() -> None:
        world = attached(unmanagedResourcePolicy=policy, auditChanges=True)
        foreign_model(world, ODD)
        foreign_key(world, "c" * 64, {"spend": 0.0, "budget_id": None}, key_alias=ODD)
        foreign_key(world, "d" * 64, {"spend": 0.0, "budget_id": None})
        await later(world)
        told = [world.message(*INSTANCE, "UnmanagedObjects")]
        if policy == "prune":
            told.append(world.message(*INSTANCE, "ConfigSynced").partition("pruned ")[2])
        for message in told:
            assert message.startswith("model by[2Jhand evil … xxx")
            assert message.isprintable()
            assert len(message) <= LONGEST_LIST + len(" and 2 more")

    run(scenario())


def test_a_key_without_an_alias_is_told_by_the_beginning_of_its_hash() -> None:
    async def scenario() -> None:
        world = attached(unmanagedResourcePolicy="prune", auditChanges=True)
        foreign_key(world, "0123456789abcdef" * 4, {"spend": 0.0, "budget_id": None})
        await later(world)
        assert world.message(*INSTANCE, "UnmanagedObjects").startswith("key 0123456789ab (see ")
        assert "pruned key 0123456789ab (see " in world.message(*INSTANCE, "ConfigSynced")

    run(scenario())
