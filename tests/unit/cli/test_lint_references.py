"""What lint tells of any kind: what a spec refers to and the files lack, and what LiteLLM would do nothing with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from app.cli.checks.folder import Folder
from app.cli.checks.references import elsewhere_warnings, references
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
    assert elsewhere_warnings(key.item, Folder([gateway, key])) == [told]
    assert elsewhere_warnings(key.item, Folder([gateway, key, manifest("LiteLLMTeam", "search", {})])) == []


def test_beside_a_reference_that_leads_nowhere_stands_the_object_that_may_be_meant() -> None:
    others = [
        manifest("LiteLLMTeam", "search", {}),
        manifest("LiteLLMTeam", "billing", {}),
        manifest("LiteLLMUser", "serach", {}),
    ]
    key = manifest("LiteLLMVirtualKey", "key", {"teamRef": {"name": "serach"}})
    told = "spec.teamRef: LiteLLMTeam ai/serach is in none of the files; the cluster must have it; did you mean search?"
    assert elsewhere_warnings(key.item, Folder([key, *others])) == [told]
    for other in others:
        other.item["metadata"]["namespace"] = "elsewhere"
    assert elsewhere_warnings(key.item, Folder([key, *others])) == [told.partition("; did")[0]]


@pytest.mark.parametrize(
    ("name", "there", "meant"),
    [
        ("serach", "search", "letters that changed places"),
        ("taem-blue", "team-blue", "the same in a short word"),
        ("biling-prod", "billing-prod", "a letter that is lacking"),
        ("serach-12", "search-12", "beside a number that is right"),
        ("searchteam", "search-team", "a hyphen that is lacking"),
        ("gpt4o", "gpt-4o", "the same beside a number"),
    ],
)
def test_a_slip_of_the_fingers_is_told_with_what_it_was_meant_to_be(name: str, there: str, meant: str) -> None:
    folder = Folder([manifest("LiteLLMTeam", "another", {}), manifest("LiteLLMTeam", there, {})])
    assert folder.alike("LiteLLMTeam.litellm.palena.ai/v1alpha1", "ai", name) == there, meant


@pytest.mark.parametrize(
    ("name", "there", "why"),
    [
        ("team-1", "team-2", "another number"),
        ("team-1", "team-11", "another number that begins alike"),
        ("team-1-1", "team-11", "other numbers of the same digits"),
        ("team", "team-1", "a number more"),
        ("gpt-4", "gpt-4o", "a version has letters, too"),
        ("team-a", "team-b", "letters count as numbers do"),
        ("gateway-prod-eu", "gateway-prod-us", "another region"),
        ("gateway-prod-east", "gateway-prod-west", "another region of a longer name"),
        ("team-search", "team-search-eu", "a word more"),
    ],
)
def test_another_name_of_a_row_is_no_slip(name: str, there: str, why: str) -> None:
    folder = Folder([manifest("LiteLLMTeam", there, {})])
    assert folder.alike("LiteLLMTeam.litellm.palena.ai/v1alpha1", "ai", name) == "", why


def test_a_slip_is_found_among_nearer_names_that_are_none() -> None:
    teams = [manifest("LiteLLMTeam", name, {}) for name in ("taem-bleu-y", "taem-bleu-x-2", "team-blue-x")]
    assert Folder(teams).alike("LiteLLMTeam.litellm.palena.ai/v1alpha1", "ai", "taem-bleu-x") == "team-blue-x"


def test_an_object_that_only_the_cluster_has_fails_no_strict_check(tmp_path: Path) -> None:
    key = manifest("LiteLLMVirtualKey", "key", {"instanceRef": {"name": "gw"}, "keyAlias": "k"})
    (tmp_path / "key.json").write_text(json.dumps(key.item))
    outcome = palena("lint", "--strict", str(tmp_path))
    assert "LiteLLMInstance ai/gw is in none of the files" in outcome.out
    assert outcome.code == 0


def test_a_condition_that_this_release_would_answer_fails_a_strict_check_alone(tmp_path: Path) -> None:
    spec = {"instanceRef": {"name": "gw"}, "guardrailName": "pii", "provider": "aporia", "mode": "logging_only"}
    (tmp_path / "guardrail.json").write_text(json.dumps(manifest("LiteLLMGuardrail", "pii", spec).item))
    assert (palena("lint", str(tmp_path)).code, palena("lint", "--strict", str(tmp_path)).code) == (0, 1)


def test_a_guardrail_that_litellm_would_start_without_is_told(tmp_path: Path) -> None:
    spec = {"instanceRef": {"name": "gw"}, "guardrailName": "pii", "provider": "aporia", "mode": "logging_only"}
    (tmp_path / "guardrail.json").write_text(json.dumps(manifest("LiteLLMGuardrail", "pii", spec).item))
    told = [finding["message"] for finding in json.loads(palena("lint", str(tmp_path), "-o", "json").out)]
    assert "this release answers Ready=False ModeNotSupported: with this provider spec.mode can be during_call, post_call" in told
