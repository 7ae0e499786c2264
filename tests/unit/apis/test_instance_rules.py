"""One table of specs; the Python model with its twins, and the API server in memory with CEL, must agree on each."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from app.apis.checking import InvalidSpec, check_spec
from app.apis.litellm.instance import LITELLM_INSTANCE, LiteLLMInstanceSpec
from app.sim.cluster import Invalid
from app.sim.memory import MemoryCluster
from tests.cases.instance_rules import CASES, ENDPOINT_RULE, MASTER_KEY_RULE, Case

if TYPE_CHECKING:
    from app.hooks.objects import Object

every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.why)


@every_case
def test_the_model_decides_as_the_api_server(case: Case) -> None:
    checked = check_spec(LiteLLMInstanceSpec, case.spec)
    if case.accepted:
        assert isinstance(checked, LiteLLMInstanceSpec)
    else:
        assert isinstance(checked, InvalidSpec)
        fields = [problem.partition(": ")[0] for problem in checked.problems]
        assert case.field in fields
        assert not case.breaks_rule or f"{case.field}: {case.refusal}" in checked.problems


@pytest.mark.parametrize("case", [case for case in CASES if case.accepted], ids=lambda case: case.why)
def test_the_model_applies_the_defaults_of_the_api_server(case: Case) -> None:
    checked = check_spec(LiteLLMInstanceSpec, case.spec)
    assert isinstance(checked, LiteLLMInstanceSpec)
    workload = checked.workload and checked.workload.model_dump(by_alias=True, exclude_none=True)
    assert workload == case.workload


@every_case
async def test_the_api_server_in_memory_decides_as_the_real_one(case: Case) -> None:
    cluster = MemoryCluster([LITELLM_INSTANCE.crd()], clock=lambda: datetime(2026, 1, 1, tzinfo=UTC))
    if case.accepted:
        stored = await cluster.create(instance(case.spec))
        assert stored["spec"].get("workload") == case.workload
    else:
        with pytest.raises(Invalid) as refused:
            await cluster.create(instance(case.spec))
        assert case.refusal in refused.value.message


def instance(spec: dict[str, Any]) -> Object:
    resource = LITELLM_INSTANCE.resource
    metadata = {"name": "proxy", "namespace": "default"}
    return {"apiVersion": resource.api_version, "kind": resource.kind, "metadata": metadata, "spec": spec}


def test_the_table_reaches_both_sides_of_both_rules() -> None:
    assert {MASTER_KEY_RULE, ENDPOINT_RULE} < {case.refusal for case in CASES}
    stored = [case.workload for case in CASES if case.accepted]
    assert {"managed": False} in stored
    assert {"managed": True} in stored
