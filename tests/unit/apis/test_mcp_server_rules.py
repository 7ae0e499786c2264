"""One table of MCP servers; the Python model with its twins, and the API server in memory with and without CEL, agree on each."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from app.apis.checking import InvalidSpec, check_spec
from app.apis.litellm.mcp_server import LITELLM_MCP_SERVER, LiteLLMMCPServerSpec
from app.sim import cel
from app.sim.cluster import Invalid
from app.sim.memory import MemoryCluster
from app.sim.twins import rule_engine
from tests.cases.mcp_server_rules import CASES, RULES, Case

if TYPE_CHECKING:
    from app.hooks.objects import Object

every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.why)


@every_case
def test_the_model_decides_as_the_api_server(case: Case) -> None:
    checked = check_spec(LiteLLMMCPServerSpec, case.spec)
    if not case.refusal:
        assert isinstance(checked, LiteLLMMCPServerSpec)
        return
    assert isinstance(checked, InvalidSpec)
    assert case.field in [problem.partition(": ")[0] for problem in checked.problems]
    assert not case.breaks_rule or f"{case.field}: {case.refusal}" in checked.problems


@every_case
@pytest.mark.parametrize("with_cel", [True, False], ids=["by CEL", "by the twins"])
async def test_the_api_server_in_memory_decides_as_the_real_one(
    case: Case, with_cel: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not with_cel:
        monkeypatch.setattr(cel, "_environment", lambda: None)
    engine = rule_engine([LITELLM_MCP_SERVER])
    assert engine.uses_twins is not with_cel
    cluster = MemoryCluster([LITELLM_MCP_SERVER.crd()], clock=lambda: datetime(2026, 1, 1, tzinfo=UTC), engine=engine)
    if not case.refusal:
        assert await cluster.create(server(case))
        return
    with pytest.raises(Invalid) as refused:
        await cluster.create(server(case))
    assert case.refusal in refused.value.message


def server(case: Case) -> Object:
    resource = LITELLM_MCP_SERVER.resource
    metadata = {"name": "tools", "namespace": "default"}
    return {"apiVersion": resource.api_version, "kind": resource.kind, "metadata": metadata, "spec": case.spec}


def test_the_table_reaches_every_rule() -> None:
    assert {case.refusal for case in CASES} > RULES
