"""Members of a LiteLLMTeam: who decides on them, and what is told of those who are not in the team as the spec says."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from app.litellm.entities.membership import Listed, Member, changes
from app.sim.fake_litellm import FakeLiteLLM, Fault
from tests.unit.entities.world import World
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from app.hooks.objects import Object

KIND = "LiteLLMTeam"
RELEASES = pytest.mark.parametrize("version", ["1.81.14", "1.110.2"])
A, B, C = ({"email": f"{name}@x.test"} for name in "abc")


def wish(world: World, *members: Object, **spec: Any) -> None:
    """The team ``eng`` with these members, or an edit of it."""
    world.entity(KIND, "eng", None, **{"teamAlias": "eng", "teamId": "eng", "members": list(members), **spec})


async def settled(world: World, *members: Object, **spec: Any) -> Object:
    """A team in step; its status."""
    wish(world, *members, **spec)
    status = await world.sync(KIND, "eng")
    assert world.condition(KIND, "eng") == ("True", "Synced"), world.message(KIND, "eng")
    return status


def there(world: World) -> dict[str, str]:
    """Roles in LiteLLM by address or, without one, by id."""
    return {one["user_email"] or one["user_id"]: one["role"] for one in world.rows("teams")["eng"]["members_with_roles"][1:]}


def told(status: Object, field: str = "crdMembers") -> dict[str, tuple[str, bool]]:
    """Role and success by address."""
    return {one["email"]: (one["role"], one["synced"]) for one in status[field]}


async def by_hand(world: World, **person: str) -> None:
    """Somebody adds a member beside us."""
    answer = await _ask(world, "/team/member_add", {"team_id": "eng", "member": [{"role": "user", **person}]})
    assert answer == 200


async def _ask(world: World, path: str, body: Object) -> int:
    transport = httpx2.ASGITransport(app=world.proxy)
    async with httpx2.AsyncClient(transport=transport, base_url="http://proxy") as client:
        answer = await client.post(path, json=body, headers={"Authorization": f"Bearer {world.proxy.master_key}"})
    return answer.status_code


MODES = [
    ("crd", {"a", "c"}, {"add c, and remove b and who was put there by hand"}),
    ("mixed", {"a", "c", "hand"}, {"add c, and remove b, which was listed before; leave who was put there by hand"}),
    ("sso", {"a", "b", "hand"}, {"nobody is added or removed"}),
]


@RELEASES
@pytest.mark.parametrize(("mode", "expected", "why"), MODES, ids=[mode for mode, *_ in MODES])
def test_each_mode_has_its_own_idea_of_who_decides(version: str, mode: str, expected: set[str], why: str) -> None:
    async def scenario() -> None:
        world = World()
        world.proxy.version = version
        await settled(world, A, B, memberManagement="mixed")
        await by_hand(world, user_email="hand@x.test")
        status = await settled(world, A, C, memberManagement=mode)
        assert there(world).keys() == {f"{name}@x.test" for name in expected}, why
        assert status["totalMemberCount"] == len(expected)
        own = set() if mode == "sso" else {"a", "c"}
        assert told(status).keys() == {f"{name}@x.test" for name in own}
        assert told(status, "ssoMembers").keys() == {f"{name}@x.test" for name in expected - own}

    run(scenario())


def test_members_at_rest_cost_no_call() -> None:
    async def scenario() -> None:
        world = World()
        status = await settled(world, A, B)
        assert status["crdMembers"] == [
            {"email": "a@x.test", "role": "user", "source": "crd", "synced": True},
            {"email": "b@x.test", "role": "user", "source": "crd", "synced": True},
        ]
        assert world.proxy.admin_calls.count("POST /team/member_add") == 1
        world.forget_calls()
        assert await world.sync(KIND, "eng") == status
        assert world.proxy.admin_calls == []

    run(scenario())


@RELEASES
def test_an_edit_of_a_role_reaches_litellm_and_keeps_the_members_own_budget(version: str) -> None:
    async def scenario() -> None:
        world = World()
        world.proxy.version = version
        world.proxy.database.licensed = True
        await settled(world, A)
        (user,) = world.rows("users")
        assert await _ask(world, "/team/member_update", {"team_id": "eng", "user_id": user, "max_budget_in_team": 3}) == 200
        await settled(world, {**A, "role": "admin"})
        assert there(world) == {"a@x.test": "admin"}
        budget = world.rows("team memberships")[f"eng/{user}"]["budget_id"]
        assert world.rows("budgets")[budget]["max_budget"] == 3
        await settled(world, A)
        assert there(world) == {"a@x.test": "user"}

    run(scenario())


@RELEASES
def test_an_edit_of_a_role_cuts_nobody_off_from_the_limits_of_all_members(version: str) -> None:
    async def scenario() -> None:
        world = World()
        world.proxy.version = version
        world.proxy.database.licensed = True
        await settled(world, A, teamMemberBudget=5)
        await settled(world, {**A, "role": "admin"}, teamMemberBudget=5)
        (user,) = world.rows("users")
        budget = world.rows("team memberships")[f"eng/{user}"]["budget_id"]
        assert world.rows("budgets")[budget]["max_budget"] == 5
        of_all = world.rows("teams")["eng"]["metadata"]["team_member_budget_id"]
        assert (budget == of_all) is (version != "1.81.14")

    run(scenario())


def test_a_role_that_takes_a_licence_is_told_with_its_member_and_holds_nobody_else_up() -> None:
    async def scenario() -> None:
        world = World()
        wish(world, {**A, "role": "admin"}, B)
        status = await world.sync(KIND, "eng")
        assert world.condition(KIND, "eng") == ("False", "EnterpriseLicenseRequired")
        assert "a@x.test" in world.message(KIND, "eng")
        assert world.comes_back_in >= 120
        assert there(world) == {"b@x.test": "user"}
        assert told(status) == {"a@x.test": ("admin", False), "b@x.test": ("user", True)}
        world.proxy.database.licensed = True
        assert told(await settled(world, {**A, "role": "admin"}, B)) == {"a@x.test": ("admin", True), "b@x.test": ("user", True)}

    run(scenario())


def test_a_member_whom_litellm_refuses_is_told_retried_and_in_nobodys_way() -> None:
    async def scenario() -> None:
        world = World()
        # All together, then each by itself: a fails, b does not.
        world.proxy.faults.append(Fault("POST /team/member_add", status=400, text="no such mail domain", times=2))
        wish(world, A, B)
        status = await world.sync(KIND, "eng")
        assert world.condition(KIND, "eng") == ("False", "SyncFailed")
        assert "a@x.test is not a member as the spec says: LiteLLM answered 400" in world.message(KIND, "eng")
        assert told(status) == {"a@x.test": ("user", False), "b@x.test": ("user", True)}
        assert (await settled(world, A, B))["totalMemberCount"] == 2

    run(scenario())


def test_a_member_who_could_not_be_removed_is_not_forgotten() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world, A, B)
        world.proxy.faults.append(Fault("POST /team/member_delete", status=400, text="not now"))
        wish(world, A)
        status = await world.sync(KIND, "eng")
        assert world.condition(KIND, "eng") == ("False", "SyncFailed")
        assert told(status) == {"a@x.test": ("user", True), "b@x.test": ("user", False)}
        assert told(await settled(world, A)) == {"a@x.test": ("user", True)}
        assert there(world) == {"a@x.test": "user"}

    run(scenario())


def test_a_member_who_stays_is_told_on_one_line_cut_and_without_a_key() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world, A, memberManagement="crd")
        (row,) = world.rows("teams").values()
        odd = "x\x1b1\nsk-0123456789abcdef " + "y" * 1000
        row["members_with_roles"].append({"user_id": odd, "user_email": None, "role": "user"})
        world.proxy.faults = [Fault("POST /team/member_delete", status=200, text='""')]
        wish(world, A, memberManagement="crd", maxBudgetMonthly=2)
        await world.sync(KIND, "eng")
        message = world.message(KIND, "eng")
        assert message.startswith("x1 … yyy")
        assert "… is not removed yet" in message
        assert message.isprintable()
        assert len(message) < 500

    run(scenario())


def test_a_proxy_that_dies_between_two_members_is_no_single_members_failure() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world, A, B)
        world.proxy.faults.append(Fault("POST /team/member_delete", status=0, times=1))
        wish(world, C)
        await world.sync(KIND, "eng")
        assert world.condition(KIND, "eng") == ("False", "ProxyUnavailable")
        await settled(world, C)
        assert there(world) == {"c@x.test": "user"}

    run(scenario())


def test_an_address_that_a_user_of_the_namespace_has_waits_for_that_user() -> None:
    async def scenario() -> None:
        world = World()
        world.entity("LiteLLMUser", "bob", userId="bob-id", userEmail="B@x.test")
        wish(world, A, B)
        status = await world.sync(KIND, "eng")
        assert world.condition(KIND, "eng") == ("False", "ReferenceNotReady")
        assert "LiteLLMUser bob" in world.message(KIND, "eng")
        assert told(status) == {"a@x.test": ("user", True), "b@x.test": ("user", False)}
        await world.sync("LiteLLMUser", "bob")
        assert (await settled(world, A, B))["totalMemberCount"] == 2
        assert "bob-id" in {one["user_id"] for one in world.rows("teams")["eng"]["members_with_roles"]}
        assert len(world.rows("users")) == 2

    run(scenario())


def test_a_user_of_another_gateway_with_the_same_address_is_nobody_to_wait_for() -> None:
    async def scenario() -> None:
        world = World()
        world.entity("LiteLLMUser", "bob", userId="bob-id", userEmail="b@x.test", instanceRef={"name": "other"})
        assert (await settled(world, B))["totalMemberCount"] == 1

    run(scenario())


def test_a_member_who_leaves_a_mixed_teams_list_stays_while_a_user_of_the_namespace_wants_it() -> None:
    async def scenario() -> None:
        world = World()
        world.entity("LiteLLMUser", "bob", userId="bob-id", userEmail="b@x.test", teams=[{"teamRef": {"name": "eng"}}])
        wish(world, B)
        await world.sync(KIND, "eng")
        await world.sync("LiteLLMUser", "bob")
        await settled(world, B)
        status = await settled(world)
        assert there(world).keys() == {"b@x.test"}
        assert (told(status), told(status, "ssoMembers").keys()) == ({}, {"b@x.test"})

    run(scenario())


def test_addresses_are_compared_as_litellm_does_and_each_counts_once() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world, {"email": "A@x.test"}, A)
        status = await settled(world, A)
        assert status["totalMemberCount"] == 1
        assert world.proxy.admin_calls.count("POST /team/member_add") == 1
        assert world.proxy.admin_calls.count("POST /team/member_delete") == 0

    run(scenario())


def test_a_removed_members_keys_in_the_team_go_and_those_elsewhere_stay() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world, A)
        (user,) = world.rows("users")
        world.rows("keys")["in"] = {"team_id": "eng", "user_id": user}
        world.rows("keys")["out"] = {"team_id": None, "user_id": user}
        await settled(world)
        assert list(world.rows("keys")) == ["out"]

    run(scenario())


def test_two_hooks_change_one_team_one_after_the_other() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world)
        world.proxy.latency = 1
        for name in ("ann", "bob"):
            world.entity("LiteLLMUser", name, userId=name, teams=[{"teamRef": {"name": "eng"}}])
        world.forget_calls()
        await asyncio.gather(world.sync("LiteLLMUser", "ann"), world.sync("LiteLLMUser", "bob"))
        of_the_team = [call for call in world.proxy.admin_calls if "/team/" in call]
        assert of_the_team == ["GET /team/info", "POST /team/member_add", "GET /team/info"] * 2
        assert there(world).keys() == {"ann", "bob"}

    run(scenario())


def test_a_hook_that_waits_long_for_its_turn_comes_back_later() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world, A)
        admin = world.context.admin
        async with admin.turns.turn("http://gw.team.svc:4000", "team eng"):
            wish(world, A, B)
            await world.sync(KIND, "eng")
        assert world.condition(KIND, "eng") == ("False", "SyncFailed")
        assert "later" in world.message(KIND, "eng")
        assert told(await settled(world, A, B)).keys() == {"a@x.test", "b@x.test"}

    run(scenario())


CHANGES = [
    ("nothing is listed and nobody is there", "crd", [], [], [], ([], [], [])),
    ("who has no address is removed by crd, which lists addresses", "crd", [], [("u1", "")], [], ([], [], ["u1"])),
    ("who has no address was not put there by mixed", "mixed", [], [("u1", "")], [""], ([], [], [])),
    ("who was put there and is gone is nobody's to remove", "mixed", [], [], ["a@x"], ([], [], [])),
    ("an address that was put there in other letters is the same", "mixed", [], [("u1", "a@x")], ["A@X"], ([], [], ["u1"])),
    ("another role is an edit", "mixed", [("a@x", "admin")], [("u1", "a@x")], [], ([], ["u1"], [])),
]


@pytest.mark.parametrize(("why", "mode", "listed", "members", "before", "expected"), CHANGES, ids=[row[0] for row in CHANGES])
def test_changes(why: str, mode: str, listed: Any, members: Any, before: list[str], expected: Any) -> None:
    people = [Listed(email, role) for email, role in listed]
    found = changes(mode, people, tuple(Member(user, email, "user") for user, email in members), before)
    names = (
        [one.email for one in found.add],
        [member.user_id for _, member in found.edit],
        [one.user_id for one in found.remove],
    )
    assert names == expected, why


def test_no_message_about_a_member_repeats_the_master_key() -> None:
    async def scenario() -> None:
        world = World(proxy=FakeLiteLLM(master_key="sk-1 two"), master_key="sk-1 two")
        world.proxy.faults.append(Fault("POST /team/member_add", status=400, text="your key is sk-1 two"))
        wish(world, A)
        await world.sync(KIND, "eng")
        assert "your key is …" in world.message(KIND, "eng")

    run(scenario())
