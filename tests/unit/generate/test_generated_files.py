"""What lies in the checkout is what the declarations say, and says no more than it should."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from app.generate import generated
from tests.unit.generate.granted import rights_of

ROOT = Path(__file__).parents[3]
FILES = generated()


@pytest.mark.parametrize("path", FILES)
def test_the_file_is_as_generated(path: str) -> None:
    file = ROOT / path
    assert file.is_file(), "run `make generate`"
    assert file.read_text("utf-8") == FILES[path], "run `make generate`"


@pytest.mark.parametrize("folder", ["crds", "metacontroller", "chart/files", "docs/reference"])
def test_no_generated_file_is_left_over(folder: str) -> None:
    present = {str(file.relative_to(ROOT)) for file in (ROOT / folder).rglob("*") if file.is_file()}
    assert present - set(FILES) <= {"metacontroller/README.md"}


WRITE = {"get", "list", "watch", "create", "update", "patch", "delete"}
READ = {"list", "watch"}
INSTANCES = ("litellm.palena.ai", "litellminstances")

ATTACH_ONLY = {
    ("", "events"): {"create", "patch"},
    ("", "namespaces"): READ,
    ("", "secrets"): READ,
    ("apiextensions.k8s.io", "customresourcedefinitions"): READ,
    ("metacontroller.k8s.io", "compositecontrollers"): READ,
    ("metacontroller.k8s.io", "decoratorcontrollers"): READ,
    ("metacontroller.k8s.io", "controllerrevisions"): READ,
    INSTANCES: READ | {"get", "update"},
    (INSTANCES[0], "litellminstances/status"): {"update"},
}
FULL = {
    **ATTACH_ONLY,
    (INSTANCES[0], "litellminstances/finalizers"): {"update"},
    (INSTANCES[0], "litellmguardrails"): READ,
    ("", "configmaps"): WRITE,
    ("", "persistentvolumeclaims"): WRITE,
    ("", "pods"): READ,
    ("", "secrets"): WRITE,
    ("", "serviceaccounts"): WRITE,
    ("", "services"): WRITE,
    ("apps", "controllerrevisions"): WRITE,
    ("apps", "deployments"): WRITE,
    ("apps", "statefulsets"): WRITE,
    ("autoscaling", "horizontalpodautoscalers"): WRITE,
    ("batch", "jobs"): WRITE,
    ("networking.k8s.io", "ingresses"): WRITE,
    ("networking.k8s.io", "networkpolicies"): WRITE,
    ("policy", "poddisruptionbudgets"): WRITE,
}


@pytest.mark.parametrize(("shape", "rights"), [("attach-only", ATTACH_ONLY), ("full", FULL)])
def test_all_that_metacontroller_may_do(shape: str, rights: dict[tuple[str, str], set[str]]) -> None:
    files = ["metacontroller/base/metacontroller-rights.yaml", f"metacontroller/{shape}/litellminstances.yaml"]
    roles = [item for file in files for item in yaml.safe_load_all(FILES[file]) if item["kind"] == "ClusterRole"]
    assert rights_of(roles) == rights


def test_nobody_is_given_a_wildcard() -> None:
    for path in FILES:
        if path.startswith("metacontroller/"):
            for item in yaml.safe_load_all(FILES[path]):
                for rule in item.get("rules", []):
                    assert "*" not in [*rule["apiGroups"], *rule["resources"], *rule["verbs"]], path
