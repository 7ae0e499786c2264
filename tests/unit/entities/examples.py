"""One object of each kind, for what must hold for all kinds: a spec, an edit of it, and what it refers to.

A kind without an example fails ``test_examples.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.controllers.entities import ENTITIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object
    from tests.unit.entities.world import World


@dataclass(frozen=True, kw_only=True)
class Example:
    """An object of a kind."""

    name: str
    spec: Object
    """Without ``instanceRef``."""
    edit: Object
    """What an edit sets; nothing (``None``) takes a field away."""
    table: str
    """Where the fake proxy stores it."""
    create: str
    """Verb and path of the call that makes it."""
    secrets: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    """Secrets that it refers to, in plain text."""
    refers: tuple[str, ...] = ()
    """Kinds whose examples it refers to."""
    licensed: bool = False
    """Whether LiteLLM takes a licence for it, which the fake proxy then has."""

    @property
    def edited(self) -> Object:
        """The spec after the edit."""
        return {name: value for name, value in {**self.spec, **self.edit}.items() if value is not None}


EXAMPLES: dict[str, Example] = {
    "LiteLLMBudget": Example(
        name="free",
        spec={"maxBudget": 5, "tpmLimit": 100},
        edit={"maxBudget": 7, "tpmLimit": None},
        table="budgets",
        create="POST /budget/new",
    ),
    "LiteLLMCredential": Example(
        name="azure",
        spec={
            "credentialName": "azure-eu",
            "apiKeySecretRef": {"name": "azure", "key": "api-key"},
            "apiBase": "https://eu.example.com",
            "apiVersion": "2024-06-01",
        },
        edit={"apiBase": "https://us.example.com", "apiVersion": None},
        table="credentials",
        create="POST /credentials",
        secrets={"azure": {"api-key": "azure-key-0123"}},
    ),
    "LiteLLMOrganization": Example(
        name="acme",
        spec={"organizationAlias": "acme", "maxBudget": 1000, "tpmLimit": 100},
        edit={"maxBudget": 900, "tpmLimit": None},
        table="organizations",
        create="POST /organization/new",
        licensed=True,
    ),
    "LiteLLMTeam": Example(
        name="eng",
        spec={
            "teamAlias": "eng",
            "maxBudgetMonthly": 500,
            "tpmLimit": 100,
            "teamMemberBudget": 50,
            "teamMemberTpmLimit": 10,
            "memberManagement": "mixed",
            "members": [{"email": "lead@example.com"}],
        },
        edit={
            "maxBudgetMonthly": 400,
            "tpmLimit": None,
            "teamMemberBudget": None,
            "members": [{"email": "dev@example.com"}],
        },
        table="teams",
        create="POST /team/new",
    ),
    "LiteLLMUser": Example(
        name="bob",
        spec={
            "userId": "bob",
            "userEmail": "bob@example.com",
            "userRole": "internal_user",
            "maxBudget": 10,
            "tpmLimit": 100,
            "teams": [{"teamRef": {"name": "eng"}}],
            "initialPasswordSecretRef": {"name": "bob", "key": "password"},
        },
        edit={"maxBudget": 9, "userRole": "internal_user_viewer", "teams": None},
        table="users",
        create="POST /user/new",
        secrets={"bob": {"password": "correct-horse-battery"}},
        refers=("LiteLLMTeam",),
    ),
    "LiteLLMModel": Example(
        name="gpt",
        spec={
            "modelName": "gpt",
            "litellmParams": {"model": "azure/gpt-4o", "credentialRef": {"name": "azure"}, "rpm": 10, "timeout": 30},
        },
        edit={"litellmParams": {"model": "azure/gpt-4o-mini", "credentialRef": {"name": "azure"}, "rpm": 20}},
        table="models",
        create="POST /model/new",
        refers=("LiteLLMCredential",),
    ),
    "LiteLLMMCPServer": Example(
        name="tools",
        spec={
            "url": "https://tools.example.com/mcp",
            "description": "Tools",
            "authType": "bearer_token",
            "credentials": {"authValueSecretRef": {"name": "tools", "key": "token"}},
        },
        edit={"url": "https://tools.example.com/v2", "description": None},
        table="mcp_servers",
        create="POST /v1/mcp/server",
        secrets={"tools": {"token": "tools-token-0123"}},
    ),
    "LiteLLMVectorStore": Example(
        name="docs",
        spec={
            "vectorStoreId": "vs_docs",
            "provider": "azure",
            "description": "Docs",
            "credentialRef": {"name": "azure"},
            "teamRef": {"name": "eng"},
            "params": {"api_base": "https://eu.example.com"},
        },
        edit={"description": None, "params": {"api_base": "https://us.example.com"}},
        table="vector_stores",
        create="POST /vector_store/new",
        refers=("LiteLLMCredential", "LiteLLMTeam"),
    ),
    "LiteLLMCustomer": Example(
        name="cara",
        spec={
            "customerId": "cara",
            "alias": "Cara",
            "maxBudget": 3,
            "objectPermission": {"mcpServers": ["tools"], "vectorStores": ["docs"]},
        },
        edit={"maxBudget": 2, "alias": "Carla"},
        table="customers",
        create="POST /customer/new",
        refers=("LiteLLMMCPServer", "LiteLLMVectorStore"),
    ),
    "LiteLLMVirtualKey": Example(
        name="ci",
        spec={
            "keyAlias": "ci",
            "teamRef": {"name": "eng"},
            "userRef": {"name": "bob"},
            "models": ["gpt"],
            "maxBudget": "2.50",
            "tpmLimit": 100,
        },
        edit={"maxBudget": "3.00", "tpmLimit": None},
        table="keys",
        create="POST /key/generate",
        refers=("LiteLLMTeam", "LiteLLMUser"),
    ),
}
"""By kind, each after what it refers to."""

KINDS = tuple(kind for kind in EXAMPLES if kind in {controller.parent.kind for controller in ENTITIES})
"""Those that are served, in that order."""


def with_what_it_needs(kind: str) -> Iterator[str]:
    """The kind after every kind that its example refers to, directly or not."""
    needed = {kind}
    for one in reversed(EXAMPLES):
        if one in needed:
            needed.update(EXAMPLES[one].refers)
    return (one for one in EXAMPLES if one in needed)


def put(world: World, kind: str, **spec: Any) -> str:
    """The example of a kind with its Secrets, made or changed; its name. ``spec`` replaces the example's."""
    example = EXAMPLES[kind]
    for name, data in example.secrets.items():
        world.secret(name, **data)
    world.proxy.database.licensed |= example.licensed
    world.entity(kind, example.name, **(spec or example.spec))
    return example.name


async def settled(world: World, kind: str) -> str:
    """The example of a kind in step, with all that it needs; its name."""
    name = ""
    for one in with_what_it_needs(kind):
        name = put(world, one)
        await in_step(world, one)
    return name


async def in_step(world: World, kind: str) -> None:
    """The example of a kind is synced as often as a key takes, and is in step then."""
    name = EXAMPLES[kind].name
    for _ in range(2):
        await world.sync(kind, name)
    assert world.condition(kind, name) == ("True", "Synced"), world.message(kind, name)
