"""With equal settings the chart and ``metacontroller/`` install the same objects, field by field."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
import yaml

from app.generate.chart import KEEP
from app.generate.service import OPTIONAL_APIS
from tests.chart.helm import IMAGE, NAMESPACE, ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from app.hooks.objects import Object
    from tests.chart.helm import Helm
    from tests.e2e.kubectl import Kubectl

TOKEN: Object = {**IMAGE, "hookToken": {"existingSecret": "palena-hook-token"}}
PLAIN: Object = {**TOKEN, "tls": {"enabled": False}}
TLS: Object = {**TOKEN, "tls": {"existingSecret": "palena-tls"}}
ADD_ONS = ("gateway-api", "monitoring", "cloudnativepg-backup", "openshift-route")
"""In the order of their API groups."""

SETTINGS = [
    ("the full shape", ("full",), PLAIN),
    ("the attach-only shape", ("attach-only",), {**PLAIN, "shape": "attach-only"}),
    ("HTTPS with the user's certificate", ("full", "components/tls"), TLS),
    ("HTTPS for the attach-only shape", ("attach-only", "components/tls"), {**TLS, "shape": "attach-only"}),
    (
        "an add-on",
        ("full", "components/monitoring"),
        {**PLAIN, "addOns": {"monitoring": True}},
    ),
    (
        "all add-ons and HTTPS",
        ("full", *(f"components/{name}" for name in ADD_ONS), "components/tls"),
        {**TLS, "addOns": dict.fromkeys(ADD_ONS, True)},
    ),
]


@pytest.mark.parametrize(("why", "parts", "values"), SETTINGS, ids=[row[0] for row in SETTINGS])
def test_chart_and_kustomize_install_the_same(
    why: str, parts: tuple[str, ...], values: Object, helm: Helm, kubectl: Kubectl, tmp_path: Path
) -> None:
    wanted = _by_name(yaml.safe_load_all(kubectl("kustomize", _overlay(tmp_path, *parts))))
    del wanted["Namespace", NAMESPACE]  # Helm installs into one that is there
    for variable in wanted["Deployment", "palena"]["spec"]["template"]["spec"]["containers"][0]["env"]:
        if variable["name"] == OPTIONAL_APIS:
            variable["value"] = variable["value"].lstrip(",")  # kustomize appends to an empty text
    rendered = _by_name(helm.template(values))
    for (kind, name), item in rendered.items():
        if kind == "CustomResourceDefinition":
            assert item["metadata"].pop("annotations") == KEEP, name
    assert rendered.keys() == wanted.keys(), why
    for key, item in wanted.items():
        assert rendered[key] == item, key


def _overlay(folder: Path, shape: str, *components: str) -> str:
    """What a user would write: kustomize takes relative paths only."""
    kustomization = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": [os.path.relpath(ROOT / "metacontroller" / shape, folder)],
        "components": [os.path.relpath(ROOT / "metacontroller" / component, folder) for component in components],
    }
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(kustomization))
    return str(folder)


def _by_name(items: list[Object]) -> dict[tuple[str, str], Object]:
    return {(item["kind"], item["metadata"]["name"]): item for item in items}
