"""Bodies of sync of entities, and what a round of resyncs of many of them asks a proxy.

They are templates as in :mod:`tests.bench.templates`; all of them belong to one attached instance, which is ready.
"""

from __future__ import annotations

import asyncio
import base64
from typing import Any

import httpx2
import orjson

from app.controllers.entities import ENTITIES
from app.hooks.manifests import Address, manifest
from app.hooks.objects import resource_key
from tests.bench.templates import PLACEHOLDER, numbered

AT_ONCE = 20
NAMESPACE = "apps"

_NAME = PLACEHOLDER.decode()
_SECRET = {"name": "provider", "key": "key"}
_MASTER_KEY = {"name": "gw-key", "key": "key"}

SPECS: dict[str, dict[str, Any]] = {
    "LiteLLMBudget": {"maxBudget": 5, "tpmLimit": 100},
    "LiteLLMCredential": {"credentialName": _NAME, "apiKeySecretRef": _SECRET},
    "LiteLLMCustomer": {"customerId": _NAME, "maxBudget": 3},
    "LiteLLMMCPServer": {"url": "https://tools.example.com/mcp"},
    "LiteLLMModel": {"modelName": _NAME, "litellmParams": {"model": "openai/gpt-4o", "apiKeySecretRef": _SECRET}},
    "LiteLLMTeam": {"teamAlias": _NAME, "maxBudgetMonthly": 500},
    "LiteLLMUser": {"userId": _NAME, "maxBudget": 10},
    "LiteLLMVectorStore": {"vectorStoreId": _NAME, "provider": "openai"},
}
"""By kind: those that need no other entity and own nothing."""


def path(kind: str) -> str:
    """Where a kind is synced."""
    return f"/hooks/{_controller(kind).parent.plural}/sync?rev=bench"


def sync_body(kind: str, endpoint: str) -> bytes:
    """An object of the kind that is synced for the first time, for the proxy at ``endpoint``."""
    controller = _controller(kind)
    metadata = {"name": _NAME, "namespace": NAMESPACE, "uid": f"u-{_NAME}", "generation": 1, "resourceVersion": "5"}
    parent = {
        "apiVersion": controller.parent.api_version,
        "kind": kind,
        "metadata": {**metadata, "creationTimestamp": "2026-01-01T00:00:00Z"},
        "spec": {"instanceRef": {"name": "gw"}, **SPECS[kind]},
    }
    related: dict[str, dict[str, Any]] = {}
    for item in (_instance(endpoint), _secret(_MASTER_KEY, "sk-master"), _secret(_SECRET, "sk-provider")):
        related.setdefault(resource_key(item), {})[f"{NAMESPACE}/{item['metadata']['name']}"] = item
    return orjson.dumps(
        {
            "controller": manifest(controller, Address(url="http://palena.palena-system")),
            "parent": parent,
            "children": {},
            "related": related,
            "finalizing": False,
        }
    )


async def calls_at_rest(service: str, proxy: str, count: int, intervals: int) -> int:
    """Brings so many of each kind in step; how many calls the proxy counts while each is synced so many times more."""
    async with httpx2.AsyncClient(base_url=service, timeout=30) as http:
        bodies = {
            (kind, number): orjson.loads(numbered(sync_body(kind, f"{proxy}/p0"), number))
            for kind in SPECS
            for number in range(count)
        }
        await _round(http, bodies)
        before = await _asked(proxy)
        assert before >= len(bodies)
        for _ in range(intervals):
            await _round(http, bodies)
        return await _asked(proxy) - before


async def _round(http: httpx2.AsyncClient, bodies: dict[tuple[str, int], Any]) -> None:
    """Syncs all of them, and keeps what they were told as their status."""
    turns = asyncio.Semaphore(AT_ONCE)

    async def one(kind: str, body: Any) -> None:
        async with turns:
            answer = (await http.post(path(kind), content=orjson.dumps(body))).raise_for_status().json()
        ready = next(condition for condition in answer["status"]["conditions"] if condition["type"] == "Ready")
        assert ready["status"] == "True", ready
        body["parent"]["status"] = answer["status"]

    await asyncio.gather(*(one(kind, body) for (kind, _), body in bodies.items()))


async def _asked(proxy: str) -> int:
    async with httpx2.AsyncClient() as http:
        return int((await http.get(f"{proxy}/asked")).text)


def _controller(kind: str) -> Any:
    return next(controller for controller in ENTITIES if controller.parent.kind == kind)


def _instance(endpoint: str) -> dict[str, Any]:
    return {
        "apiVersion": "litellm.palena.ai/v1alpha1",
        "kind": "LiteLLMInstance",
        "metadata": {"name": "gw", "namespace": NAMESPACE, "uid": "u-gw", "generation": 1, "resourceVersion": "7"},
        "spec": {
            "workload": {"managed": False, "endpoint": endpoint},
            "masterKey": {"secretRef": _MASTER_KEY},
            "database": {},
        },
        "status": {"ready": True},
    }


def _secret(reference: dict[str, str], value: str) -> dict[str, Any]:
    metadata = {"name": reference["name"], "namespace": NAMESPACE, "uid": f"u-{reference['name']}", "resourceVersion": "9"}
    data = {reference["key"]: base64.b64encode(value.encode()).decode()}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "type": "Opaque", "data": data}
