"""Config sync at the real proxy: lists show every object as it was told, and what changes there is found and put back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from app.apis.litellm.instance.config_sync import USUAL
from app.controllers.entities.kinds import ENTITY_KINDS
from app.kube.reader import ReadFailed
from app.litellm.snapshots import Snapshots
from app.litellm.target import Target
from app.litellm.trust import SYSTEM_STORE
from tests.contract.entities import RealWorld
from tests.contract.peer.releases import RELEASES
from tests.unit.entities.world import WorldReader

if TYPE_CHECKING:
    from datetime import datetime

    from app.controllers.entities.kind import EntityKind
    from app.hooks.objects import Object, Resource
    from app.litellm.admin.client import Admin
    from app.litellm.snapshot import Snapshot
    from tests.contract.peer.proxy import Proxy

# What is said of health makes no difference here.
pytestmark = pytest.mark.proxies(*(f"{release.name}-default" for release in RELEASES))

INSTANCE = ("LiteLLMInstance", "gw")
LATER = timedelta(minutes=2)
TRIES = 3


@dataclass
class Synced(RealWorld):
    """A world with config sync on, whose clock is put forward: nobody waits for an interval."""

    ahead: timedelta = timedelta(0)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.configure()

    def configure(self, **config_sync: Any) -> None:
        """The instance with other settings of config sync."""
        spec: Object = self.objects[INSTANCE]["spec"]
        self.instance(spec=spec | {"configSync": {"enabled": True, "auditChanges": True, **config_sync}})

    def now(self) -> datetime:
        return super().now() + self.ahead

    async def later(self, kind: str, name: str) -> Object:
        """The next sync of an object once another snapshot was due, and taken."""
        await self._taken(self.context.snapshots)
        return await self.sync(kind, name)

    async def snapshot(self) -> Snapshot:
        """What the proxy has at this moment."""
        return await self._taken(Snapshots())

    async def _taken(self, snapshots: Snapshots) -> Snapshot:
        """A snapshot begun after this moment. A proxy that has just started may take longer over a list than a call may take."""
        admin = self.context.admin.at(Target(self.endpoint, SYSTEM_STORE), self.master_key)
        troubles: list[str] = []
        for _ in range(TRIES):
            self.ahead += LATER
            found = await self._begun_since(self.now(), snapshots, admin)
            troubles = [f"{noun}: {one.trouble}" for noun, one in found.listings.items() if one.trouble]
            if not troubles:
                return found
        raise AssertionError(troubles)

    async def _begun_since(self, due: datetime, snapshots: Snapshots, admin: Admin) -> Snapshot:
        for _ in range(20):
            found = await snapshots.of(admin, USUAL, self.now())
            if found is not None and found.begun >= due:
                return found
        raise AssertionError("the proxy's lists take longer than half a minute")

    async def settled(self, kind: str, name: str, /, **spec: Any) -> Object:
        """The status of an object that LiteLLM has accepted."""
        self.entity(kind, name, **spec)
        for _ in range(2):
            await self.sync(kind, name)
        assert self.condition(kind, name) == ("True", "Synced"), self.message(kind, name)
        return self.objects[kind, name]["status"]


def kind_of(name: str) -> EntityKind[Any]:
    """The kind of that name."""
    return next(one for one in ENTITY_KINDS if one.resource.resource.kind == name)


def world_at(proxy: Proxy) -> Synced:
    """A new world at that proxy."""
    key = proxy.keys["master"]
    assert key is not None
    return Synced(master_key=key, endpoint=proxy.base_url)


def fullest(world: Synced) -> dict[str, Object]:
    """One object of each kind, with every field that needs neither a licence nor another object."""
    unique = world.unique
    world.secret("provider", key="sk-provider-0123456789")
    return {
        "LiteLLMBudget": {
            "budgetId": unique("tier"),
            "maxBudget": 12.5,
            "softBudget": 10,
            "budgetDuration": "30d",
            "tpmLimit": 1000,
            "rpmLimit": 0,
            "maxParallelRequests": 3,
        },
        "LiteLLMCredential": {
            "credentialName": unique("azure/eu"),
            "apiKeySecretRef": {"name": "provider", "key": "key"},
            "apiBase": "https://eu.example.com",
            "apiVersion": "2024-06-01",
        },
        "LiteLLMCustomer": {
            "customerId": unique("ann"),
            "alias": "Ann",
            "maxBudget": 5,
            "budgetDuration": "7d",
            "tpmLimit": 100,
            "rpmLimit": 10,
            "allowedModelRegion": "eu",
            "blocked": False,
        },
        "LiteLLMMCPServer": {
            "url": "https://mcp.example.com/sse",
            "transport": "sse",
            "serverName": unique("tools").replace("-", "_"),
            "description": "tools",
            "allowedTools": ["search"],
            "accessGroups": ["dev"],
            "staticHeaders": {"X-Tenant": "a"},
            "mcpInfo": {"server_name": "tools"},
        },
        "LiteLLMModel": {
            "modelName": unique("chat"),
            "litellmParams": {
                "model": "openai/gpt-4o",
                "apiBase": "https://eu.example.com/v1",
                "apiKeySecretRef": {"name": "provider", "key": "key"},
                "rpm": 10,
                "tpm": 1000,
                "timeout": 30,
                "maxRetries": 2,
                "temperature": 0.5,
                "maxTokens": 100,
                "extraHeaders": {"X-Tenant": "a"},
            },
            "modelInfo": {
                "maxTokens": 4096,
                "mode": "chat",
                "inputCostPerToken": 0.000001,
                "outputCostPerToken": 0.0000025,
                "accessGroups": ["dev"],
            },
            "tags": ["eu"],
        },
        "LiteLLMOrganization": {
            "organizationAlias": unique("science"),
            "models": ["gpt-4o"],
            "maxBudget": 1000.5,
            "softBudget": 500,
            "budgetDuration": "30d",
            "tpmLimit": 1000,
            "rpmLimit": 10,
            "modelRpmLimit": {"gpt-4o": 5},
            "metadata": {"cost-centre": "17"},
        },
        "LiteLLMTeam": {
            "teamAlias": unique("red"),
            "models": ["gpt-4o"],
            "maxBudgetMonthly": 100.25,
            "softBudget": 50,
            "budgetDuration": "30d",
            "tpmLimit": 1000,
            "rpmLimit": 10,
            "teamMemberBudget": 5,
            "modelRpmLimit": {"gpt-4o": 5},
            "modelTpmLimit": {"gpt-4o": 500},
            "metadata": {"cost-centre": "17"},
            "blocked": False,
            "memberManagement": "sso",
        },
        "LiteLLMUser": {
            "userId": unique("bob"),
            "userEmail": f"{unique('Bob')}@example.com",
            "userRole": "internal_user",
            "maxBudget": 10.5,
            "budgetDuration": "30d",
            "models": ["gpt-4o"],
            "tpmLimit": 100,
            "rpmLimit": 10,
            "modelRpmLimit": {"gpt-4o": 5},
            "metadata": {"cost-centre": "17"},
        },
        "LiteLLMVectorStore": {
            "vectorStoreId": unique("vs"),
            "provider": "openai",
            "name": "docs",
            "description": "documents",
            "metadata": {"owner": "docs"},
            "params": {"api_base": "https://eu.example.com"},
        },
        "LiteLLMVirtualKey": {
            "keyAlias": unique("app"),
            "models": ["gpt-4o"],
            "maxBudget": "12.5",
            "budgetDuration": "30d",
            "expiresAt": "2099-01-01T00:00:00Z",
            "tpmLimit": 100,
            "rpmLimit": 10,
            "modelRpmLimit": {"gpt-4o": 5},
            "metadata": {"cost-centre": "17"},
            "blocked": False,
            "maxParallelRequests": 3,
        },
    }


ORGANIZATION = "LiteLLMOrganization"


def offered(proxy: Proxy, kind: str) -> bool:
    """Newer releases have organizations with a licence only."""
    return kind != ORGANIZATION or proxy.release.name == "oldest"


@pytest.mark.proxies("lts-default", "newest-default")
async def test_a_kind_that_takes_a_licence_is_no_error(proxy: Proxy) -> None:
    listing = (await world_at(proxy).snapshot()).of(kind_of(ORGANIZATION).entity)
    assert (listing.offered, listing.trouble) == (False, "")


LIMITS = {"max_budget", "budget_duration", "tpm_limit", "rpm_limit"}
BY_MODEL = {"model_rpm_limit", "metadata", "models"}
SHOWN: dict[str, set[str]] = {
    "LiteLLMBudget": {*LIMITS, "soft_budget", "max_parallel_requests"},
    "LiteLLMCredential": set(),
    "LiteLLMCustomer": {*LIMITS, "alias", "allowed_model_region", "blocked"},
    "LiteLLMMCPServer": {"server_name", "url", "transport", "description", "allowed_tools", "mcp_access_groups", "mcp_info"},
    "LiteLLMModel": {
        "model_name",
        *(f"litellm_params.{name}" for name in ("model", "api_base", "rpm", "tpm", "timeout", "temperature", "tags")),
        *(f"litellm_params.{name}" for name in ("input_cost_per_token", "output_cost_per_token", "max_tokens")),
        *(f"model_info.{name}" for name in ("max_tokens", "mode", "access_groups")),
    },
    "LiteLLMOrganization": {*LIMITS, "soft_budget", "models", "organization_alias", "model_rpm_limit"},
    "LiteLLMTeam": {*LIMITS, *BY_MODEL, "model_tpm_limit", "team_alias", "blocked"},
    "LiteLLMUser": {*LIMITS, *BY_MODEL, "user_email", "user_role"},
    "LiteLLMVectorStore": {
        "custom_llm_provider",
        "vector_store_name",
        "vector_store_description",
        "vector_store_metadata",
    },
    "LiteLLMVirtualKey": {*LIMITS, *BY_MODEL, "key_alias", "expires", "blocked", "max_parallel_requests"},
}
"""What the lists of all releases show of an object with all these fields."""


@pytest.mark.parametrize("kind", [one.resource.resource.kind for one in ENTITY_KINDS])
async def test_an_object_that_nobody_touched_does_not_differ(proxy: Proxy, kind: str) -> None:
    if not offered(proxy, kind):
        return
    world = world_at(proxy)
    told = await world.settled(kind, "one", **fullest(world)[kind])
    again = await world.later(kind, "one")
    listing = (await world.snapshot()).of(kind_of(kind).entity)
    try:
        assert listing.complete, listing.trouble
        assert listing.rows[told[kind_of(kind).id_field]].fields.keys() >= SHOWN[kind], (
            "what is not shown cannot be found to differ"
        )
        assert world.condition(kind, "one", "Drifted") == ("", ""), world.message(kind, "one", "Drifted")
        assert {**again, "lastSyncTime": ""} == {**told, "lastSyncTime": ""}
    finally:
        assert await world.finalize(kind, "one")


CHANGES: dict[str, tuple[str, str, Object, str]] = {
    "LiteLLMBudget": ("POST", "/budget/update", {"budget_id": "{id}", "max_budget": 99}, "max_budget"),
    "LiteLLMCustomer": ("POST", "/customer/update", {"user_id": "{id}", "alias": "Eve"}, "alias"),
    "LiteLLMMCPServer": (
        "PUT",
        "/v1/mcp/server",
        {"server_id": "{id}", "url": "https://mcp.example.com/sse", "transport": "sse", "description": "x"},
        "description",
    ),
    "LiteLLMModel": ("PATCH", "/model/{id}/update", {"litellm_params": {"rpm": 99}, "model_info": {"id": "{id}"}}, "rpm"),
    "LiteLLMOrganization": ("PATCH", "/organization/update", {"organization_id": "{id}", "max_budget": 99}, "max_budget"),
    "LiteLLMTeam": ("POST", "/team/update", {"team_id": "{id}", "max_budget": 99}, "max_budget"),
    "LiteLLMUser": ("POST", "/user/update", {"user_id": "{id}", "max_budget": 99}, "max_budget"),
    "LiteLLMVectorStore": (
        "POST",
        "/vector_store/update",
        {"vector_store_id": "{id}", "vector_store_name": "x"},
        "vector_store_name",
    ),
    "LiteLLMVirtualKey": ("POST", "/key/update", {"key": "{id}", "max_budget": 99}, "max_budget"),
}
"""Verb, path, body and the field that it changes."""


@pytest.mark.parametrize("kind", CHANGES)
async def test_an_object_that_somebody_changed_is_put_back(proxy: Proxy, kind: str) -> None:
    if not offered(proxy, kind):
        return
    world = world_at(proxy)
    status = await world.settled(kind, "one", **fullest(world)[kind])
    object_id = status[kind_of(kind).id_field]
    verb, path, body, field = CHANGES[kind]
    filled = {name: object_id if value == "{id}" else value for name, value in body.items()}
    if "model_info" in filled:
        filled["model_info"] = {"id": object_id}
    answer, told = await world.ask(verb, path.replace("{id}", object_id), filled)
    assert answer < 300, told
    await world.later(kind, "one")
    assert world.condition(kind, "one", "Drifted") == ("True", "PutBack")
    assert field in world.message(kind, "one", "Drifted")
    await world.later(kind, "one")
    assert world.condition(kind, "one", "Drifted") == ("", ""), world.message(kind, "one", "Drifted")
    assert await world.finalize(kind, "one")


@pytest.mark.parametrize("kind", [one.resource.resource.kind for one in ENTITY_KINDS])
async def test_an_object_that_somebody_deleted_is_made_again(proxy: Proxy, kind: str) -> None:
    if not offered(proxy, kind):
        return
    world = world_at(proxy)
    # LiteLLM is told for how long a key lives, and its clock is not put forward with ours.
    spec = {name: value for name, value in fullest(world)[kind].items() if name != "expiresAt"}
    status = await world.settled(kind, "one", **spec)
    call = kind_of(kind).entity.delete(status[kind_of(kind).id_field])
    answer, told = await world.ask(call.method, call.target, call.body)
    assert answer < 300, told
    await world.later(kind, "one")
    assert world.condition(kind, "one", "Drifted") == ("True", "Recreated")
    await world.later(kind, "one")
    assert world.condition(kind, "one") == ("True", "Synced"), world.message(kind, "one")
    assert world.condition(kind, "one", "Drifted") == ("", "")
    assert await world.finalize(kind, "one")


async def test_members_who_were_put_in_or_out_by_hand_are_put_back(proxy: Proxy) -> None:
    """One of them has a LiteLLMUser, so that LiteLLM is told, and shows, the id alone; the other has an address alone."""
    world = world_at(proxy)
    team, user = "LiteLLMTeam", "LiteLLMUser"
    ids = {name: world.unique(name) for name in ("ann", "bob", "eve")}
    addresses = {name: f"{one}@example.com" for name, one in ids.items()}
    await world.settled(user, "ann", userId=ids["ann"], userEmail=addresses["ann"])
    members = [{"email": addresses[name]} for name in ("ann", "bob")]
    spec = {"teamAlias": world.unique("eng"), "memberManagement": "crd", "members": members}
    told = await world.settled(team, "eng", **spec)
    eng = told["litellmTeamId"]
    assert {**await world.later(team, "eng"), "lastSyncTime": ""} == {**told, "lastSyncTime": ""}

    for path, body in (
        ("/team/member_delete", {"team_id": eng, "user_id": ids["ann"]}),
        ("/team/member_add", {"team_id": eng, "member": [{"user_id": ids["eve"], "role": "user"}]}),
    ):
        answer, why = await world.ask("POST", path, body)
        assert answer == 200, why
    await world.later(team, "eng")
    assert world.condition(team, "eng", "Drifted") == ("True", "PutBack")
    assert f"members.{addresses['ann']}, members.{ids['eve']}" in world.message(team, "eng", "Drifted")
    _, seen = await world.ask("GET", f"/team/info?team_id={eng}")
    there = {one["user_id"] for one in seen["team_info"]["members_with_roles"]}
    assert ids["ann"] in there
    assert ids["eve"] not in there
    await world.later(team, "eng")
    assert world.condition(team, "eng", "Drifted") == ("", ""), world.message(team, "eng", "Drifted")
    assert await world.finalize(team, "eng")
    assert await world.finalize(user, "ann")


async def test_a_user_who_was_taken_out_of_a_team_joins_it_again(proxy: Proxy) -> None:
    world = world_at(proxy)
    team, user = "LiteLLMTeam", "LiteLLMUser"
    eng = (await world.settled(team, "eng", teamAlias=world.unique("eng"), memberManagement="sso"))["litellmTeamId"]
    told = await world.settled(user, "ann", userId=world.unique("ann"), teams=[{"teamRef": {"name": "eng"}}])
    assert {**await world.later(user, "ann"), "lastSyncTime": ""} == {**told, "lastSyncTime": ""}
    answer, why = await world.ask("POST", "/team/member_delete", {"team_id": eng, "user_id": world.unique("ann")})
    assert answer == 200, why
    await world.later(user, "ann")
    assert world.condition(user, "ann", "Drifted") == ("True", "PutBack")
    assert f"teams.{eng}" in world.message(user, "ann", "Drifted")
    await world.later(user, "ann")
    assert world.condition(user, "ann", "Drifted") == ("", ""), world.message(user, "ann", "Drifted")
    assert await world.finalize(user, "ann")
    assert await world.finalize(team, "eng")


@pytest.mark.proxies("oldest-default")
async def test_members_of_an_organization_are_put_back(proxy: Proxy) -> None:
    world = world_at(proxy)
    kind, address = ORGANIZATION, f"{world.unique('ann')}@example.com"
    ann = (await world.settled("LiteLLMUser", "ann", userId=world.unique("ann"), userEmail=address))["litellmUserId"]
    told = await world.settled(kind, "acme", organizationAlias=world.unique("acme"), members=[{"email": address}])
    assert {**await world.later(kind, "acme"), "lastSyncTime": ""} == {**told, "lastSyncTime": ""}
    gone = {"organization_id": told["litellmOrganizationId"], "user_id": ann}
    answer, why = await world.ask("DELETE", "/organization/member_delete", gone)
    assert answer == 200, why
    await world.later(kind, "acme")
    assert world.condition(kind, "acme", "Drifted") == ("True", "PutBack")
    assert f"members.{address}" in world.message(kind, "acme", "Drifted")
    await world.later(kind, "acme")
    assert world.condition(kind, "acme", "Drifted") == ("", "")
    assert await world.finalize(kind, "acme")
    assert await world.finalize("LiteLLMUser", "ann")


class NarrowReader(WorldReader):
    """Lists no kind in the whole cluster, so that nothing without a mark is pruned: the proxy has other tests' objects, too."""

    async def list(self, resource: Resource, namespace: str) -> list[Object]:
        if not namespace:
            raise ReadFailed(f"{resource.plural} cannot be listed: not allowed")
        return await super().list(resource, namespace)


async def test_an_instance_counts_what_there_is_and_prunes_what_was_left(proxy: Proxy) -> None:
    world, neighbour = world_at(proxy), world_at(proxy)
    kinds = ("LiteLLMModel", "LiteLLMTeam", "LiteLLMUser", "LiteLLMVirtualKey", "LiteLLMVectorStore", "LiteLLMMCPServer")
    ids: dict[str, str] = {}
    for kind in kinds:
        ids[kind] = (await world.settled(kind, "left", **fullest(world)[kind]))[kind_of(kind).id_field]
        world.remove(kind, "left")
    others = await neighbour.settled("LiteLLMTeam", "kept", **fullest(neighbour)["LiteLLMTeam"])
    own = await world.settled("LiteLLMTeam", "kept", **{**fullest(world)["LiteLLMTeam"], "teamAlias": world.unique("kept")})
    status = await world.later(*INSTANCE)
    assert status["configSync"]["syncedTeams"] == 1, world.message(*INSTANCE, "ConfigSynced")
    assert status["configSync"]["unmanagedTeams"] >= 1
    before = await world.snapshot()

    object.__setattr__(world.context, "reader", NarrowReader(world))
    world.configure(unmanagedResourcePolicy="prune")
    await world.later(*INSTANCE)
    after = await world.snapshot()
    for kind, object_id in ids.items():
        entity = kind_of(kind).entity
        assert object_id in before.of(entity).rows
        assert object_id not in after.of(entity).rows, world.message(*INSTANCE, "ConfigSynced")
    teams = kind_of("LiteLLMTeam")
    assert {others[teams.id_field], own[teams.id_field]} <= after.of(teams.entity).rows.keys()
    for kind in ("LiteLLMModel", "LiteLLMVirtualKey"):
        unmarked = {one for one, seen in before.of(kind_of(kind).entity).rows.items() if seen.mark is None}
        assert unmarked <= after.of(kind_of(kind).entity).rows.keys()
    assert await world.finalize("LiteLLMTeam", "kept")
    assert await neighbour.finalize("LiteLLMTeam", "kept")
