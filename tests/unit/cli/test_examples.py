"""Every example is accepted without a warning and comes to a good end by itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from app.cli.files import read
from app.hooks.objects import reference
from tests.unit.cli.command import ROOT, palena

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = sorted((ROOT / "examples").rglob("*.yaml"))


SURROUNDINGS = ROOT / "tests" / "unit" / "cli" / "surroundings"
"""What the cluster must have before an example of the same name; an example without one needs nothing."""

ATTACHED = {"attach", "copied-from-managed", "endpoint", "private-ca"}
SMALL_GATEWAY = {
    "Deployment ai/team-gateway",
    "ConfigMap ai/team-gateway-config",
    "Secret ai/team-gateway-master-key",
    "Secret ai/team-gateway-salt-key",
    "Service ai/team-gateway",
    "ServiceAccount ai/team-gateway",
    "Secret ai/team-gateway-db",
    "Service ai/team-gateway-db",
    "PersistentVolumeClaim ai/team-gateway-db",
    "StatefulSet ai/team-gateway-db",
}
COMPANY_GATEWAY = {
    f"{kind} ai/company-gateway"
    for kind in (
        "Deployment",
        "Service",
        "ServiceAccount",
        "Ingress",
        "HorizontalPodAutoscaler",
        "PodDisruptionBudget",
        "NetworkPolicy",
    )
} | {"ConfigMap ai/company-gateway-config"}
MANAGED = {"managed": SMALL_GATEWAY, "managed-production": COMPANY_GATEWAY}


def files(path: Path) -> list[str]:
    surroundings = SURROUNDINGS / path.name
    return [str(file) for file in (surroundings, path) if file.exists()]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_lint_has_nothing_to_say(path: Path) -> None:
    assert json.loads(palena("lint", *files(path), "-o", "json").out) == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_it_becomes_ready_and_can_be_deleted(path: Path) -> None:
    outcome = palena("simulate", *files(path), "--delete", "-o", "json")
    record = json.loads(outcome.out)
    instances = [item for item in record["objects"] if item["kind"] == "LiteLLMInstance"]
    assert all(item["status"]["ready"] for item in instances)
    assert created(record)
    assert created(record) == {step["object"] for step in record["steps"] if step["what"] == "gone"}
    assert outcome.code == 0


@pytest.mark.parametrize("path", [path for path in EXAMPLES if path.stem in ATTACHED], ids=lambda path: path.stem)
def test_an_attached_instance_makes_nothing(path: Path) -> None:
    record = json.loads(palena("simulate", *files(path), "-o", "json").out)
    assert {name.partition(" ")[0] for name in created(record)} == {"LiteLLMInstance", "Secret"}


@pytest.mark.parametrize("path", [path for path in EXAMPLES if path.stem in MANAGED], ids=lambda path: path.stem)
def test_a_managed_instance_makes_its_gateway_after_one_migration(path: Path) -> None:
    record = json.loads(palena("simulate", *files(path), "-o", "json").out)
    # Named by what they hold.
    passing = {"Job", "ControllerRevision"}
    made = created(record) - {reference(manifest.item) for manifest in read(files(path))}
    assert {name for name in made if name.partition(" ")[0] not in passing} == MANAGED[path.stem]
    order = [step["object"] for step in record["steps"] if step["what"] == "created"]
    (migration,) = (name for name in made if name.startswith("Job "))
    (pods,) = (name for name in made if name.startswith("Deployment "))
    assert order.index(migration) < order.index(pods)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_no_setting_of_it_is_questionable(path: Path) -> None:
    record = json.loads(palena("simulate", *files(path), "-o", "json").out)
    shown = [condition for item in record["objects"] for condition in item["status"].get("conditions", [])]
    assert [condition["message"] for condition in shown if condition["type"] == "SpecWarnings"] == []


@pytest.mark.parametrize("path", [path for path in EXAMPLES if path.stem in MANAGED], ids=lambda path: path.stem)
def test_every_condition_of_a_managed_instance_is_good(path: Path) -> None:
    record = json.loads(palena("simulate", *files(path), "-o", "json").out)
    shown = [condition for item in record["objects"] for condition in item["status"].get("conditions", [])]
    assert shown
    assert [condition for condition in shown if condition["status"] != "True"] == []


def test_the_quick_start_of_the_guide_is_the_example() -> None:
    block = (ROOT / "docs" / "guides" / "managed.md").read_text("utf-8").partition("```yaml\n")[2].partition("```")[0]
    (example,) = read([str(ROOT / "examples" / "litellm-instance" / "managed.yaml")])
    assert yaml.safe_load(block) == example.item


def created(record: Any) -> set[str]:
    return {step["object"] for step in record["steps"] if step["what"] == "created"}


def test_every_example_of_an_instance_is_told_to_be_attached_or_managed() -> None:
    assert {path.stem for path in EXAMPLES if path.parent.name == "litellm-instance"} == ATTACHED | MANAGED.keys()
