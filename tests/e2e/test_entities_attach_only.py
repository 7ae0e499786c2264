"""The same life of entities in the installation that may touch no workload."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.e2e.test_entities import life

if TYPE_CHECKING:
    from tests.e2e.kubectl import Kubectl
    from tests.e2e.stage import Stage

SHAPE = "attach-only"


async def test_entities_live_and_go_without_a_right_over_workloads(stage: Stage, kubectl: Kubectl) -> None:
    await life(stage, kubectl, 2)
