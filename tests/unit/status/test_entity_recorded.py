"""What an entity reads from its own status, whatever is in it."""

from __future__ import annotations

import pytest

from app.status.entity.recorded import recorded


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("0001-01-01T00:00:00+23:59", id="before all years once it is in UTC"),
        pytest.param("9999-12-31T23:59:59-23:59", id="after all years"),
        pytest.param("soon", id="no time"),
    ],
)
def test_a_time_that_cannot_be_counts_as_absent(text: str) -> None:
    assert recorded({"awaitedSince": text}, "litellmModelId").awaited is None
