"""What LiteLLM makes of a configuration before it serves anybody, asked of its own code release by release."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from app.proxyconfig.guardrails import INTEGRATION, MODES, entry
from tests.contract import rendered
from tests.contract.peer.process import run
from tests.contract.peer.proxy import quiet
from tests.contract.peer.releases import HERE
from tests.unit.proxyconfig.samples import guardrail

if TYPE_CHECKING:
    from pathlib import Path

    from tests.contract.peer.installation import Installation
    from tests.contract.peer.redis import Redis

ALL_MODES = ("pre_call", "during_call", "post_call", "logging_only")
SERVICE: dict[str, Any] = {"apiBase": rendered.NOWHERE, "apiKeySecretRef": rendered.KEY}
NEEDS: dict[str, dict[str, Any]] = {
    "bedrock": {"params": {"guardrailIdentifier": "id", "guardrailVersion": "1"}},
    "guardrails_ai": {"params": {"guard_name": "g"}, "apiBase": rendered.NOWHERE},
    "presidio": {"params": {"pii_entities_config": {"CREDIT_CARD": "MASK"}}},
}
"""What a provider needs; others need an address and a key."""

SILENT = {"oldest": {("azure", "during_call")}}
"""Modes of the table in which a release takes the guardrail and then does nothing. They are in docs/guides/limits.md."""


@dataclass(frozen=True)
class Measured:
    """What a release said."""

    release: str
    guardrails: dict[str, Any]
    redis: dict[str, Any]


@pytest.fixture(scope="session")
def measured(installation: Installation, redis: Redis, tmp_path_factory: pytest.TempPathFactory) -> Measured:
    """Every provider in every mode, and a gateway that has a Redis and no cache."""
    folder: Path = tmp_path_factory.mktemp("inside")
    configured = rendered.redis_alone(redis)
    (folder / "config.yaml").write_text(configured.text)
    named = [
        guardrail(guardrailName=name(provider, mode), provider=provider, mode=mode, **NEEDS.get(provider, SERVICE))
        for provider in INTEGRATION
        for mode in ALL_MODES
    ]
    question = json.dumps({"guardrails": [entry(one) for one in named], "config": str(folder / "config.yaml")})
    keys = {variable["name"]: variable["value"] for variable in rendered.PRESIDIO}
    said = run(
        f"LiteLLM {installation.release.version} from inside",
        [installation.python, HERE / "inside/look.py"],
        cwd=folder,
        env=configured.variables | keys | quiet(installation.engine),
        script=question,
    )
    answer = json.loads(said.splitlines()[-1])
    return Measured(installation.release.name, answer["guardrails"], answer["config"])


def name(provider: str, mode: str) -> str:
    return f"{provider}-{mode}"


@pytest.mark.parametrize("provider", INTEGRATION)
def test_a_guardrail_runs_in_every_mode_of_our_table(measured: Measured, provider: str) -> None:
    silent = {mode for who, mode in SILENT.get(measured.release, ()) if who == provider}
    ran = {mode: measured.guardrails[name(provider, mode)] for mode in MODES[provider]}
    assert [mode for mode, said in ran.items() if not said["starts"]] == []
    assert {mode for mode, said in ran.items() if not said["runs"]} == silent


@pytest.mark.parametrize("provider", INTEGRATION)
def test_no_mode_is_refused_that_every_release_runs(measured: Measured, provider: str) -> None:
    others = {mode: measured.guardrails[name(provider, mode)]["runs"] for mode in ALL_MODES if mode not in MODES[provider]}
    # Newer releases log from more guardrails; the oldest does not start with them.
    assert not any(runs for mode, runs in others.items() if measured.release == "oldest" or mode != "logging_only")


def test_a_redis_without_a_cache_coordinates_replicas(measured: Measured) -> None:
    assert measured.redis["cache"] is False
    # The oldest release reads no variable for it: there Redis is shared only as the cache's.
    assert measured.redis["coordination"] is (measured.release != "oldest")
    assert measured.redis["router"] is (measured.release != "oldest")
