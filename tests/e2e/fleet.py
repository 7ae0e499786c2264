"""A namespace of a real API server with entities of every kind, and the proxy on loopback in which they come to be."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import yaml

from app.controllers.entities import ENTITIES
from tests.e2e.controlplane.plane import METACONTROLLER
from tests.e2e.driven import PATIENCE_SECONDS, until
from tests.e2e.objects import KEY, b64, instance, ready
from tests.e2e.stage import proxy_on_loopback
from tests.e2e.world import SECRET

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from app.hooks.objects import Object, Resource
    from app.sim.cluster import Cluster
    from tests.e2e.controlplane.audit import AuditLog
    from tests.e2e.kubectl import Kubectl
    from tests.e2e.proxy import Proxy
    from tests.e2e.stage import Stage

GATEWAY = "gw"
MASTER_KEY = "sk-master"
TIER = "tier-"
"""What the ids of budgets begin with that are objects here."""

Specs = dict[str, "Object"]


def specs(number: int) -> Specs:
    """One object of each kind, by kind. They refer to each other, and to Secrets; the last one needs nearly all others."""
    secret = {"name": provider(number), "key": "key"}
    return {
        "LiteLLMBudget": {"budgetId": f"{TIER}{number}", "maxBudget": 5, "tpmLimit": 100},
        "LiteLLMCredential": {
            "credentialName": f"azure-{number}",
            "apiKeySecretRef": secret,
            "apiBase": "https://eu.example.com",
        },
        "LiteLLMOrganization": {"organizationAlias": f"acme-{number}", "maxBudget": 1000},
        "LiteLLMTeam": {
            "teamAlias": f"eng-{number}",
            "organizationRef": {"name": name("LiteLLMOrganization", number)},
            "maxBudgetMonthly": 500,
        },
        "LiteLLMUser": {
            "userId": f"bob-{number}",
            "userEmail": f"bob-{number}@example.com",
            "userRole": "internal_user",
            "teams": [{"teamRef": {"name": name("LiteLLMTeam", number)}}],
        },
        "LiteLLMModel": {
            "modelName": f"gpt-{number}",
            "litellmParams": {"model": "azure/gpt-4o", "credentialRef": {"name": name("LiteLLMCredential", number)}},
        },
        "LiteLLMMCPServer": {
            "url": f"https://tools-{number}.example.com/mcp",
            "authType": "bearer_token",
            "credentials": {"authValueSecretRef": secret},
        },
        "LiteLLMVectorStore": {
            "vectorStoreId": f"vs_{number}",
            "provider": "openai",
            "teamRef": {"name": name("LiteLLMTeam", number)},
            "paramSecrets": [{"paramName": "api_key", "secretRef": secret}],
        },
        "LiteLLMCustomer": {
            "customerId": f"cara-{number}",
            "maxBudget": 3,
            "objectPermission": {
                "mcpServers": [name("LiteLLMMCPServer", number)],
                "vectorStores": [name("LiteLLMVectorStore", number)],
            },
        },
        "LiteLLMVirtualKey": {
            "keyAlias": f"ci-{number}",
            "teamRef": {"name": name("LiteLLMTeam", number)},
            "userRef": {"name": name("LiteLLMUser", number)},
            "maxBudget": "2.50",
        },
    }


def edits(number: int) -> Specs:
    """What is edited of them, by kind. :func:`trace` is in each, for the proxy to show."""
    text, amount = trace(number), int(trace(number))
    return {
        "LiteLLMBudget": {"tpmLimit": amount},
        "LiteLLMCredential": {"apiBase": f"https://{text}.example.com"},
        "LiteLLMOrganization": {"models": [text]},
        "LiteLLMTeam": {"tpmLimit": amount},
        "LiteLLMUser": {"tpmLimit": amount},
        "LiteLLMModel": {"litellmParams": {"tpm": amount}},
        "LiteLLMMCPServer": {"description": text},
        "LiteLLMVectorStore": {"description": text},
        "LiteLLMCustomer": {"alias": text},
        "LiteLLMVirtualKey": {"tpmLimit": amount},
    }


TABLES = {
    "LiteLLMBudget": "budgets",
    "LiteLLMCredential": "credentials",
    "LiteLLMOrganization": "organizations",
    "LiteLLMTeam": "teams",
    "LiteLLMUser": "users",
    "LiteLLMModel": "models",
    "LiteLLMMCPServer": "mcp_servers",
    "LiteLLMVectorStore": "vector_stores",
    "LiteLLMCustomer": "customers",
    "LiteLLMVirtualKey": "keys",
}
"""Where the fake proxy stores each kind."""

KINDS: dict[str, Resource] = {controller.parent.kind: controller.parent for controller in ENTITIES}


def trace(number: int) -> str:
    """Digits that an edit leaves in LiteLLM."""
    return str(770_000 + number)


def name(kind: str, number: int) -> str:
    """The name of an object: no two kinds have one in common, so that the service's log tells them apart."""
    return f"{kind.removeprefix('LiteLLM').lower()}-{number}"


def provider(number: int) -> str:
    """The name of a Secret with a provider's key."""
    return f"provider-{number}"


class Fleet:
    """So many objects of each kind, for one attached instance."""

    def __init__(
        self, user: Cluster, namespace: str, audit: AuditLog, stage: Stage, proxy: Proxy, kubectl: Kubectl, count: int
    ) -> None:
        assert KINDS.keys() == specs(0).keys() == edits(0).keys() == TABLES.keys(), "a kind has no example here"
        self.user, self.namespace, self.proxy, self.count = user, namespace, proxy, count
        self._audit, self._stage, self._kubectl = audit, stage, kubectl
        proxy.fake.database.licensed = True

    async def kubectl(self, *arguments: str, stdin: str = "") -> str:
        """kubectl in the namespace, beside whatever else goes on."""
        return await asyncio.to_thread(self._kubectl, "--namespace", self.namespace, *arguments, stdin=stdin)

    async def arrive(self, seed: int) -> None:
        """Everything is applied at once, in an order that has nothing to do with what refers to what."""
        items = [instance(GATEWAY, self.proxy.url), _secret(KEY["name"], {KEY["key"]: MASTER_KEY})]
        for number in range(self.count):
            items.append(_secret(provider(number), {"key": f"sk-provider-{number}"}))
            items += [_entity(kind, number, spec) for kind, spec in specs(number).items()]
        Random(seed).shuffle(items)
        await self.kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all(items))

    async def are_ready(self) -> None:
        """``kubectl wait`` sees all of them ready, the instance included."""
        kinds = ",".join(["litellminstances", *(resource.plural for resource in KINDS.values())])
        await self.kubectl("wait", kinds, "--all", "--for=condition=Ready", f"--timeout={PATIENCE_SECONDS:.0f}s")

    async def edit(self) -> None:
        """An edit of each, and the wait until it is told of and LiteLLM has it."""
        for number in range(self.count):
            for kind, change in edits(number).items():
                await self.user.merge_patch(KINDS[kind], self.namespace, name(kind, number), {"spec": change})
        await until(self._told, "an edit is not told of")
        for number in range(self.count):
            for kind, table in TABLES.items():
                assert trace(number) in str(self.rows(table)), f"the edit of {name(kind, number)} is not in LiteLLM"

    async def rotate_provider_keys(self) -> None:
        """Every provider has another key from now on."""
        for number in range(self.count):
            await self.user.merge_patch(SECRET, self.namespace, provider(number), {"data": {"key": b64(f"sk-new-{number}")}})

    async def rotate_master_key(self, value: str) -> None:
        """The proxy has another master key from now on, and so has the Secret."""
        self.proxy.fake.master_key = value
        await self.user.merge_patch(SECRET, self.namespace, KEY["name"], {"data": {KEY["key"]: b64(value)}})

    async def delete(self) -> float:
        """All entities and their instance are deleted by one command; how many seconds it took until all were gone."""
        began = time.monotonic()
        kinds = ",".join(["litellminstances", *(resource.plural for resource in KINDS.values())])
        await self.kubectl("delete", kinds, "--all", f"--timeout={PATIENCE_SECONDS:.0f}s")
        return time.monotonic() - began

    def rows(self, table: str) -> dict[str, Object]:
        """What the proxy has stored."""
        return self.proxy.fake.database.table(table)

    def made(self) -> Counter[str]:
        """How many rows there are of each kind. Budgets that LiteLLM makes for organizations and customers do not count."""
        return Counter(
            kind for kind, table in TABLES.items() for row in self.rows(table) if table != "budgets" or row.startswith(TIER)
        )

    def calls(self) -> list[str]:
        """What the admin API was asked so far."""
        return self.proxy.fake.admin_calls

    async def objects(self) -> list[Object]:
        """All entities, live."""
        return [item for resource in KINDS.values() for item in await self.user.list(resource, self.namespace)]

    async def secrets(self) -> set[str]:
        """Names of all Secrets."""
        return {item["metadata"]["name"] for item in await self.user.list(SECRET, self.namespace)}

    def written(self) -> list[str]:
        """What the driver wrote so far."""
        return [str(entry) for entry in self._audit.writes(user=METACONTROLLER.user, namespace=self.namespace)]

    async def come_to_rest(self) -> None:
        """Nothing is written any more, for as long as two resyncs of all take."""
        seen = -1
        while seen != (seen := len(self.written())):
            await self.resyncs(2)

    async def resyncs(self, count: int) -> None:
        """Each entity is synced so many times more."""
        service = self._stage.service
        begin = len(service.synced(self.namespace))
        names = [item["metadata"]["name"] for item in await self.objects()]

        async def done() -> bool:
            since = Counter(service.synced(self.namespace)[begin:])
            return all(since[one] >= count for one in names)

        await until(done, f"no {count} resyncs", PATIENCE_SECONDS * max(1, count / 5))

    async def _told(self) -> bool:
        return all(
            item["status"].get("observedGeneration") == item["metadata"]["generation"] and ready(item) == ("True", "Synced")
            for item in await self.objects()
        )


@contextlib.asynccontextmanager
async def fleet_on(stage: Stage, kubectl: Kubectl, count: int) -> AsyncGenerator[Fleet]:
    """A place for so many objects of each kind."""
    with proxy_on_loopback() as proxy:
        async with stage.at_work() as (user, namespace, audit):
            yield Fleet(user, namespace, audit, stage, proxy, kubectl, count)


def _entity(kind: str, number: int, spec: Object) -> Object:
    metadata = {"name": name(kind, number)}
    return {
        "apiVersion": KINDS[kind].api_version,
        "kind": kind,
        "metadata": metadata,
        "spec": {"instanceRef": {"name": GATEWAY}, **spec},
    }


def _secret(secret: str, data: dict[str, str]) -> Object:
    encoded = {key: b64(value) for key, value in data.items()}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": secret}, "type": "Opaque", "data": encoded}
