"""What ``simulate`` and ``render`` refuse or tell of the files before anything is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.unit.cli.command import palena

if TYPE_CHECKING:
    from pathlib import Path

BUDGET = """\
apiVersion: litellm.palena.ai/v1alpha1
kind: LiteLLMBudget
metadata: {name: free}
spec: {instanceRef: {name: gw}, maxBudget: 5}
"""


@pytest.mark.parametrize("command", ["render", "simulate"])
def test_a_misspelt_field_is_refused_in_the_words_of_lint(tmp_path: Path, command: str) -> None:
    (tmp_path / "a.yaml").write_text(BUDGET.replace("maxBudget", "maxBudegt"))
    said = 'strict decoding error: unknown field "spec.maxBudegt"; did you mean "spec.maxBudget"?'
    assert said in palena("lint", "a.yaml", folder=tmp_path).out
    outcome = palena(command, "a.yaml", folder=tmp_path)
    assert outcome.code == 1
    assert f"palena: a.yaml:1: {said}; palena lint shows everything that is wrong\n" in outcome.err


@pytest.mark.parametrize("command", ["render", "simulate"])
def test_of_two_versions_of_an_object_it_is_said_which_is_played(tmp_path: Path, command: str) -> None:
    (tmp_path / "a.yaml").write_text(BUDGET)
    (tmp_path / "b.yml").write_text(BUDGET.replace("5", "6"))
    outcome = palena(command, "a.yaml", "b.yml", folder=tmp_path)
    said = (
        "palena: a.yaml:1: another version of LiteLLMBudget free is in b.yml:1 and takes its place; "
        "the two are not played as an edit\n"
    )
    assert outcome.code == 0
    assert said in outcome.err


def test_an_object_that_is_written_twice_alike_is_nothing_to_tell(tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(BUDGET)
    assert "another version" not in palena("render", ".", folder=tmp_path).err
