from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.sim.memory import MemoryCluster
from tests.cases.validation_messages import CRD

NAMESPACE = "alpha"


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = datetime(2030, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def cluster(clock: Clock) -> MemoryCluster:
    """The toy kind Sample is served, and the namespace alpha is there."""
    made = MemoryCluster([CRD], clock=clock, manager="tester")
    await made.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    return made
