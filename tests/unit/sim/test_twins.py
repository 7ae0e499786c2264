"""Without a CEL engine the API server in memory accepts and refuses the same, by the rules' Python twins."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from app.apis.litellm.instance import LITELLM_INSTANCE
from app.registry import KINDS
from app.sim import cel
from app.sim.cluster import Invalid
from app.sim.memory import MemoryCluster
from app.sim.twins import rule_engine, twins
from tests.cases.instance_rules import CASES, Case

if TYPE_CHECKING:
    from app.hooks.objects import Object


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


def test_both_rules_have_a_twin_that_decides_on_json() -> None:
    by_rule = twins(LITELLM_INSTANCE)
    assert len(by_rule) == 2
    (on_spec,) = (twin for cel, twin in by_rule.items() if "self.masterKey.secretRef" in cel)
    (on_workload,) = (twin for cel, twin in by_rule.items() if "self.endpoint" in cel)
    unmanaged: Object = {"managed": False, "endpoint": "http://a"}
    assert on_workload(unmanaged, None)
    assert not on_workload({"managed": True, "endpoint": "http://a"}, None)
    assert not on_spec({"masterKey": {"autoGenerate": True}, "database": {}, "workload": unmanaged}, None)
    assert on_spec({"masterKey": {"autoGenerate": True}, "database": {}}, None)
