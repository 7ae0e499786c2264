"""LiteLLMVirtualKey: a key whose value is in a Secret first and in LiteLLM then, and never in two keys."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from app.apis.litellm.virtual_key import LiteLLMVirtualKeySpec
from app.hooks.objects import CONTROLLER_UID
from app.litellm.entities.ownership import MARK
from app.litellm.entities.virtual_key import token_of
from app.sim.fake_litellm import Fault
from app.status.resync import TICK
from tests.unit.entities.world import LAST_APPLIED, NAMESPACE, World
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from app.hooks.objects import Object

KIND = "LiteLLMVirtualKey"
SECRET = "app-key"


def value(world: World, name: str = SECRET, key: str = "api_key") -> str:
    return base64.b64decode(world.objects["Secret", name]["data"][key]).decode()


def put(world: World, name: str = SECRET, **data: str) -> None:
    """An edit of the Secret by somebody; underscores in keys stand for themselves, ``api-key`` is ``dashed``."""
    stored = world.objects["Secret", name]
    encoded = {key: base64.b64encode(text.encode()).decode() for key, text in data.items()}
    if "dashed" in encoded:
        encoded["api-key"] = encoded.pop("dashed")
    world.objects["Secret", name] = {**stored, "data": {**stored["data"], **encoded}}


def keys(world: World) -> dict[str, Object]:
    return world.rows("keys")


def only(world: World) -> Object:
    """The one key there is."""
    (row,) = keys(world).values()
    return row


def wish(world: World, name: str = "app", **spec: Any) -> None:
    """A key, or an edit of it."""
    world.entity(KIND, name, None, **{"keyAlias": "App", **spec})


async def settled(world: World, name: str = "app", **spec: Any) -> Object:
    """A key that is made and registered; its row."""
    wish(world, name, **spec)
    await world.sync(KIND, name)
    await world.sync(KIND, name)
    assert world.condition(KIND, name) == ("True", "Synced"), world.message(KIND, name)
    return keys(world)[world.objects[KIND, name]["status"]["litellmKeyToken"]]


def test_the_value_is_stored_first_and_registered_when_it_is_seen_there() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "app", keyAlias="App 1", maxBudget="0.1")
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == world.condition(KIND, "app", "Synced") == ("False", "KeyPending")
        assert world.comes_back_in == 2
        assert world.proxy.admin_calls == []
        made = value(world)
        assert made == value(world, key="api-key")
        assert len(made) == 67
        assert made.startswith("sk-")
        status = await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == world.condition(KIND, "app", "Synced") == ("True", "Synced")
        assert only(world)["key_alias"] == "App 1"
        assert only(world)["max_budget"] == 0.1
        assert status["litellmKeyToken"] == token_of(made)
        assert status["keySecretRef"] == {"name": SECRET, "key": "api_key"}
        assert (status["isActive"], status["synced"], status["currentSpend"]) == (True, True, "0")
        assert made not in orjson.dumps(status).decode()
        world.forget_calls()
        assert await world.sync(KIND, "app") == status
        assert world.proxy.admin_calls == []

    run(scenario())


def test_the_secret_carries_the_labels_that_tools_look_for_and_those_of_the_template() -> None:
    async def scenario() -> None:
        world = World()
        template = {"labels": {"a": "b", "litellm.palena.ai/instance": "mine"}, "annotations": {"c": "d"}}
        await settled(world, keySecretTemplate=template)
        metadata = world.objects["Secret", SECRET]["metadata"]
        assert metadata["labels"] == {
            "a": "b",
            "app.kubernetes.io/name": "litellm",
            "app.kubernetes.io/managed-by": "litellm-operator",
            "litellm.palena.ai/instance": "gw",
            "litellm.palena.ai/resource-type": "virtual-key",
            CONTROLLER_UID: f"uid-{KIND}-app",
        }
        assert metadata["annotations"]["c"] == "d"

    run(scenario())


FULL: Object = {
    "keyAlias": "App",
    "teamRef": {"name": "eng"},
    "userRef": {"name": "bob"},
    "models": ["gpt"],
    "maxBudget": "12.50",
    "budgetDuration": "30d",
    "expiresAt": "2026-02-01T00:00:00Z",
    "tpmLimit": 1,
    "rpmLimit": 0,
    "softBudget": 10,
    "modelRpmLimit": {"gpt": 3},
    "modelTpmLimit": {"gpt": 4},
    "metadata": {"owner": "me"},
    "blocked": True,
    "objectPermission": {"mcpServers": ["docs"], "agents": ["a"]},
    "modelMaxBudget": {"gpt": "1e-3"},
    "maxParallelRequests": 5,
    "keySecretName": "app-key",
    "keySecretTemplate": {"labels": {"a": "b"}},
    "guardrails": ["mask"],
}


def referred(world: World) -> None:
    """A team and a user that LiteLLM has."""
    world.entity("LiteLLMTeam", "eng", teamAlias="eng")["status"] = {"litellmTeamId": "t1"}
    world.entity("LiteLLMUser", "bob", userId="bob")["status"] = {"litellmUserId": "u1"}
    world.rows("teams")["t1"] = {}


def test_every_field_of_the_spec_reaches_litellm_or_the_secret() -> None:
    async def scenario() -> None:
        assert {field.alias for field in LiteLLMVirtualKeySpec.model_fields.values()} == {*FULL, "instanceRef"}
        world = World()
        world.proxy.database.licensed = True
        referred(world)
        row = dict(await settled(world, **FULL))
        metadata = dict(row.pop("metadata"))
        assert world.rows("budgets")[row.pop("budget_id")]["soft_budget"] == 10
        assert row == {
            "key_alias": "App",
            "team_id": "t1",
            "user_id": "u1",
            "models": ["gpt"],
            "spend": 0.0,
            "max_budget": 12.5,
            "budget_duration": "30d",
            "expires": "2026-02-01T00:00:00Z",
            "tpm_limit": 1,
            "rpm_limit": 0,
            "blocked": True,
            "object_permission": {"mcp_servers": ["docs"], "agents": ["a"]},
            "model_max_budget": {"gpt": {"budget_limit": 0.001, "time_period": "30d"}},
            "max_parallel_requests": 5,
        }
        del metadata[MARK]
        assert metadata == {
            "owner": "me",
            "model_rpm_limit": {"gpt": 3},
            "model_tpm_limit": {"gpt": 4},
            "guardrails": ["mask"],
        }

    run(scenario())


@pytest.mark.parametrize("version", ["1.81.14", "1.110.2"])
def test_every_field_that_leaves_the_spec_is_cleared_and_what_others_put_there_stays(version: str) -> None:
    async def scenario() -> None:
        world = World()
        world.proxy.version = version
        world.proxy.database.licensed = True
        referred(world)
        row = await settled(world, **FULL)
        row["metadata"]["theirs"] = 1
        world.entity(KIND, "app", keyAlias="Other", metadata={"new": "x"})
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("True", "Synced"), world.message(KIND, "app")
        row = dict(only(world))
        metadata = {name: data for name, data in row.pop("metadata").items() if name != MARK}
        assert metadata == {"theirs": 1, "new": "x"}
        assert world.rows("budgets")[row.pop("budget_id")]["soft_budget"] is None
        # 1.81 ignores a null there, and says nothing.
        kept = "30d" if version == "1.81.14" else None
        assert (world.condition(KIND, "app", "FieldsCleared") == ("False", "CannotClear")) is (kept is not None)
        assert row == {
            "key_alias": "Other",
            "team_id": None,
            "user_id": None,
            "models": [],
            "spend": 0.0,
            "max_budget": None,
            "budget_duration": kept,
            "expires": None,
            "tpm_limit": None,
            "rpm_limit": None,
            "blocked": False,
            "object_permission": {"mcp_servers": [], "mcp_access_groups": [], "vector_stores": [], "agents": []},
            "model_max_budget": {},
            "max_parallel_requests": None,
        }

    run(scenario())


def test_an_edit_keeps_the_spend_and_the_end() -> None:
    async def scenario() -> None:
        world = World()
        row = await settled(world, expiresAt="2026-02-01T00:00:00Z")
        row["spend"] = 1.25e-06
        world.forget_calls()
        wish(world, expiresAt="2026-02-01T00:00:00Z", tpmLimit=7)
        status = await world.sync(KIND, "app")
        (update,) = [call.body for call in world.proxy.calls if call.path == "/key/update"]
        assert "duration" not in update
        assert "spend" not in update
        assert (row["spend"], row["tpm_limit"]) == (1.25e-06, 7)
        assert status["currentSpend"] == "0.00000125"

    run(scenario())


def test_the_end_of_a_key_moves_with_the_spec_and_not_with_the_clock() -> None:
    async def scenario() -> None:
        world = World()
        row = await settled(world, expiresAt="2026-02-01T00:00:00Z")
        for end in ("2026-01-15T12:00:00Z", "2027-01-01T00:00:00Z"):
            wish(world, expiresAt=end)
            status = await world.sync(KIND, "app")
            assert row["expires"] == status["expiresAt"] == end
        wish(world)
        assert "expiresAt" not in await world.sync(KIND, "app")
        assert row["expires"] is None

    run(scenario())


def test_a_key_that_has_expired_is_told_and_is_over_in_litellm_too() -> None:
    async def scenario() -> None:
        world = World()
        row = await settled(world, expiresAt="2026-02-01T00:00:00Z")
        wish(world, expiresAt="2025-12-01T00:00:00Z")
        status = await world.sync(KIND, "app")
        assert row["expires"] == "2026-01-01T00:00:00Z"
        assert world.condition(KIND, "app") == ("False", "Expired")
        assert world.condition(KIND, "app", "Synced") == ("True", "Synced")
        assert status["isActive"] is False
        world.forget_calls()
        assert await world.sync(KIND, "app") == status
        assert world.proxy.admin_calls == []

    run(scenario())


def test_a_key_looks_again_when_it_is_to_expire() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world, expiresAt="2026-01-01T00:01:00Z")
        assert 60 <= world.comes_back_in <= 66

    run(scenario())


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"maxBudget": "ten"}, "spec.maxBudget"),
        ({"maxBudget": "-1"}, "spec.maxBudget"),
        ({"maxBudget": "1e999"}, "spec.maxBudget"),
        ({"maxBudget": "1_0"}, "spec.maxBudget"),
        ({"maxBudget": "nan"}, "spec.maxBudget"),
        ({"maxBudget": ""}, "spec.maxBudget"),
        ({"modelMaxBudget": {"gpt": "x"}}, "spec.modelMaxBudget[gpt]"),
        ({"expiresAt": "soon"}, "spec.expiresAt"),
        ({"keySecretName": "Not_A_Name"}, "spec.keySecretName"),
        ({"keySecretTemplate": {"labels": {"a": "b c"}}}, "spec.keySecretTemplate.labels"),
    ],
)
def test_what_cannot_be_meant_is_told_by_its_field_and_the_key_stays_as_it_is(spec: Object, field: str) -> None:
    async def scenario() -> None:
        world = World()
        await settled(world)
        before, secret = dict(only(world)), world.objects["Secret", SECRET]["data"]
        wish(world, **spec)
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("False", "InvalidSpec")
        assert field in world.message(KIND, "app")
        assert only(world) == before
        assert world.objects["Secret", SECRET]["data"] == secret

    run(scenario())


def test_without_a_licence_the_key_is_made_without_what_takes_one() -> None:
    async def scenario() -> None:
        world = World()
        wish(world, guardrails=["mask"], modelMaxBudget={"gpt": "1"}, tpmLimit=3)
        await world.sync(KIND, "app")
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("False", "EnterpriseLicenseRequired")
        assert only(world)["tpm_limit"] == 3
        world.proxy.database.licensed = True
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("True", "Synced")
        assert only(world)["metadata"]["guardrails"] == ["mask"]

    run(scenario())


def test_nothing_is_made_before_what_the_spec_refers_to_is_there() -> None:
    async def scenario() -> None:
        world = World()
        wish(world, teamRef={"name": "eng"}, userRef={"name": "bob"})
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("False", "ReferenceNotReady")
        assert ("Secret", SECRET) not in world.objects
        referred(world)
        world.instance(ready=False)
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("False", "InstanceNotReady")
        assert ("Secret", SECRET) not in world.objects
        assert world.proxy.admin_calls == []

    run(scenario())


@pytest.mark.parametrize("trouble", ["instance", "reference", "proxy", "spec"])
def test_whatever_is_missing_the_secret_stays_as_it_is(trouble: str) -> None:
    async def scenario() -> None:
        world = World()
        referred(world)
        await settled(world, teamRef={"name": "eng"})
        before = world.objects["Secret", SECRET]["data"]
        wish(world, teamRef={"name": "eng"}, tpmLimit=1 if trouble != "spec" else "x")
        if trouble == "instance":
            world.instance(ready=False)
        elif trouble == "reference":
            world.remove("LiteLLMTeam", "eng")
        elif trouble == "proxy":
            world.proxy.faults.append(Fault(status=0, times=99))
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app")[0] == "False"
        assert world.objects["Secret", SECRET]["data"] == before

    run(scenario())


def test_an_alias_that_another_key_has_is_told_and_the_prepared_value_is_registered_when_it_is_free() -> None:
    async def scenario() -> None:
        world = World()
        keys(world)["f" * 64] = {"key_alias": "Alert Triage", "metadata": {}, "spend": 3.0}
        world.entity(KIND, "app", keyAlias="Alert Triage", models=["pool"])
        await world.sync(KIND, "app")
        prepared = value(world)
        await world.sync(KIND, "app")
        status = await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("False", "NameTaken")
        assert "Alert Triage" in world.message(KIND, "app")
        assert world.comes_back_in == TICK
        assert status["synced"] is False
        assert "keySecretRef" not in status
        assert list(keys(world)) == ["f" * 64]
        keys(world).clear()
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("True", "Synced")
        assert list(keys(world)) == [token_of(prepared)]
        assert only(world)["key_alias"] == "Alert Triage"

    run(scenario())


def test_a_proxy_that_takes_no_values_of_others_is_told_in_its_own_words() -> None:
    async def scenario() -> None:
        world = World()
        text = '{"error": {"message": "{\'error\': \'Custom API key values are disabled by your administrator.\'}"}}'
        world.proxy.faults.append(Fault("POST /key/generate", status=403, text=text, times=9))
        wish(world)
        await world.sync(KIND, "app")
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("False", "SyncFailed")
        assert "disabled by your administrator" in world.message(KIND, "app")
        assert world.comes_back_in == TICK

    run(scenario())


def test_a_lost_secret_is_replaced_and_alias_and_spend_go_over_to_the_new_key() -> None:
    async def scenario() -> None:
        world = World()
        row = await settled(world, tpmLimit=9)
        old, row["spend"] = value(world), 4.5
        world.remove("Secret", SECRET)
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("False", "KeyPending")
        assert list(keys(world)) == [token_of(old)], "until the new value is seen the old key works"
        status = await world.sync(KIND, "app")
        assert value(world) != old
        assert list(keys(world)) == [token_of(value(world))]
        assert (only(world)["key_alias"], only(world)["spend"], only(world)["tpm_limit"]) == ("App", 4.5, 9)
        assert not only(world)["blocked"]
        assert status["litellmKeyToken"] == token_of(value(world))
        assert status["currentSpend"] == "4.5"
        for _ in range(10):
            await world.sync(KIND, "app")
        assert len(keys(world)) == 1

    run(scenario())


@pytest.mark.parametrize("emptied", [{"api_key": ""}, {"dashed": ""}, {"api_key": "", "dashed": ""}])
def test_an_emptied_value_comes_back_and_the_key_is_not_replaced(emptied: dict[str, str]) -> None:
    async def scenario() -> None:
        world = World()
        await settled(world)
        made = value(world)
        put(world, **emptied)
        for _ in range(10):
            await world.sync(KIND, "app")
        assert value(world) == value(world, key="api-key") == made
        assert list(keys(world)) == [token_of(made)]
        assert world.condition(KIND, "app") == ("True", "Synced")

    run(scenario())


def test_an_emptied_secret_without_a_record_gets_a_new_value() -> None:
    # Under server-side apply nothing tells what was there.
    async def scenario() -> None:
        world = World()
        row = await settled(world)
        made, row["spend"] = value(world), 2.0
        put(world, api_key="", dashed="")
        del world.objects["Secret", SECRET]["metadata"]["annotations"][LAST_APPLIED]
        for _ in range(3):
            await world.sync(KIND, "app")
            for answer in world.answers:
                assert all(child["data"][key] for child in answer["children"] for key in ("api_key", "api-key"))
        assert value(world) != made
        assert list(keys(world)) == [token_of(value(world))]
        assert only(world)["spend"] == 2.0

    run(scenario())


def test_a_value_that_a_user_puts_there_takes_the_old_ones_place() -> None:
    async def scenario() -> None:
        world = World()
        (await settled(world))["spend"] = 1.0
        put(world, api_key="sk-of-my-own-choice", dashed="sk-of-my-own-choice")
        await world.sync(KIND, "app")
        assert list(keys(world)) == [token_of("sk-of-my-own-choice")]
        assert value(world) == "sk-of-my-own-choice"
        assert only(world)["spend"] == 1.0

    run(scenario())


def test_one_data_key_that_disagrees_is_put_right() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world)
        made = value(world)
        put(world, api_key="sk-of-somebody-by-mistake")
        await world.sync(KIND, "app")
        assert value(world) == made
        assert list(keys(world)) == [token_of(made)]

    run(scenario())


@pytest.mark.parametrize("bad", ["secret", "sk-short", "sk-with a blank in it", "sk-" + "x" * 5000])
def test_a_value_that_is_no_key_is_told_and_the_old_key_stays(bad: str) -> None:
    async def scenario() -> None:
        world = World()
        await settled(world)
        made = value(world)
        put(world, api_key=bad, dashed=bad)
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("False", "KeyValueInvalid")
        assert bad not in world.message(KIND, "app")
        assert list(keys(world)) == [token_of(made)]

    run(scenario())


def test_a_renamed_secret_has_the_same_value_and_the_old_one_goes_once_the_new_one_is_seen() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world)
        made = value(world)
        world.forget_calls()
        wish(world, keySecretName="other")
        status = await world.sync(KIND, "app")
        assert status["keySecretRef"]["name"] == SECRET
        assert world.condition(KIND, "app") == ("True", "Synced")
        assert value(world, "other") == value(world) == made
        status = await world.sync(KIND, "app")
        assert status["keySecretRef"]["name"] == "other"
        assert ("Secret", SECRET) not in world.objects
        assert value(world, "other") == made
        assert world.proxy.admin_calls == []

    run(scenario())


def test_a_name_that_somebody_elses_secret_has_is_told_and_both_are_left_alone() -> None:
    async def scenario() -> None:
        world = World()
        world.secret(SECRET, password="mine")
        wish(world)
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("False", "KeySecretNameTaken")
        assert world.objects["Secret", SECRET]["data"].keys() == {"password"}
        assert world.proxy.admin_calls == []
        world.remove("Secret", SECRET)
        await settled(world)
        world.secret("taken", password="mine")
        wish(world, keySecretName="taken")
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("False", "KeySecretNameTaken")
        assert list(keys(world)) == [token_of(value(world))]

    run(scenario())


def test_a_key_of_the_go_operator_works_on_with_its_own_secret() -> None:
    async def scenario() -> None:
        world = World()
        made = "sk-0123456789abcdefghij"
        world.secret(SECRET, api_key=made)
        keys(world)[token_of(made)] = {"key_alias": "App", "metadata": {}, "spend": 7.0, "budget_id": None}
        wish(world, tpmLimit=4)
        world.objects[KIND, "app"]["status"] = {
            "litellmKeyToken": token_of(made),
            "keySecretRef": {"name": SECRET, "key": "api_key"},
            "synced": True,
        }
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("True", "Synced"), world.message(KIND, "app")
        assert world.condition(KIND, "app", "KeySecretOwned") == ("False", "KeySecretNotOwned")
        assert (only(world)["tpm_limit"], only(world)["spend"]) == (4, 7.0)
        assert list(keys(world)) == [token_of(made)]
        assert world.objects["Secret", SECRET]["data"].keys() == {"api_key"}
        assert await world.finalize(KIND, "app")
        assert keys(world) == {}

    run(scenario())


@pytest.mark.parametrize("version", ["1.81.14", "1.110.2"])
def test_a_key_that_a_cascade_took_is_registered_again_with_the_same_value(version: str) -> None:
    async def scenario() -> None:
        world = World()
        world.proxy.version = version
        (await settled(world))["spend"] = 2.0
        made = value(world)
        world.rows("deleted keys")[token_of(made)] = keys(world).pop(token_of(made))
        wish(world, rpmLimit=1)
        await world.sync(KIND, "app")
        assert list(keys(world)) == [token_of(made)]
        assert only(world)["rpm_limit"] == 1
        assert not only(world)["blocked"]
        # 1.81 does not know any more what it was.
        assert only(world)["spend"] == (0.0 if version == "1.81.14" else 2.0)

    run(scenario())


def test_a_lost_status_loses_no_key() -> None:
    async def scenario() -> None:
        world = World()
        row = await settled(world)
        row["spend"], made = 3.0, value(world)
        del world.objects[KIND, "app"]["status"]
        await world.sync(KIND, "app")
        assert list(keys(world)) == [token_of(made)]
        del world.objects[KIND, "app"]["status"]
        world.remove("Secret", SECRET)
        await world.sync(KIND, "app")
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("True", "Synced"), world.message(KIND, "app")
        assert list(keys(world)) == [token_of(value(world))]
        assert only(world)["spend"] == 3.0

    run(scenario())


def test_the_value_of_another_objects_key_makes_a_conflict_and_costs_neither_key() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world, "one", keyAlias="One")
        await settled(world, "two", keyAlias="Two")
        both = {token_of(value(world, f"{name}-key")) for name in ("one", "two")}
        stolen = value(world, "one-key")
        put(world, "two-key", api_key=stolen, dashed=stolen)
        await world.sync(KIND, "two")
        assert world.condition(KIND, "two") == ("False", "Conflict")
        assert keys(world).keys() == both
        assert await world.finalize(KIND, "two")
        assert keys(world).keys() == {token_of(stolen)}

    run(scenario())


def test_a_key_goes_with_its_object_and_so_does_its_secret() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world)
        assert await world.finalize(KIND, "app")
        assert keys(world) == {}
        assert ("Secret", SECRET) not in world.objects

    run(scenario())


def test_while_a_deletion_waits_the_secret_is_kept() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world)
        world.proxy.faults.append(Fault(status=0, times=99))
        assert not await world.finalize(KIND, "app")
        assert world.condition(KIND, "app") == ("False", "DeletionPending")
        assert ("Secret", SECRET) in world.objects

    run(scenario())


@pytest.mark.parametrize("version", ["1.81.14", "1.110.2"])
def test_a_key_that_is_gone_already_ends_its_deletion(version: str) -> None:
    async def scenario() -> None:
        world = World()
        world.proxy.version = version
        await settled(world)
        world.rows("deleted keys").update(keys(world))
        keys(world).clear()
        assert await world.finalize(KIND, "app")
        assert world.left_behind == []

    run(scenario())


def test_a_key_that_was_made_by_hand_and_taken_over_stays() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world)
        mine = "sk-made-by-hand-0123"
        keys(world).clear()
        keys(world)[token_of(mine)] = {"key_alias": "App", "metadata": {}, "spend": 0.0, "budget_id": None}
        world.entity(KIND, "app", {"litellm.palena.ai/adopt": "true"}, keyAlias="App")
        put(world, api_key=mine, dashed=mine)
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("True", "Synced"), world.message(KIND, "app")
        assert await world.finalize(KIND, "app")
        assert list(keys(world)) == [token_of(mine)]

    run(scenario())


def test_another_clusters_key_is_left_alone() -> None:
    async def scenario() -> None:
        world = World()
        row = await settled(world)
        row["metadata"][MARK]["owner"] = f"south/{NAMESPACE}/app"
        wish(world, tpmLimit=1)
        await world.sync(KIND, "app")
        assert world.condition(KIND, "app") == ("False", "Conflict")
        assert await world.finalize(KIND, "app")
        assert len(keys(world)) == 1

    run(scenario())
