"""A proxy that loses its database: alive, not ready, and ready again by itself.

Each outage lasts half a minute, so there is one for each release, with the flag on one of them. The oldest release is left
out: it takes two minutes to notice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.apis.litellm.sighting import Health, KeyState, KeyVerdict, Reach
from tests.cases.litellm_health import rows
from tests.contract.attachment import attach
from tests.contract.outage import outage
from tests.contract.test_prober import disclosed, look

if TYPE_CHECKING:
    from tests.contract.peer.postgres import Postgres
    from tests.contract.peer.proxy import Proxy


@pytest.mark.proxies("lts-default", "newest-public")
async def test_a_lost_database_makes_an_alive_proxy_unready_and_heals(
    proxy: Proxy, postgres: Postgres, subtests: pytest.Subtests
) -> None:
    with outage(proxy, postgres):
        for row in rows():
            if row.about(proxy.release.name, public_details=proxy.public_details, database="down"):
                with subtests.test(row.situation):
                    answer = proxy.get(row.request, row.key)
                    assert not row.difference(proxy.release.version, answer.status, answer.body)
        with subtests.test("the prober sees it alive and says what readiness said"):
            sighting = await look(proxy.base_url, proxy.keys["master"])
            assert sighting.health
            assert sighting.health.reach is Reach.ALIVE
            assert sighting.health.readiness_trouble.startswith("answered 503 to /health/readiness")
            assert sighting.health.version == ""
        with subtests.test("the master key is known without a database"):
            assert sighting.key == KeyVerdict(KeyState.ACCEPTED)
        with subtests.test("another key cannot be judged now, so it is not called rejected"):
            sighting = await look(proxy.base_url, proxy.keys["wrong"])
            assert sighting.key
            assert sighting.key.state is KeyState.UNKNOWN
        with subtests.test("an attached instance says so, and its entities may still work"):
            attachment = await attach(proxy.base_url, proxy.keys["master"] or "")
            assert attachment.condition("Ready") == ("False", "ReadinessProbeFailed")
            assert attachment.status["ready"] is True
    sighting = await look(proxy.base_url, proxy.keys["master"])
    assert sighting.health == Health(Reach.ALIVE, version=disclosed(proxy))
