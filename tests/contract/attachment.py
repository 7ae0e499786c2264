"""What a user sees: an instance attached to the real proxy, by the real service over HTTP, in a cluster in memory."""

from __future__ import annotations

import base64
import os
import sys
import tempfile
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.sim.callers import HookClient
from app.sim.clock import RealClock
from app.sim.simulation import Simulation
from tests.contract.peer.postgres import free_port
from tests.contract.peer.process import Server
from tests.contract.peer.proxy import call

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from app.hooks.objects import Object

ROOT = Path(__file__).parents[2]
TOKEN = "hook-token"
START_SECONDS = 20
PATIENCE = 30
"""Seconds for the status to say something definite."""


@dataclass(frozen=True)
class Attachment:
    """The instance's status once it is definite, everything in the cluster then, and what the service wrote to its log."""

    status: Object
    objects: Sequence[Object]
    log: str

    def condition(self, kind: str) -> tuple[str, str]:
        """Status and reason of the condition of that type."""
        (found,) = [condition for condition in self.status["conditions"] if condition["type"] == kind]
        return found["status"], found["reason"]


async def attach(endpoint: str, key: str) -> Attachment:
    """Apply an instance and its Secret, and wait until the status knows both proxy and key."""
    async with service() as (call_hook, log):
        simulation = Simulation(call_hook, clock=RealClock())
        await simulation.apply(manifests(endpoint, key))
        seen: list[Object] = []

        async def look(objects: Sequence[Object]) -> None:
            seen[:] = objects

        assert await simulation.converge(seconds=PATIENCE, look=look, until=definite), instance(seen)
        return Attachment(instance(seen)["status"], seen, log.read_text())


@asynccontextmanager
async def service() -> AsyncGenerator[tuple[HookClient, Path]]:
    """``palena serve`` as a process, allowed to reach loopback; a client of its hooks, and its log."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="palena-service-") as name:
        folder = Path(name)
        (folder / "token").write_text(TOKEN)
        server = Server(
            [sys.executable, "-m", "app.cli", "serve"],
            log=folder / "log",
            environment={
                "PATH": os.environ["PATH"],
                "PALENA_HOST": "127.0.0.1",
                "PALENA_PORT": str(port),
                "PALENA_HOOK_TOKEN_FILE": str(folder / "token"),
                "PALENA_ENDPOINT_ALLOW": "127.0.0.1",
            },
            folder=ROOT,
        )
        base_url = f"http://127.0.0.1:{port}"
        try:
            server.wait_until(lambda: answers(f"{base_url}/readyz"), "palena serve", START_SECONDS)
            async with HookClient(base_url=base_url, headers={"Authorization": f"Bearer {TOKEN}"}) as client:
                yield client, server.log
        finally:
            server.stop()


def answers(url: str) -> bool:
    """Whether the URL is answered with 200."""
    try:
        return call(url, None).status == 200
    except OSError:
        return False


def manifests(endpoint: str, key: str) -> list[Object]:
    """The Secret and the instance, as in the attach guide."""
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "litellm-master-key", "namespace": "ai"},
        "data": {"LITELLM_MASTER_KEY": base64.b64encode(key.encode()).decode()},
    }
    spec = {
        "workload": {"managed": False, "endpoint": endpoint},
        "masterKey": {"secretRef": {"name": "litellm-master-key", "key": "LITELLM_MASTER_KEY"}},
        "database": {},
    }
    metadata = {"name": "gateway", "namespace": "ai"}
    return [secret, {"apiVersion": "litellm.palena.ai/v1alpha1", "kind": "LiteLLMInstance", "metadata": metadata, "spec": spec}]


def instance(objects: Sequence[Object]) -> Object:
    """The one instance."""
    (found,) = [item for item in objects if item["kind"] == "LiteLLMInstance"]
    return found


def definite(objects: Sequence[Object]) -> bool:
    """Whether the instance's status says something about the proxy and about the key."""
    conditions: list[Any] = instance(objects).get("status", {}).get("conditions", [])
    known = {condition["type"] for condition in conditions if condition["status"] != "Unknown"}
    return {"Ready", "MasterKeyAccepted"} <= known
