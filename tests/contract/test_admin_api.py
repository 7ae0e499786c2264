"""The admin API of the real proxy answers as the tables say that the fake one is held to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from tests.cases.litellm_admin import scenarios
from tests.contract.peer.releases import RELEASES

if TYPE_CHECKING:
    from tests.contract.peer.proxy import Proxy

pytestmark = pytest.mark.proxies(*(f"{release.name}-default" for release in RELEASES))


async def test_the_admin_api_answers_as_the_tables_say(proxy: Proxy, subtests: pytest.Subtests) -> None:
    # After an answer of 500 without a body of its own LiteLLM 1.81 closes the connection without saying so.
    limits = httpx2.Limits(max_keepalive_connections=0)
    async with httpx2.AsyncClient(base_url=proxy.base_url, timeout=20, limits=limits) as client:

        async def ask(verb: str, target: str, body: Any) -> tuple[int, bytes]:
            answer = await client.request(verb, target, json=body, headers={"Authorization": f"Bearer {proxy.keys['master']}"})
            return answer.status_code, answer.content

        for scenario in scenarios():
            if proxy.release.name in scenario.releases:
                with subtests.test(scenario.name):
                    assert not await scenario.play(proxy.release.name, ask)
