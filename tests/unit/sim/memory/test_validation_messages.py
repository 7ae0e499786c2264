"""Bad objects are refused in the API server's own words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.sim.cluster import ApiError
from tests.cases.validation_messages import CASES, ValidationCase, unordered

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.sim.memory import MemoryCluster


async def written(cluster: MemoryCluster, case: ValidationCase) -> Object:
    """What is stored of the case's object."""
    item = case.item("alpha")
    if case.old is None:
        return await cluster.create(item)
    live = await cluster.create(case.item("alpha", case.old))
    return await cluster.update({**item, "metadata": live["metadata"]})


@pytest.mark.parametrize("case", [pytest.param(case, id=case.why) for case in CASES if case.message])
async def test_an_object_is_refused_as_by_the_real_api_server(cluster: MemoryCluster, case: ValidationCase) -> None:
    with pytest.raises(ApiError) as refused:
        await written(cluster, case)
    assert unordered(refused.value.message) == unordered(case.message or "")


@pytest.mark.parametrize("case", [pytest.param(case, id=case.why) for case in CASES if not case.message])
async def test_an_object_is_taken_as_by_the_real_api_server(cluster: MemoryCluster, case: ValidationCase) -> None:
    assert (await written(cluster, case))["spec"] == case.stored
