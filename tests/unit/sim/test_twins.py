"""Without a CEL engine the API server in memory accepts and refuses the same, by the rules' Python twins."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from app.registry import KINDS
from app.sim import cel
from app.sim.cluster import Invalid
from app.sim.memory import MemoryCluster
from app.sim.twins import rule_engine
from tests.cases.instance_rules import CASES, Case


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.why)
def test_the_verdict_is_that_of_the_real_api_server(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cel, "_environment", lambda: None)
    engine = rule_engine(KINDS)
    assert engine.uses_twins
    cluster = MemoryCluster([kind.crd() for kind in KINDS], clock=lambda: datetime(2030, 1, 1, tzinfo=UTC), engine=engine)
    instance = {
        "apiVersion": "litellm.palena.ai/v1alpha1",
        "kind": "LiteLLMInstance",
        "metadata": {"name": "gw", "namespace": "default"},
        "spec": case.spec,
    }
    if case.accepted:
        stored = asyncio.run(cluster.create(instance))
        assert stored["spec"].get("workload") == case.workload
    else:
        with pytest.raises(Invalid) as raised:
            asyncio.run(cluster.create(instance))
        assert case.refusal in raised.value.message
