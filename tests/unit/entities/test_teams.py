"""LiteLLMTeam: limits in common under a mark in the team's metadata, destinations of logs, and what a licence is for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.apis.litellm.team import LiteLLMTeamSpec
from app.litellm.entities.ownership import MARK
from app.sim.fake_litellm import Fault
from tests.unit.entities.world import World
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from app.hooks.objects import Object

KIND = "LiteLLMTeam"
RELEASES = pytest.mark.parametrize("version", ["1.81.14", "1.110.2"])
LANGFUSE: Object = {"name": "langfuse", "credentialsSecretRef": {"name": "lf"}}
NOTHING: Object = {"mcp_servers": [], "mcp_access_groups": [], "vector_stores": [], "agents": []}
FULL: Object = {
    "organizationRef": {"name": "acme"},
    "teamId": "eng-id",
    "teamAlias": "eng",
    "models": ["gpt"],
    "maxBudgetMonthly": 10,
    "budgetDuration": "30d",
    "tpmLimit": 0,
    "rpmLimit": 2,
    "teamMemberRpmLimit": 3,
    "teamMemberTpmLimit": 4,
    "teamMemberBudget": 5,
    "softBudget": 6,
    "modelRpmLimit": {"gpt": 7},
    "modelTpmLimit": {"gpt": 8},
    "metadata": {"cost-centre": "4711"},
    "blocked": True,
    "objectPermission": {"mcpServers": ["docs"], "agents": ["a"]},
    "tags": ["production"],
    "maxParallelRequests": 9,
    "memberManagement": "crd",
    "members": [{"email": "a@x.test"}],
    "guardrails": ["mask"],
    "logging": {"callbacks": [LANGFUSE]},
}


def provided(version: str = "1.110.2") -> World:
    """A world with an organization and the credentials of a destination."""
    world = World()
    world.proxy.version = version
    world.rows("organizations")["org-1"] = {}
    world.entity("LiteLLMOrganization", "acme", organizationAlias="acme")["status"] = {"litellmOrganizationId": "org-1"}
    world.secret("lf", langfuse_public_key="pk-0123\n", langfuse_secret="sk-very-secret")
    return world


def wish(world: World, annotations: dict[str, str] | None = None, **spec: Any) -> None:
    """The team ``eng``, or an edit of it."""
    world.entity(KIND, "eng", annotations, **{"teamAlias": "eng", **spec})


async def settled(world: World, **spec: Any) -> Object:
    """A team in step; its row."""
    wish(world, **spec)
    status = await world.sync(KIND, "eng")
    assert world.condition(KIND, "eng") == ("True", "Synced"), world.message(KIND, "eng")
    return world.rows("teams")[status["litellmTeamId"]]


def limits_of_members(world: World, row: Object) -> Object:
    """What LiteLLM keeps for all members of a team."""
    return world.rows("budgets")[row["metadata"]["team_member_budget_id"]]


@RELEASES
def test_every_field_of_the_spec_reaches_litellm(version: str) -> None:
    async def scenario() -> None:
        assert {field.alias for field in LiteLLMTeamSpec.model_fields.values()} == {*FULL, "instanceRef"}
        world = provided(version)
        world.proxy.database.licensed = True
        row = dict(await settled(world, **FULL))
        limits = limits_of_members(world, row)
        assert {name: limits[name] for name in ("max_budget", "rpm_limit", "tpm_limit")} == {
            "max_budget": 5,
            "rpm_limit": 3,
            "tpm_limit": 4,
        }
        metadata = dict(row.pop("metadata"))
        (destination,) = metadata.pop("logging")
        assert (destination["callback_name"], destination["callback_type"]) == ("langfuse", "success_and_failure")
        assert destination["callback_vars"].keys() == {"langfuse_public_key", "langfuse_secret"}
        assert metadata.pop(MARK)["owner"] == "north/team/eng"
        del metadata["team_member_budget_id"]
        assert metadata == {
            "cost-centre": "4711",
            "model_rpm_limit": {"gpt": 7},
            "model_tpm_limit": {"gpt": 8},
            "tags": ["production"],
            "guardrails": ["mask"],
        }
        assert [one["user_email"] for one in row.pop("members_with_roles")] == [None, "a@x.test"]
        assert row == {
            "team_id": "eng-id",
            "team_alias": "eng",
            "organization_id": "org-1",
            "models": ["gpt"],
            "spend": 0.0,
            "max_budget": 10,
            "soft_budget": 6,
            "budget_duration": "30d",
            "tpm_limit": 0,
            "rpm_limit": 2,
            "max_parallel_requests": None,
            "blocked": True,
            "object_permission": {**NOTHING, "mcp_servers": ["docs"], "agents": ["a"]},
        }
        # Sent, and without effect in every release there is.
        (made,) = [call.body for call in world.proxy.calls if call.path == "/team/new"]
        assert made["max_parallel_requests"] == 9
        assert world.condition(KIND, "eng", "FieldsApplied") == ("False", "FieldsIgnored")
        assert "maxParallelRequests" in world.message(KIND, "eng", "FieldsApplied")

    run(scenario())


@RELEASES
def test_every_field_that_leaves_the_spec_is_cleared_and_what_others_put_there_stays(version: str) -> None:
    async def scenario() -> None:
        world = provided(version)
        world.proxy.database.licensed = True
        row = await settled(world, **FULL)
        row["metadata"]["theirs"] = 1
        row = dict(await settled(world, teamId="eng-id"))
        limits = limits_of_members(world, row)
        assert [limits[name] for name in ("max_budget", "rpm_limit", "tpm_limit")] == [None, None, None]
        metadata = dict(row.pop("metadata"))
        assert metadata.pop(MARK)["fields"] == ["team_alias"]
        del metadata["team_member_budget_id"]
        assert metadata == {"theirs": 1}
        assert [one["user_email"] for one in row.pop("members_with_roles")] == [None]
        assert row == {
            "team_id": "eng-id",
            "team_alias": "eng",
            "organization_id": None,
            "models": [],
            "spend": 0.0,
            "max_budget": None,
            "soft_budget": None,
            "budget_duration": None,
            "tpm_limit": None,
            "rpm_limit": None,
            "max_parallel_requests": None,
            "blocked": False,
            "object_permission": NOTHING,
        }
        assert world.condition(KIND, "eng", "FieldsApplied") == ("", "")

    run(scenario())


def test_a_team_is_created_once_and_then_left_alone() -> None:
    async def scenario() -> None:
        world = provided()
        row = await settled(world, maxBudgetMonthly=0)
        assert row["max_budget"] == 0
        first = world.objects[KIND, "eng"]["status"]
        assert (first["synced"], first["totalMemberCount"], first["currentSpend"]) == (True, 0, 0)
        assert (first["loggingSynced"], first["loggingDisabled"]) == (False, False)
        world.forget_calls()
        assert await world.sync(KIND, "eng") == first
        assert world.proxy.admin_calls == []

    run(scenario())


@RELEASES
def test_an_edit_of_what_is_kept_in_the_metadata_keeps_the_mark_and_all_else_in_there(version: str) -> None:
    async def scenario() -> None:
        world = provided(version)
        await settled(world, modelRpmLimit={"gpt": 1}, teamMemberBudget=5)
        row = await settled(world, modelRpmLimit={"gpt": 2}, teamMemberBudget=6, softBudget=1)
        assert row["metadata"][MARK]["owner"] == "north/team/eng"
        assert row["metadata"]["model_rpm_limit"] == {"gpt": 2}
        assert limits_of_members(world, row)["max_budget"] == 6

    run(scenario())


def test_a_lower_budget_without_the_old_soft_one_is_no_contradiction() -> None:
    async def scenario() -> None:
        world = provided()
        await settled(world, maxBudgetMonthly=10, softBudget=5)
        row = await settled(world, maxBudgetMonthly=4)
        assert (row["max_budget"], row["soft_budget"]) == (4, None)

    run(scenario())


def test_a_limit_that_somebody_set_by_hand_is_left_and_one_that_the_spec_never_had_is_not_cleared() -> None:
    async def scenario() -> None:
        world = provided()
        row = await settled(world)
        row["rpm_limit"] = 9
        row["max_parallel_requests"] = 3
        row = await settled(world, tpmLimit=1)
        assert (row["rpm_limit"], row["tpm_limit"]) == (9, 1)
        assert world.condition(KIND, "eng", "FieldsApplied") == ("", "")

    run(scenario())


def test_a_team_of_an_organization_waits_for_it() -> None:
    async def scenario() -> None:
        world = provided()
        world.objects["LiteLLMOrganization", "acme"]["status"] = {}
        wish(world, organizationRef={"name": "acme"})
        await world.sync(KIND, "eng")
        assert world.condition(KIND, "eng") == ("False", "ReferenceNotReady")
        assert "spec.organizationRef" in world.message(KIND, "eng")
        assert world.proxy.admin_calls == []

    run(scenario())


def test_guardrails_wait_for_a_licence_and_the_team_does_not() -> None:
    async def scenario() -> None:
        world = provided()
        wish(world, models=["pool"], tags=[], guardrails=["pii"], maxBudgetMonthly=0)
        for _ in range(3):
            await world.sync(KIND, "eng")
            assert (
                world.condition(KIND, "eng") == world.condition(KIND, "eng", "Synced") == ("False", "EnterpriseLicenseRequired")
            )
            assert world.comes_back_in >= 120
        (row,) = world.rows("teams").values()
        assert (row["max_budget"], row["models"]) == (0, ["pool"])
        assert "guardrails" not in row["metadata"]
        assert "tags" not in row["metadata"]
        assert not any("tags" in call.body for call in world.proxy.calls if call.body)
        world.proxy.database.licensed = True
        await world.sync(KIND, "eng")
        assert world.condition(KIND, "eng") == ("True", "Synced")
        assert row["metadata"]["guardrails"] == ["pii"]

    run(scenario())


def test_a_licence_that_ends_takes_no_guardrail_away() -> None:
    async def scenario() -> None:
        world = provided()
        world.proxy.database.licensed = True
        row = await settled(world, guardrails=["pii"])
        world.proxy.database.licensed = False
        wish(world, guardrails=["pii"], tpmLimit=1)
        await world.sync(KIND, "eng")
        assert world.condition(KIND, "eng") == ("False", "EnterpriseLicenseRequired")
        assert (row["tpm_limit"], row["metadata"]["guardrails"]) == (1, ["pii"])
        row = await settled(world, tpmLimit=1)
        assert "guardrails" not in row["metadata"]

    run(scenario())


def test_a_team_id_in_the_spec_takes_over_a_team_which_stays_when_its_resource_goes() -> None:
    async def scenario() -> None:
        world = provided()
        world.rows("teams")["eng-id"] = {**row_of_nobody("eng-id"), "metadata": {"theirs": 1}, "rpm_limit": 3}
        row = await settled(world, teamId="eng-id", tpmLimit=1)
        assert world.condition(KIND, "eng", "Adopted") == ("True", "ExistedBefore")
        assert (row["team_alias"], row["tpm_limit"], row["rpm_limit"], row["metadata"]["theirs"]) == ("eng", 1, 3, 1)
        assert await world.finalize(KIND, "eng")
        assert "eng-id" in world.rows("teams")

    run(scenario())


def row_of_nobody(team: str) -> Object:
    """A team as somebody else made it."""
    nothing = ("organization_id", "max_budget", "soft_budget", "budget_duration", "tpm_limit", "rpm_limit", "object_permission")
    return {
        "team_id": team,
        "team_alias": "old",
        "members_with_roles": [],
        "metadata": {},
        "models": [],
        "spend": 2.5,
        "max_parallel_requests": None,
        "blocked": False,
        **dict.fromkeys(nothing),
    }


def test_a_team_id_that_does_not_exist_is_created_and_goes_with_its_resource() -> None:
    async def scenario() -> None:
        world = provided()
        await settled(world, teamId="eng-id")
        assert world.condition(KIND, "eng", "Adopted") == ("", "")
        assert await world.finalize(KIND, "eng")
        assert world.rows("teams") == {}

    run(scenario())


def test_a_team_with_the_mark_of_another_cluster_is_a_conflict_and_stays_as_it_is() -> None:
    async def scenario() -> None:
        world = provided()
        theirs = {**row_of_nobody("eng-id"), "metadata": {MARK: {"owner": "south/team/eng"}}}
        world.rows("teams")["eng-id"] = dict(theirs)
        wish(world, teamId="eng-id", maxBudgetMonthly=1)
        await world.sync(KIND, "eng")
        assert world.condition(KIND, "eng") == ("False", "Conflict")
        assert await world.finalize(KIND, "eng")
        assert world.rows("teams")["eng-id"] == theirs

    run(scenario())


def test_the_id_of_a_bound_team_wins_over_an_edit_of_the_spec() -> None:
    async def scenario() -> None:
        world = provided()
        await settled(world, teamId="eng-id")
        await settled(world, teamId="other")
        assert list(world.rows("teams")) == ["eng-id"]
        assert world.condition(KIND, "eng", "IdentityKept") == ("False", "IdChanged")

    run(scenario())


@RELEASES
def test_a_team_of_the_go_operator_is_kept_under_its_id_and_found_again_when_the_status_is_lost(version: str) -> None:
    async def scenario() -> None:
        world = provided(version)
        world.rows("teams")["go-made"] = row_of_nobody("go-made")
        wish(world)
        world.objects[KIND, "eng"]["status"] = {"litellmTeamId": "go-made", "synced": True}
        row = await settled(world)
        assert row["metadata"][MARK]["owner"] == "north/team/eng"
        assert row["spend"] == 2.5
        del world.objects[KIND, "eng"]["status"]
        status = await world.sync(KIND, "eng")
        assert status["litellmTeamId"] == "go-made"
        assert list(world.rows("teams")) == ["go-made"]

    run(scenario())


def test_a_team_of_the_same_alias_that_is_somebody_elses_is_not_taken() -> None:
    async def scenario() -> None:
        world = provided()
        world.rows("teams")["theirs"] = {**row_of_nobody("theirs"), "team_alias": "eng"}
        row = await settled(world)
        assert row["team_id"] != "theirs"
        assert world.rows("teams")["theirs"]["metadata"] == {}

    run(scenario())


@pytest.mark.parametrize("after", [False, True], ids=["lost on the way", "lost on the way back"])
@pytest.mark.parametrize("status", [0, 500, 503])
def test_a_creation_without_an_answer_makes_one_team(after: bool, status: int) -> None:
    async def scenario() -> None:
        world = provided()
        world.proxy.faults.append(Fault("POST /team/new", status=status, after=after))
        wish(world, members=[{"email": "a@x.test"}])
        await world.sync(KIND, "eng")
        row = await settled(world, members=[{"email": "a@x.test"}])
        assert len(world.rows("teams")) == 1
        assert [one["user_email"] for one in row["members_with_roles"]] == [None, "a@x.test"]
        assert await world.finalize(KIND, "eng")
        assert world.rows("teams") == {}

    run(scenario())


@RELEASES
def test_a_team_goes_with_its_resource_even_if_it_is_gone_already_or_the_status_is_lost(version: str) -> None:
    async def scenario() -> None:
        for gone, lost in ((False, False), (True, False), (False, True)):
            world = provided(version)
            await settled(world)
            if gone:
                world.rows("teams").clear()
            if lost:
                del world.objects[KIND, "eng"]["status"]
            assert await world.finalize(KIND, "eng")
            assert world.rows("teams") == {}
            assert world.left_behind == []

    run(scenario())


@RELEASES
def test_destinations_of_logs_follow_the_spec_and_their_secret_and_go_with_the_block(version: str) -> None:
    async def scenario() -> None:
        world = provided(version)
        row = await settled(world, logging={"callbacks": [{**LANGFUSE, "config": {"langfuse_host": "https://lf"}}]})
        status = world.objects[KIND, "eng"]["status"]
        assert (status["loggingSynced"], status["loggingDisabled"]) == (True, False)
        assert row["metadata"]["logging"][0]["callback_vars"].keys() == {
            "langfuse_public_key",
            "langfuse_secret",
            "langfuse_host",
        }
        stored = row["metadata"]["logging"]

        world.secret("lf", langfuse_public_key="pk-9", langfuse_secret="sk-very-secret")
        await world.sync(KIND, "eng")
        assert row["metadata"]["logging"] != stored

        failures = {**LANGFUSE, "type": "failure"}
        row = await settled(world, logging={"callbacks": [failures, {**LANGFUSE, "type": "success"}]})
        assert [one["callback_type"] for one in row["metadata"]["logging"]] == ["failure", "success"]

        row = await settled(world, logging={"disabled": True, "callbacks": [LANGFUSE]})
        assert row["metadata"]["logging"] == []
        status = world.objects[KIND, "eng"]["status"]
        assert (status["loggingSynced"], status["loggingDisabled"]) == (True, True)

        row = await settled(world)
        assert "logging" not in row["metadata"]

    run(scenario())


def test_destinations_that_somebody_set_by_hand_are_left() -> None:
    async def scenario() -> None:
        world = provided()
        row = await settled(world)
        row["metadata"]["logging"] = theirs = [{"callback_name": "langsmith", "callback_type": "success", "callback_vars": {}}]
        row = await settled(world, tpmLimit=1)
        assert row["metadata"]["logging"] == theirs

    run(scenario())


def test_variables_that_litellm_does_not_know_or_reads_from_its_environment_are_kept_from_it_and_told() -> None:
    async def scenario() -> None:
        world = provided("1.81.14")
        world.secret("lf", langfuse_public_key="pk", langfuse_secret="os.environ/DATABASE_URL", password="hunter2")
        row = await settled(world, logging={"callbacks": [{**LANGFUSE, "config": {"langfuse_environment": "dev"}}]})
        assert row["metadata"]["logging"][0]["callback_vars"] == {"langfuse_public_key": "pk"}
        assert world.condition(KIND, "eng", "FieldsApplied") == ("False", "FieldsIgnored")
        message = world.message(KIND, "eng", "FieldsApplied")
        for name in ("spec.logging.callbacks[0]", "langfuse_environment", "langfuse_secret", "password"):
            assert name in message
        assert "hunter2" not in message

    run(scenario())


def test_the_secret_of_a_destination_is_waited_for_and_its_values_are_in_no_message() -> None:
    async def scenario() -> None:
        world = provided()
        world.remove("Secret", "lf")
        wish(world, logging={"callbacks": [LANGFUSE]})
        await world.sync(KIND, "eng")
        assert world.condition(KIND, "eng") == ("False", "SecretNotFound")
        world.secret("lf", langfuse_public_key="pk", langfuse_secret="sk-very-secret")
        world.proxy.faults.append(Fault("POST /team/new", status=422, text="input was sk-very-secret"))
        await world.sync(KIND, "eng")
        assert world.condition(KIND, "eng") == ("False", "SyncFailed")
        assert "very-secret" not in str(world.objects[KIND, "eng"]["status"])

    run(scenario())
