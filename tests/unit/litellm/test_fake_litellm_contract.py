"""The fake LiteLLM answers by the table that the real proxy is held to in ``tests/contract``."""

from __future__ import annotations

import httpx2
import pytest

from app.sim.fake_litellm import FakeLiteLLM
from tests.cases.litellm_health import Row, rows
from tests.contract.peer.releases import RELEASES, Release

KEYS = {"none": "", "master": "sk-master", "wrong": "sk-wrong", "malformed": "not-a-litellm-key", "virtual": "sk-virtual"}

CASES = [
    pytest.param(
        row,
        release,
        public_details,
        id=f"{release.name}-{'public' if public_details else 'default'}-{row.situation}",
    )
    for row in rows()
    for release in RELEASES
    for public_details in (False, True)
    if row.about(release.name, public_details=public_details, database=row.database)
]


@pytest.mark.parametrize(("row", "release", "public_details"), CASES)
async def test_the_fake_answers_as_the_real_proxy_does(row: Row, release: Release, public_details: bool) -> None:
    fake = FakeLiteLLM(
        version=release.version,
        public_details=public_details,
        database_up=row.database == "up",
        master_key=KEYS["master"],
        virtual_keys=frozenset({KEYS["virtual"]}),
    )
    headers = {"Authorization": f"Bearer {KEYS[row.key]}"} if KEYS[row.key] else {}
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=fake), base_url="http://proxy") as client:
        answer = await client.get(row.request, headers=headers)
    assert not row.difference(release.version, answer.status_code, answer.json())


def test_every_row_of_the_table_is_about_some_proxy() -> None:
    asked = {case.values[0].situation for case in CASES}
    assert asked == {row.situation for row in rows()}
