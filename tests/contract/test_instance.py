"""An instance attached to the real proxy says what is true of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from tests.contract.attachment import attach
from tests.contract.test_prober import disclosed

if TYPE_CHECKING:
    from tests.contract.peer.proxy import Proxy


async def test_an_attached_proxy_is_ready_and_nothing_is_created(proxy: Proxy) -> None:
    attachment = await attach(proxy.base_url, proxy.keys["master"] or "")
    assert attachment.condition("Ready") == ("True", "ProxyReachable")
    assert attachment.condition("MasterKeyAccepted") == ("True", "KeyAccepted")
    assert attachment.status["ready"] is True
    assert attachment.status["endpoint"] == proxy.base_url
    assert attachment.status["version"] == disclosed(proxy)
    assert {item["kind"] for item in attachment.objects} == {"LiteLLMInstance", "Secret"}


async def test_a_wrong_master_key_is_a_condition_of_its_own_and_is_repeated_nowhere(proxy: Proxy) -> None:
    key = proxy.keys["wrong"] or ""
    attachment = await attach(proxy.base_url, key)
    assert attachment.condition("Ready") == ("True", "ProxyReachable")
    assert attachment.condition("MasterKeyAccepted") == ("False", "MasterKeyRejected")
    assert key[-8:] not in orjson.dumps(attachment.status).decode()
    assert key[-8:] not in attachment.log
