"""What may be written into a values file, and what Helm says about anything else."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from app import __version__
from app.controllers.add_ons import ADD_ONS
from app.generate.add_on_component import add_on_name
from tests.chart.helm import CHART, IMAGE, ROOT, HelmRefused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object
    from tests.chart.helm import Helm

GUIDE = ROOT / "docs" / "guides" / "install-helm.md"
VALUES: Object = yaml.safe_load((CHART / "values.yaml").read_text())
SCHEMA: Object = json.loads((CHART / "values.schema.json").read_text())

LINTED = [
    ("as it comes", {}),
    ("with an image", IMAGE),
    ("attach-only", {**IMAGE, "shape": "attach-only"}),
    ("certificates on both sides", {**IMAGE, "mutualTLS": {"enabled": True}}),
    ("cert-manager", {**IMAGE, "tls": {"certManager": {"enabled": True, "issuerRef": {"name": "company"}}}}),
    ("all add-ons", {**IMAGE, "addOns": dict.fromkeys(VALUES["addOns"], True)}),
]

REFUSED = [
    ("an unknown key", {"replicaCount": 3}, "additional properties 'replicaCount' not allowed"),
    ("an unknown key deep inside", {"tls": {"certManager": {"issuer": "x"}}}, "'issuer' not allowed"),
    ("a misspelt add-on", {"addOns": {"monitor": True}}, "'monitor' not allowed"),
    ("a text for a number", {"replicas": "3"}, "/replicas': got string, want integer"),
    ("a number for a text", {"revision": 7}, "/revision': got number, want string"),
    ("a text for a list", {"settings": {"endpointAllow": "10.0.0.0/8"}}, "got string, want array"),
    ("a shape that is none", {"shape": "attached"}, "value must be one of 'full', 'attach-only'"),
    ("an entry that would be two", {"settings": {"endpointAllow": ["10.0.0.0/8,127.0.0.1"]}}, "does not match pattern"),
    ("a cluster id that the service refuses", {"settings": {"clusterID": "-"}}, "does not match pattern"),
    ("no replica at all", {"replicas": 0}, "minimum: got 0, want 1"),
    ("a variable without a name", {"env": [{"value": "x"}]}, "missing property 'name'"),
    (
        "certificates on both sides of plain HTTP",
        {"tls": {"enabled": False}, "mutualTLS": {"enabled": True}},
        "needs tls.enabled",
    ),
    (
        "two sources of one certificate",
        {"tls": {"existingSecret": "mine", "certManager": {"enabled": True, "issuerRef": {"name": "company"}}}},
        "exclude each other",
    ),
    ("cert-manager without an issuer", {"tls": {"certManager": {"enabled": True}}}, "name the Issuer"),
]


@pytest.mark.parametrize(("why", "values"), LINTED, ids=[row[0] for row in LINTED])
def test_lint_finds_nothing(why: str, values: Object, helm: Helm) -> None:
    assert helm.lint(values, strict=True, kube_version="v1.30.0") == [], why


@pytest.mark.parametrize(("why", "values", "message"), REFUSED, ids=[row[0] for row in REFUSED])
def test_values_that_would_do_nothing_or_harm_are_refused(why: str, values: Object, message: str, helm: Helm) -> None:
    with pytest.raises(HelmRefused) as refusal:
        helm.template({**IMAGE, **values})
    assert message in str(refusal.value), why


def test_without_an_image_helm_says_that_none_is_published(helm: Helm) -> None:
    with pytest.raises(HelmRefused, match=r"image\.repository: no image is published"):
        helm.template({})


def test_the_schema_knows_every_value_and_no_other() -> None:
    declared = {path for path, schema in _declared(SCHEMA) if path != ("global",) and not schema.get("properties")}
    assert {path for path in declared if len(path) == 1} <= {(key,) for key in VALUES}
    assert set(_given(VALUES, SCHEMA)) == declared - {("resources", "claims")}


def test_no_object_with_known_keys_takes_others() -> None:
    for path, schema in _declared(SCHEMA):
        if "properties" in schema:
            assert schema["additionalProperties"] is False, path


def test_every_add_on_can_be_switched() -> None:
    names = {add_on_name(controller) for controller in ADD_ONS}
    assert VALUES["addOns"] == dict.fromkeys(names, "auto")


@pytest.mark.parametrize("values", re.findall(r"```yaml\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL))
def test_values_that_the_guide_shows_are_taken(values: str, helm: Helm) -> None:
    assert helm.template({**IMAGE, **yaml.safe_load(values)})


def test_the_chart_has_the_version_of_the_service() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert (chart["version"], chart["appVersion"]) == (__version__, __version__)


def _declared(schema: Object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Object]]:
    for key, nested in schema.get("properties", {}).items():
        yield (*path, key), nested
        yield from _declared(nested, (*path, key))


def _given(value: Any, schema: Object, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The paths of the default values, as deep as the schema names keys."""
    properties = schema.get("properties")
    if not properties:
        yield path
        return
    for key, nested in value.items():
        yield from _given(nested, properties[key], (*path, key))
