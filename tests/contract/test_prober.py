"""Our prober against the real proxy: what it sees, and in which words it says so."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

import pytest

from app.apis.litellm.sighting import Health, KeyState, KeyVerdict, Reach, Sighting
from app.litellm.addresses import AllowRules
from app.litellm.probe import Budgets, Prober, Target
from app.litellm.transport import JudgedTransport, Resolver
from app.litellm.trust import Trust

if TYPE_CHECKING:
    from tests.contract.peer.proxy import Proxy


async def look(endpoint: str, key: str | None) -> Sighting:
    """One look by a prober that knows nothing yet, over real sockets. It may take longer than a hook would wait."""
    rules, resolver = AllowRules.parse(["127.0.0.1"]), Resolver()
    prober = Prober(lambda trust: JudgedTransport(trust, rules, resolver), monotonic, Budgets(first_wait=15))
    try:
        return await prober.look(Target(endpoint, Trust()), key or "")
    finally:
        await prober.aclose()


def disclosed(proxy: Proxy) -> str:
    """The version that the proxy tells everyone."""
    return proxy.release.version if proxy.public_details or proxy.release.name == "oldest" else ""


async def test_a_proxy_is_seen_alive_with_its_version_only_where_it_discloses_it(proxy: Proxy) -> None:
    sighting = await look(proxy.base_url, None)
    assert sighting == Sighting(Health(Reach.ALIVE, version=disclosed(proxy)))


async def test_the_master_key_is_accepted(proxy: Proxy) -> None:
    sighting = await look(proxy.base_url, proxy.keys["master"])
    assert sighting.key == KeyVerdict(KeyState.ACCEPTED)


@pytest.mark.parametrize(
    ("key", "words"),
    [
        pytest.param("wrong", "the proxy does not know the key (401)", id="a-key-that-does-not-exist"),
        pytest.param("virtual", "the proxy knows the key, but it is a virtual key and no admin's", id="a-virtual-key"),
        pytest.param("malformed", "the key does not begin with sk- and is not the master key", id="not-a-litellm-key"),
    ],
)
async def test_a_rejected_key_is_told_apart_by_the_proxys_words(proxy: Proxy, key: str, words: str) -> None:
    sighting = await look(proxy.base_url, proxy.keys[key])
    assert sighting.key == KeyVerdict(KeyState.REJECTED, words)
    assert sighting.health
    assert sighting.health.good
