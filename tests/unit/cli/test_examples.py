"""Every example is accepted without a warning and comes to a good end by itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.unit.cli.command import ROOT, palena

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = sorted((ROOT / "examples").rglob("*.yaml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_lint_has_nothing_to_say(path: Path) -> None:
    assert json.loads(palena("lint", "-f", str(path), "-o", "json").out) == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_it_becomes_ready_makes_nothing_and_can_be_deleted(path: Path) -> None:
    outcome = palena("simulate", "-f", str(path), "--delete", "-o", "json")
    record = json.loads(outcome.out)
    instances = [item for item in record["objects"] if item["kind"] == "LiteLLMInstance"]
    assert all(item["status"]["ready"] for item in instances)
    created = {step["object"] for step in record["steps"] if step["what"] == "created"}
    gone = {step["object"] for step in record["steps"] if step["what"] == "gone"}
    assert created == gone
    assert created
    assert {name.partition(" ")[0] for name in created} <= {"LiteLLMInstance", "LiteLLMGuardrail", "Secret"}
    assert outcome.code == 0


def test_there_are_examples() -> None:
    assert EXAMPLES
