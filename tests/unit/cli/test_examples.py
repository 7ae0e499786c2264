"""Every example is accepted without a warning and comes to a good end by itself; every section of an instance has one."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from app.apis.litellm.instance import LiteLLMInstanceSpec
from app.cli.files import read
from app.controllers.entities import ENTITIES
from app.hooks.objects import reference
from tests.unit.cli.command import ROOT, palena

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = sorted((ROOT / "examples").rglob("*.yaml"))

SURROUNDINGS = ROOT / "tests" / "unit" / "cli" / "surroundings"
"""What the cluster must have before an example of the same name; an example without one needs nothing."""

QUESTIONABLE = {"scim": "spec.scim gives the proxy a token that LiteLLM itself does not read"}
"""What an example can't help: the section itself does not what one may expect, and lint and status say so."""

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
CHILDREN = {"managed": SMALL_GATEWAY, "managed-production": COMPANY_GATEWAY}


def _is_answered(path: Path) -> bool:
    kinds = {one.item["kind"] for one in read([str(path)])} - {"LiteLLMInstance", "Secret"}
    return bool(kinds) and kinds <= ACCEPTED


def instance_of(path: Path) -> Any:
    """The LiteLLMInstance of an example; nothing in an example of another kind."""
    return next((one.item for one in read([str(path)]) if one.item["kind"] == "LiteLLMInstance"), None)


def is_attached(path: Path) -> bool:
    return instance_of(path)["spec"].get("workload", {}).get("managed") is False


INSTANCES = [path for path in EXAMPLES if path.parent.name == "litellm-instance"]
ATTACHED = [path for path in INSTANCES if is_attached(path)]
MANAGED = [path for path in INSTANCES if path not in ATTACHED]

ACCEPTED = {controller.parent.kind for controller in ENTITIES}
"""Kinds that LiteLLM keeps, and that are brought there."""
ENTITIES_OF = [path for path in EXAMPLES if _is_answered(path)]


def files(path: Path) -> list[str]:
    surroundings = SURROUNDINGS / path.name
    return [str(file) for file in (surroundings, path) if file.exists()]


@cache
def played(path: Path) -> Any:
    """What is recorded of an example that is applied, settles, and is deleted."""
    outcome = palena("simulate", *files(path), "--delete", "-o", "json")
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)


def created(record: Any) -> set[str]:
    return {step["object"] for step in record["steps"] if step["what"] == "created"}


def shown(path: Path) -> list[Any]:
    """The conditions of everything that settled."""
    return [condition for item in played(path)["objects"] for condition in item["status"].get("conditions", [])]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_lint_has_nothing_to_say_but_what_cannot_be_helped(path: Path) -> None:
    found = [finding["message"] for finding in json.loads(palena("lint", *files(path), "-o", "json").out)]
    assert [message for message in found if QUESTIONABLE.get(path.stem, "nothing") not in message] == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_it_becomes_ready_and_can_be_deleted(path: Path) -> None:
    record = played(path)
    instances = [item for item in record["objects"] if item["kind"] == "LiteLLMInstance"]
    assert all(item["status"]["ready"] for item in instances)
    assert created(record)
    assert created(record) == {step["object"] for step in record["steps"] if step["what"] == "gone"}


@pytest.mark.parametrize("path", ENTITIES_OF, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_litellm_accepts_every_entity_of_it(path: Path) -> None:
    entities = [item for item in played(path)["objects"] if item["kind"] in ACCEPTED]
    assert entities
    for item in entities:
        # The full ones have every field, those that LiteLLM has no place for included.
        told = {one["type"]: one["message"] for one in item["status"]["conditions"] if one["status"] != "True"}
        assert told.keys() <= {"FieldsApplied"}, (item["name"], told)


@pytest.mark.parametrize("path", ATTACHED, ids=lambda path: path.stem)
def test_an_attached_instance_makes_nothing(path: Path) -> None:
    assert {name.partition(" ")[0] for name in created(played(path))} == {"LiteLLMInstance", "Secret"}


@pytest.mark.parametrize("path", MANAGED, ids=lambda path: path.stem)
def test_a_managed_instance_makes_its_pods_after_one_migration(path: Path) -> None:
    order = [step["object"] for step in played(path)["steps"] if step["what"] == "created"]
    (migration,) = (name for name in order if name.startswith("Job "))
    (pods,) = (name for name in order if name.startswith("Deployment "))
    assert order.index(migration) < order.index(pods)


@pytest.mark.parametrize("path", [path for path in MANAGED if path.stem in CHILDREN], ids=lambda path: path.stem)
def test_the_gateways_of_the_guide_make_these_objects(path: Path) -> None:
    # Named by what they hold.
    passing = {"Job", "ControllerRevision"}
    made = created(played(path)) - {reference(manifest.item) for manifest in read(files(path))}
    assert {name for name in made if name.partition(" ")[0] not in passing} == CHILDREN[path.stem]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_no_setting_of_it_is_questionable_but_what_cannot_be_helped(path: Path) -> None:
    told = [condition["message"] for condition in shown(path) if condition["type"] == "SpecWarnings"]
    expected = QUESTIONABLE.get(path.stem)
    assert len(told) == (1 if expected else 0)
    assert all(message.startswith(expected or "") for message in told)


@pytest.mark.parametrize("path", MANAGED, ids=lambda path: path.stem)
def test_every_condition_of_a_managed_instance_is_good(path: Path) -> None:
    assert shown(path)
    assert [condition for condition in shown(path) if condition["status"] != "True"] == []


def test_every_section_of_an_instance_has_an_example() -> None:
    sections = {field.alias or name for name, field in LiteLLMInstanceSpec.model_fields.items()}
    exampled = {section for path in INSTANCES for section in instance_of(path)["spec"]}
    assert sections - exampled == set()


def test_the_quick_start_of_the_guide_is_the_example() -> None:
    block = (ROOT / "docs" / "guides" / "managed.md").read_text("utf-8").partition("```yaml\n")[2].partition("```")[0]
    assert yaml.safe_load(block) == instance_of(ROOT / "examples" / "litellm-instance" / "managed.yaml")
