"""The real proxy answers its health routes as the table says that the fake one is held to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cases.litellm_health import rows

if TYPE_CHECKING:
    import pytest

    from tests.contract.peer.proxy import Proxy


def test_health_routes_answer_as_the_table_says(proxy: Proxy, subtests: pytest.Subtests) -> None:
    for row in rows():
        if row.about(proxy.release.name, public_details=proxy.public_details):
            with subtests.test(row.situation):
                answer = proxy.get(row.request, row.key)
                assert not row.difference(proxy.release.version, answer.status, answer.body)
