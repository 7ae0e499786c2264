"""An object that is meant to be ours and is of no kind that is served: what each command says of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.unit.cli.command import palena

if TYPE_CHECKING:
    from pathlib import Path

OURS = "litellm.palena.ai/v1alpha1"


def written(folder: Path, version: str, kind: str, *others: Any) -> str:
    item = {"apiVersion": version, "kind": kind, "metadata": {"name": "a"}, "spec": {}}
    path = folder / "a.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [item, *others]}))
    return str(path)


@pytest.mark.parametrize("command", ["lint", "render", "simulate"])
@pytest.mark.parametrize(
    ("version", "kind", "meant"),
    [
        ("litellm.palena.io/v1alpha1", "LiteLLMBudget", f"the apiVersion of LiteLLMBudget is {OURS}"),
        ("litellm.palena.ai/v1", "LiteLLMBudget", f"the apiVersion of LiteLLMBudget is {OURS}"),
        ("v1alpha1", "LiteLLMInstance", f"the apiVersion of LiteLLMInstance is {OURS}"),
        (OURS, "LiteLLMVirtualkey", "did you mean LiteLLMVirtualKey?"),
    ],
)
def test_a_slip_in_apiversion_or_kind_is_an_error_with_what_is_meant(
    tmp_path: Path, command: str, version: str, kind: str, meant: str
) -> None:
    outcome = palena(command, written(tmp_path, version, kind))
    assert outcome.code == 1
    assert f'no matches for kind "{kind}" in version "{version}"; {meant}\n' in outcome.out + outcome.err


def test_a_kind_of_the_same_name_is_somebody_elses_beside_its_definition(tmp_path: Path) -> None:
    names = {"kind": "LiteLLMBudget", "plural": "litellmbudgets"}
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "litellmbudgets.other.example.com"},
        "spec": {"group": "other.example.com", "names": names},
    }
    outcome = palena("lint", written(tmp_path, "other.example.com/v1", "LiteLLMBudget", definition))
    assert "no matches for kind" not in outcome.out
