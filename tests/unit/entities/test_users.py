"""LiteLLMUser: somebody with limits, a first password, and teams that have their own word on who is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.apis.litellm.user import LiteLLMUserSpec
from app.controllers.entities import password
from app.litellm.entities.ownership import MARK
from app.sim.fake_litellm import Fault
from app.status.resync import TICK
from tests.unit.entities.world import World
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from app.hooks.objects import Object

KIND = "LiteLLMUser"
RELEASES = pytest.mark.parametrize("version", ["1.81.14", "1.110.2"])
PASSWORD: Object = {"initialPasswordSecretRef": {"name": "bob-password", "key": "password"}}
FULL: Object = {
    "userId": "bob",
    "userEmail": "bob@x.test",
    "userRole": "internal_user_viewer",
    "maxBudget": 10,
    "budgetDuration": "30d",
    "models": ["gpt"],
    "teams": [{"teamRef": {"name": "eng"}, "maxBudgetInTeam": 5}, {"teamId": "platform", "role": "user"}],
    "tpmLimit": 0,
    "rpmLimit": 2,
    "softBudget": 3,
    "modelRpmLimit": {"gpt": 4},
    "modelTpmLimit": {"gpt": 5},
    "metadata": {"department": "search"},
    "blocked": True,
    "objectPermission": {"mcpServers": ["docs"], "agents": ["a"]},
    **PASSWORD,
}


async def provided(version: str = "1.110.2") -> World:
    """A world with the team ``eng``, one that only LiteLLM knows, and a password."""
    world = World()
    world.proxy.version = version
    await team(world, "eng")
    await team(world, "platform")
    world.remove("LiteLLMTeam", "platform")
    world.secret("bob-password", password="Correct-horse-1\n")
    return world


async def team(world: World, name: str, **spec: Any) -> None:
    """A LiteLLMTeam, synced once."""
    world.entity("LiteLLMTeam", name, teamId=name, teamAlias=name.title(), **spec)
    await world.sync("LiteLLMTeam", name)


def wish(world: World, annotations: dict[str, str] | None = None, **spec: Any) -> None:
    """The user ``bob``, or an edit of it."""
    world.entity(KIND, "bob", annotations, **{"userId": "bob", **spec})


async def settled(world: World, **spec: Any) -> Object:
    """A user in step; the row."""
    wish(world, **spec)
    await world.sync(KIND, "bob")
    assert world.condition(KIND, "bob") == world.condition(KIND, "bob", "Synced") == ("True", "Synced"), world.message(
        KIND, "bob"
    )
    return world.rows("users")["bob"]


def status(world: World) -> Object:
    return world.objects[KIND, "bob"]["status"]


def members(world: World, name: str = "eng") -> dict[str, str]:
    """Roles by user."""
    return {one["user_id"]: one["role"] for one in world.rows("teams")[name]["members_with_roles"][1:]}


def budget(world: World, name: str = "eng") -> Any:
    """What the user may spend in a team."""
    row = world.rows("budgets").get(str(world.rows("team memberships")[f"{name}/bob"]["budget_id"]))
    return row["max_budget"] if row else None


@RELEASES
def test_every_field_of_the_spec_reaches_litellm_or_is_told_to_be_without_effect(version: str) -> None:
    async def scenario() -> None:
        assert {field.alias for field in LiteLLMUserSpec.model_fields.values()} == {*FULL, "instanceRef"}
        world = await provided(version)
        row = dict(await settled(world, **FULL))
        metadata = dict(row.pop("metadata"))
        assert metadata.pop(MARK)["owner"] == "north/team/bob"
        assert metadata == {"department": "search", "model_rpm_limit": {"gpt": 4}, "model_tpm_limit": {"gpt": 5}}
        older = version == "1.81.14"
        permission = row.pop("object_permission", None)
        if not older:
            assert (permission["mcp_servers"], permission["agents"]) == (["docs"], ["a"])
        assert bool(row.pop("object_permission_id")) is not older
        assert row == {
            "user_id": "bob",
            "user_email": "bob@x.test",
            "user_role": "internal_user_viewer",
            "teams": ["eng", "platform"],
            "models": ["gpt"],
            "spend": 0.0,
            "max_budget": 10,
            "budget_duration": "30d",
            "tpm_limit": 0,
            "rpm_limit": 2,
            "password": "Correct-horse-1",
        }
        assert members(world) == members(world, "platform") == {"bob": "user"}
        assert (budget(world), budget(world, "platform")) == (5, None)
        assert world.condition(KIND, "bob", "FieldsApplied") == ("False", "FieldsIgnored")
        message = world.message(KIND, "bob", "FieldsApplied")
        assert "spec.blocked" in message
        assert "spec.softBudget" in message
        assert ("spec.objectPermission" in message) is older

    run(scenario())


@RELEASES
def test_what_leaves_the_spec_is_cleared_or_told_for_as_long_as_litellm_keeps_it(version: str) -> None:
    async def scenario() -> None:
        world = await provided(version)
        row = await settled(world, **FULL)
        row["metadata"]["theirs"] = 1
        for spec in ({}, {"metadata": {"another": "edit"}}):
            row = await settled(world, **spec)
            metadata = {name: value for name, value in row["metadata"].items() if name != MARK}
            assert metadata == {"theirs": 1, **spec.get("metadata", {})}
            kept = {"budget_duration", "tpm_limit", "rpm_limit"} if version == "1.81.14" else set[str]()
            names = ("user_email", "models", "max_budget", "budget_duration", "tpm_limit", "rpm_limit")
            left = {name for name in names if row[name] not in (None, [])}
            assert left == {"user_email", "models", *kept}
            assert world.condition(KIND, "bob", "FieldsCleared") == ("False", "CannotClear")
            assert all(name in world.message(KIND, "bob", "FieldsCleared") for name in left)
            assert "max_budget" not in world.message(KIND, "bob", "FieldsCleared")
            assert world.condition(KIND, "bob", "FieldsApplied") == ("", "")
        if version != "1.81.14":
            assert row["object_permission"] == {"mcp_servers": [], "mcp_access_groups": [], "vector_stores": [], "agents": []}
        row = await settled(world, userEmail="new@x.test", models=["other"], tpmLimit=1, rpmLimit=1, budgetDuration="1d")
        assert world.condition(KIND, "bob", "FieldsCleared") == ("", "")

    run(scenario())


def test_a_user_is_created_once_without_a_key_and_then_left_alone() -> None:
    async def scenario() -> None:
        world = await provided()
        await settled(world, teams=[{"teamRef": {"name": "eng"}}], **PASSWORD)
        (made,) = [call.body for call in world.proxy.calls if call.path == "/user/new"]
        assert made["auto_create_key"] is False
        assert "password" not in made
        assert "teams" not in made
        first = status(world)
        assert (first["litellmUserId"], first["synced"], first["currentSpend"]) == ("bob", True, 0)
        assert first["resolvedTeams"] == [{"teamId": "eng", "teamAlias": "Eng", "role": "user", "synced": True}]
        world.forget_calls()
        assert await world.sync(KIND, "bob") == first
        assert world.proxy.admin_calls == []

    run(scenario())


@RELEASES
def test_a_permission_that_is_added_later_is_stored_where_the_release_has_a_place_for_it(version: str) -> None:
    async def scenario() -> None:
        world = await provided(version)
        await settled(world)
        row = await settled(world, objectPermission={"agents": ["a"]})
        assert bool(row["object_permission_id"]) is (version != "1.81.14")
        assert (world.condition(KIND, "bob", "FieldsApplied") == ("", "")) is (version != "1.81.14")

    run(scenario())


def test_a_user_who_was_there_before_is_kept_in_step_and_stays() -> None:
    async def scenario() -> None:
        world = await provided()
        await settled(world, rpmLimit=3)
        row = world.rows("users")["bob"]
        row["metadata"] = {"theirs": 1}
        del world.objects[KIND, "bob"]
        row = await settled(world, tpmLimit=1)
        assert world.condition(KIND, "bob", "Adopted") == ("True", "ExistedBefore")
        assert (row["tpm_limit"], row["rpm_limit"], row["metadata"]["theirs"]) == (1, 3, 1)
        assert await world.finalize(KIND, "bob")
        assert "bob" in world.rows("users")

    run(scenario())


def test_a_user_of_another_cluster_is_a_conflict() -> None:
    async def scenario() -> None:
        world = await provided()
        await settled(world)
        row = world.rows("users")["bob"]
        row["metadata"] = {MARK: {"owner": "south/team/bob"}}
        del world.objects[KIND, "bob"]
        wish(world, tpmLimit=1)
        await world.sync(KIND, "bob")
        assert world.condition(KIND, "bob") == ("False", "Conflict")
        assert row["tpm_limit"] is None
        assert await world.finalize(KIND, "bob")
        assert "bob" in world.rows("users")

    run(scenario())


def test_an_address_of_somebody_else_is_told_and_nobody_is_taken_over() -> None:
    async def scenario() -> None:
        world = await provided()
        world.entity(KIND, "ann", userId="ann", userEmail="Bob@x.test")
        await world.sync(KIND, "ann")
        wish(world, userEmail="bob@x.test")
        await world.sync(KIND, "bob")
        assert world.condition(KIND, "bob") == ("False", "NameTaken")
        assert world.comes_back_in == TICK
        assert list(world.rows("users")) == ["ann"]
        assert await world.finalize(KIND, "bob")
        assert list(world.rows("users")) == ["ann"]

    run(scenario())


@pytest.mark.parametrize("after", [False, True], ids=["lost on the way", "lost on the way back"])
@pytest.mark.parametrize("status", [0, 500])
def test_a_creation_without_an_answer_makes_one_user(after: bool, status: int) -> None:
    async def scenario() -> None:
        world = await provided()
        world.proxy.faults.append(Fault("POST /user/new", status=status, after=after))
        wish(world)
        await world.sync(KIND, "bob")
        await settled(world)
        assert list(world.rows("users")) == ["bob"]
        assert world.condition(KIND, "bob", "Adopted") == ("", "")
        assert await world.finalize(KIND, "bob")
        assert world.rows("users") == {}

    run(scenario())


@RELEASES
def test_a_user_goes_with_its_resource_even_if_gone_already_or_the_status_is_lost(version: str) -> None:
    async def scenario() -> None:
        for gone, lost in ((False, False), (True, False), (False, True)):
            world = await provided(version)
            await settled(world)
            if gone:
                world.rows("users").clear()
            if lost:
                del world.objects[KIND, "bob"]["status"]
            assert await world.finalize(KIND, "bob")
            assert world.rows("users") == {}
            assert world.left_behind == []

    run(scenario())


def test_nobody_is_made_before_the_team_that_the_spec_refers_to() -> None:
    async def scenario() -> None:
        world = await provided()
        for given, words in (
            (lambda: None, "does not exist"),
            (lambda: world.entity("LiteLLMTeam", "ops", teamAlias="ops"), "is not in LiteLLM yet"),
        ):
            given()
            wish(world, teams=[{"teamRef": {"name": "ops"}}])
            await world.sync(KIND, "bob")
            assert world.condition(KIND, "bob") == ("False", "ReferenceNotReady")
            assert f"LiteLLMTeam ops (spec.teams[0].teamRef) {words}" in world.message(KIND, "bob")
        assert world.rows("users") == {}

    run(scenario())


INVALID = [
    ("a team without a name", [{"role": "user"}], "spec.teams[0]: names no team"),
    ("a role that LiteLLM does not have", [{"teamId": "platform", "role": "boss"}], "spec.teams[0].role"),
]


@pytest.mark.parametrize(("why", "teams", "words"), INVALID, ids=[row[0] for row in INVALID])
def test_a_team_that_cannot_be_meant_is_told_by_its_field(why: str, teams: Any, words: str) -> None:
    async def scenario() -> None:
        world = await provided()
        wish(world, teams=teams)
        await world.sync(KIND, "bob")
        assert world.condition(KIND, "bob") == ("False", "InvalidSpec"), why
        assert words in world.message(KIND, "bob")

    run(scenario())


def test_a_team_that_litellm_does_not_have_is_waited_for_and_the_others_are_joined() -> None:
    async def scenario() -> None:
        world = await provided()
        wish(world, teams=[{"teamId": "nope"}, {"teamId": "platform"}])
        await world.sync(KIND, "bob")
        assert world.condition(KIND, "bob") == ("False", "ReferenceNotReady")
        assert "nope" in world.message(KIND, "bob")
        assert [(one["teamId"], one["synced"]) for one in status(world)["resolvedTeams"]] == [("nope", False), ("platform", True)]
        assert members(world, "platform") == {"bob": "user"}

    run(scenario())


@RELEASES
def test_role_and_budget_in_a_team_follow_the_spec(version: str) -> None:
    async def scenario() -> None:
        world = await provided(version)
        world.proxy.database.licensed = True
        await settled(world, teams=[{"teamId": "platform", "maxBudgetInTeam": 5}])
        await settled(world, teams=[{"teamId": "platform", "maxBudgetInTeam": 5, "role": "admin"}])
        assert (members(world, "platform"), budget(world, "platform")) == ({"bob": "admin"}, 5)
        await settled(world, teams=[{"teamId": "platform", "maxBudgetInTeam": 6, "role": "admin"}])
        assert (members(world, "platform"), budget(world, "platform")) == ({"bob": "admin"}, 6)
        await settled(world, teams=[{"teamId": "platform"}])
        assert (members(world, "platform"), budget(world, "platform")) == ({"bob": "user"}, None)

    run(scenario())


def test_a_budget_that_somebody_set_by_hand_is_left() -> None:
    async def scenario() -> None:
        world = await provided()
        await settled(world, teams=[{"teamId": "platform"}])
        world.rows("team memberships")["platform/bob"]["budget_id"] = "theirs"
        world.rows("budgets")["theirs"] = {"budget_id": "theirs", "max_budget": 9}
        await settled(world, teams=[{"teamId": "platform"}], tpmLimit=1)
        assert budget(world, "platform") == 9

    run(scenario())


def test_a_role_that_takes_a_licence_is_told_with_its_team_and_retried() -> None:
    async def scenario() -> None:
        world = await provided()
        teams = [{"teamRef": {"name": "eng"}, "role": "admin"}, {"teamId": "platform"}]
        wish(world, teams=teams)
        await world.sync(KIND, "bob")
        assert world.condition(KIND, "bob") == ("False", "EnterpriseLicenseRequired")
        assert world.comes_back_in >= 120
        assert members(world, "platform") == {"bob": "user"}
        world.proxy.database.licensed = True
        await settled(world, teams=teams)
        assert members(world) == {"bob": "admin"}

    run(scenario())


def test_a_team_that_leaves_the_spec_is_left_and_a_membership_from_elsewhere_is_not() -> None:
    async def scenario() -> None:
        world = await provided()
        await settled(world, userEmail="bob@x.test", teams=[{"teamRef": {"name": "eng"}}])
        world.entity("LiteLLMTeam", "ops", teamId="ops", teamAlias="ops", members=[{"email": "bob@x.test"}])
        await world.sync("LiteLLMTeam", "ops")
        await settled(world, userEmail="bob@x.test")
        assert (members(world), members(world, "ops")) == ({}, {"bob": "user"})
        assert status(world)["resolvedTeams"] == []

    run(scenario())


def test_a_team_that_lists_the_user_itself_is_not_left_when_the_users_spec_drops_it() -> None:
    async def scenario() -> None:
        world = await provided()
        await settled(world, userEmail="bob@x.test", teams=[{"teamRef": {"name": "eng"}}])
        await team(world, "eng", members=[{"email": "bob@x.test"}])
        await settled(world, userEmail="bob@x.test")
        assert members(world) == {"bob": "user"}

    run(scenario())


def test_a_team_that_could_not_be_left_is_not_forgotten() -> None:
    async def scenario() -> None:
        world = await provided()
        await settled(world, teams=[{"teamRef": {"name": "eng"}}])
        world.proxy.faults.append(Fault("POST /team/member_delete", status=400, text="not now"))
        wish(world)
        await world.sync(KIND, "bob")
        assert world.condition(KIND, "bob") == ("False", "SyncFailed")
        await settled(world)
        assert members(world) == {}

    run(scenario())


def test_a_team_in_mode_crd_that_does_not_list_the_user_wins_and_that_is_told() -> None:
    async def scenario() -> None:
        world = await provided()
        await team(world, "eng", memberManagement="crd")
        await settled(world, userEmail="bob@x.test", teams=[{"teamRef": {"name": "eng"}}])
        assert members(world) == {}
        assert world.condition(KIND, "bob", "MembershipsApplied") == ("False", "MembershipRefused")
        assert "LiteLLMTeam eng" in world.message(KIND, "bob", "MembershipsApplied")
        assert [one["synced"] for one in status(world)["resolvedTeams"]] == [False]
        first = status(world)
        world.forget_calls()
        assert await world.sync(KIND, "bob") == first
        assert world.proxy.admin_calls == []
        # The team's next edit starts a sync of the user, whom it refers to.
        await team(world, "eng", memberManagement="crd", members=[{"email": "bob@x.test"}])
        await world.sync(KIND, "bob")
        assert world.condition(KIND, "bob", "MembershipsApplied") == ("", "")
        assert members(world) == {"bob": "user"}

    run(scenario())


@pytest.mark.parametrize("mode", ["crd", "mixed"])
def test_a_team_that_lists_the_user_says_the_role_and_neither_undoes_the_other(mode: str) -> None:
    async def scenario() -> None:
        world = await provided()
        world.proxy.database.licensed = True
        wish(world, userEmail="bob@x.test")
        await team(world, "eng", memberManagement=mode, members=[{"email": "BOB@x.test", "role": "admin"}])
        for reference in ({"teamRef": {"name": "eng"}}, {"teamId": "eng"}):
            for _ in range(2):
                await settled(world, userEmail="bob@x.test", teams=[{**reference, "role": "user", "maxBudgetInTeam": 5}])
                await world.sync("LiteLLMTeam", "eng")
                assert (members(world), budget(world)) == ({"bob": "admin"}, 5)

    run(scenario())


@RELEASES
def test_the_first_password_is_set_once_and_again_only_when_its_secret_changes(version: str) -> None:
    async def scenario() -> None:
        world = await provided(version)
        row = await settled(world, **PASSWORD)
        assert row["password"] == "Correct-horse-1"
        assert world.condition(KIND, "bob", "InitialPasswordApplied") == ("True", "Applied")
        digest = status(world)["initialPasswordDigest"]
        assert password.matches("Correct-horse-1", digest)
        row["password"] = "the user's own"
        await settled(world, tpmLimit=1, **PASSWORD)
        world.secret("bob-password", password="Correct-horse-1", note="touched")
        await settled(world, tpmLimit=1, **PASSWORD)
        assert (row["password"], status(world)["initialPasswordDigest"]) == ("the user's own", digest)
        world.secret("bob-password", password="Battery-staple-2")
        await settled(world, tpmLimit=1, **PASSWORD)
        assert row["password"] == "Battery-staple-2"
        assert "Battery" not in str(status(world))
        await settled(world, tpmLimit=1)
        assert "initialPasswordDigest" not in status(world)
        assert world.condition(KIND, "bob", "InitialPasswordApplied") == ("", "")
        assert row["password"] == "Battery-staple-2"

    run(scenario())


def test_a_password_that_the_go_operator_has_set_is_not_set_again() -> None:
    async def scenario() -> None:
        world = await provided()
        wish(world, **PASSWORD)
        digest = password.digest_of("Correct-horse-1")
        world.objects[KIND, "bob"]["status"] = {"litellmUserId": "bob", "synced": True, "initialPasswordDigest": digest}
        row = await settled(world, **PASSWORD)
        assert row["password"] is None
        assert world.condition(KIND, "bob", "InitialPasswordApplied") == ("True", "Applied")

    run(scenario())


DIGESTS = [
    ("one that begins as the Go operator's do", "$2a$10$84Sp80lsVm8/f41vhenR.ulqaZJrpZEnNU9/izc0cEV5NmVjkKNbu", True),
    ("an empty one", "", False),
    ("one that is none", "not a digest", False),
    ("one of another password", password.digest_of("x" * 72 + "b"), False),
    ("one of the same long password", password.digest_of("x" * 72 + "a"), True),
]


@pytest.mark.parametrize(("why", "digest", "expected"), DIGESTS, ids=[row[0] for row in DIGESTS])
def test_a_digest_tells_passwords_apart_whatever_their_length(why: str, digest: str, expected: bool) -> None:
    assert password.matches("x" * 72 + "a", digest) is expected, why


SECRETS = [
    ("SecretNotFound", lambda world: world.remove("Secret", "bob-password")),
    ("SecretKeyMissing", lambda world: world.secret("bob-password", other="x")),
    ("SecretKeyMissing", lambda world: world.secret("bob-password", password="")),
    ("SecretFetchFailed", lambda world: (world.remove("Secret", "bob-password"), world.unreadable.add("bob-password"))),
]


@pytest.mark.parametrize(("reason", "spoil"), SECRETS, ids=["missing", "without the key", "empty", "unreadable"])
def test_a_password_that_cannot_be_had_holds_nothing_else_up(reason: str, spoil: Any) -> None:
    async def scenario() -> None:
        world = await provided()
        spoil(world)
        row = await settled(world, **PASSWORD)
        assert world.condition(KIND, "bob", "InitialPasswordApplied") == ("False", reason)
        if reason == "SecretFetchFailed":
            assert world.comes_back_in <= 45
        world.unreadable.clear()
        world.secret("bob-password", password="Correct-horse-1")
        await settled(world, **PASSWORD)
        assert world.condition(KIND, "bob", "InitialPasswordApplied") == ("True", "Applied")
        assert row["password"] == "Correct-horse-1"

    run(scenario())


def test_a_password_that_litellm_rejects_is_told_without_it_and_tried_again_when_the_secret_changes() -> None:
    async def scenario() -> None:
        world = await provided()
        world.secret("bob-password", password="hunter2")
        row = await settled(world, **PASSWORD)
        assert world.condition(KIND, "bob", "InitialPasswordApplied") == ("False", "PasswordRejected")
        assert "must be at least 12 characters" in world.message(KIND, "bob", "InitialPasswordApplied")
        assert "hunter2" not in str(status(world))
        world.forget_calls()
        await world.sync(KIND, "bob")
        assert world.proxy.admin_calls == []
        world.secret("bob-password", password="Correct-horse-1")
        await settled(world, **PASSWORD)
        assert row["password"] == "Correct-horse-1"

    run(scenario())


def test_a_password_that_did_not_get_through_is_sent_again_soon_and_the_user_is_in_step_all_the_while() -> None:
    async def scenario() -> None:
        world = await provided()
        world.proxy.faults.append(Fault("POST /user/update", status=500, text="upstream said Correct-horse-1", times=1))
        row = await settled(world, **PASSWORD)
        assert world.condition(KIND, "bob", "InitialPasswordApplied") == ("False", "ApplyFailed")
        assert "horse" not in str(status(world))
        assert world.comes_back_in <= 45
        await settled(world, **PASSWORD)
        assert world.condition(KIND, "bob", "InitialPasswordApplied") == ("True", "Applied")
        assert row["password"] == "Correct-horse-1"
        assert world.comes_back_in >= 200

    run(scenario())
