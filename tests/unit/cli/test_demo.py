"""The whole demo as a process: its exit code would mean nothing if it were always 0."""

from __future__ import annotations

import subprocess
import sys

from tests.unit.cli.command import ROOT

AMISS = """
import sys
from app.cli import demo_attached, demo_entities, demo_stage, main
demo_attached.MASTER_KEY = "sk-another"
demo_stage.SECONDS = 1.0
sys.argv = ["palena", "demo"]
main()
"""
"""The proxies that are attached to have another key than the Secret of the examples."""


def test_a_demo_that_comes_to_something_else_fails_and_still_plays_on() -> None:
    done = subprocess.run([sys.executable, "-c", AMISS], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    told = [line for line in done.stdout.splitlines() if line.startswith("✘ LiteLLMInstance ai/gateway: ")]
    assert told == ["✘ LiteLLMInstance ai/gateway: MasterKeyAccepted is False=MasterKeyRejected, not True=KeyAccepted"]
    assert "✔ the flip left every object as it was" in done.stdout
    assert "Not all is as it must be" in done.stdout
