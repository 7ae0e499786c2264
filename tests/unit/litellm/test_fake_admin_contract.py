"""The admin API of the fake LiteLLM answers by the tables that the real proxy is held to in ``tests/contract``."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from app.sim.fake_litellm import FakeLiteLLM
from tests.cases.litellm_admin import Scenario, scenarios
from tests.contract.peer.releases import RELEASES, Release

CASES = [
    pytest.param(scenario, release, id=f"{release.name} {scenario.name}")
    for scenario in scenarios()
    for release in RELEASES
    if release.name in scenario.releases
]


@pytest.mark.parametrize(("scenario", "release"), CASES)
async def test_the_fake_answers_as_the_real_proxy_does(scenario: Scenario, release: Release) -> None:
    fake = FakeLiteLLM(version=release.version, master_key="sk-master")
    client = httpx2.AsyncClient(transport=httpx2.ASGITransport(app=fake), base_url="http://proxy")

    async def ask(verb: str, target: str, body: Any) -> tuple[int, bytes]:
        answer = await client.request(verb, target, json=body, headers={"Authorization": "Bearer sk-master"})
        return answer.status_code, answer.content

    async with client:
        assert not await scenario.play(release.name, ask)
