"""Entities whose hooks talk to a real proxy: the world of the unit tests, with the network instead of the fake."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import httpx2

from tests.unit.entities.world import World

if TYPE_CHECKING:
    from tests.contract.peer.proxy import Proxy


@dataclass
class RealWorld(World):
    """A namespace whose instance attaches to a running proxy. Its objects are nobody else's: it has a cluster id of its own."""

    cluster_id: str = field(default_factory=lambda: f"c{secrets.token_hex(6)}")

    def network(self) -> httpx2.AsyncBaseTransport:
        """Loopback, and no connection is kept that somebody would have to close."""
        return httpx2.AsyncHTTPTransport(limits=httpx2.Limits(max_keepalive_connections=0))

    def entropy(self, size: int) -> bytes:
        """No two worlds at one proxy may make up the same key."""
        return secrets.token_bytes(size)

    def now(self) -> datetime:
        """What the proxy calls now, too."""
        return datetime.now(UTC).replace(microsecond=0)

    def unique(self, name: str) -> str:
        """A name that no other test uses at this proxy."""
        return f"{name}-{self.cluster_id}"

    async def ask(self, verb: str, target: str, body: Any = None) -> tuple[int, Any]:
        """One request with the master key, beside the hooks; status and JSON."""
        async with httpx2.AsyncClient(base_url=self.endpoint, timeout=20) as client:
            answer = await client.request(verb, target, json=body, headers={"Authorization": f"Bearer {self.master_key}"})
        return answer.status_code, answer.json() if answer.content else None


def world_at(proxy: Proxy) -> RealWorld:
    """A new world at that proxy."""
    key = proxy.keys["master"]
    assert key is not None
    return RealWorld(master_key=key, endpoint=proxy.base_url)
