"""What lint tells of any kind: what a spec refers to and the files lack, and what LiteLLM would do nothing with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from app.cli.checks.folder import Folder
from app.cli.checks.references import reference_warnings, references
from app.cli.files import Manifest
from app.registry import KINDS
from tests.unit.cli.command import palena

if TYPE_CHECKING:
    from pathlib import Path

    from app.apis.custom_resource import CustomResource
    from app.hooks.objects import Object


def filled(schema: Object, path: str, found: dict[str, str]) -> Any:
    """A value of the schema with one element in each list, and every reference by name in ``found``."""
    match schema.get("type"):
        case "object":
            fields: Object = schema.get("properties", {})
            last = path.rpartition(".")[2]
            if last.endswith("Ref") and fields.keys() <= {"name", "key"}:
                found[path] = last
            return {name: filled(field, f"{path}.{name}", found) for name, field in fields.items()}
        case "array":
            return [filled(schema["items"], f"{path}[0]", found)]
        case _:
            return "x"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.resource.kind)
def test_every_reference_of_a_kind_is_looked_at(kind: CustomResource) -> None:
    wanted: dict[str, str] = {}
    schema = kind.crd()["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    spec = filled(schema, "spec", wanted)
    assert wanted.keys() <= {one.path for one in references(spec, "spec")}


def manifest(kind: str, name: str, spec: Object) -> Manifest:
    item = {"apiVersion": "litellm.palena.ai/v1alpha1", "kind": kind, "metadata": {"name": name, "namespace": "ai"}, "spec": spec}
    return Manifest(item, f"{name}.yaml:1")


def test_a_key_whose_team_is_in_no_file_is_told_of_it() -> None:
    gateway = manifest("LiteLLMInstance", "gw", {})
    key = manifest("LiteLLMVirtualKey", "key", {"instanceRef": {"name": "gw"}, "teamRef": {"name": "search"}})
    told = "spec.teamRef: LiteLLMTeam ai/search is in none of the files; the cluster must have it"
    assert reference_warnings(key.item, Folder([gateway, key])) == [told]
    assert reference_warnings(key.item, Folder([gateway, key, manifest("LiteLLMTeam", "search", {})])) == []


def test_a_guardrail_that_litellm_would_start_without_is_told(tmp_path: Path) -> None:
    spec = {"instanceRef": {"name": "gw"}, "guardrailName": "pii", "provider": "aporia", "mode": "logging_only"}
    (tmp_path / "guardrail.json").write_text(json.dumps(manifest("LiteLLMGuardrail", "pii", spec).item))
    told = [finding["message"] for finding in json.loads(palena("lint", str(tmp_path), "-o", "json").out)]
    assert "this release answers Ready=False ModeNotSupported: with this provider spec.mode can be during_call, post_call" in told
