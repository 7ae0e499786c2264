"""Which settings of a copied spec are named as doing nothing."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from app.apis.litellm.instance import LiteLLMInstanceSpec
from app.status.instance.ignored_settings import SECTIONS, ignored_sections, ignored_settings

ATTACHED: dict[str, Any] = {
    "workload": {"managed": False},
    "masterKey": {"secretRef": {"name": "lk", "key": "MASTER"}},
    "database": {},
    "replicas": 1,
}


def settings(**sections: Any) -> list[str]:
    return [name.removeprefix("spec.") for name in ignored_settings({**ATTACHED, **sections})]


def test_the_sections_are_those_of_the_go_operator_in_its_order() -> None:
    spec = {section: {"enabled": True} for section in sorted(SECTIONS)} | {"passThroughEndpoints": [{"path": "/x"}]}
    named = [name.removeprefix("spec.") for name in ignored_sections({**ATTACHED, **spec})]
    assert named == [
        "sso", "scim", "jwtAuth", "oauth2Auth", "rbac", "security", "logging", "adminUI", "caching", "routerSettings",
        "callbacks", "passThroughEndpoints", "secretManager",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("section", "named", "why"),
    [
        ({"enabled": True}, True, "it is set"),
        ({"enabled": False}, True, "switched off is set: the user said something"),
        ({"type": "redis"}, True, "a default that is stored is set: nobody can tell who wrote it"),
        ({}, False, "nothing is in it"),
        (None, False, "null is nothing"),
        ({"params": {"list": [], "object": {"deep": [{}]}}}, False, "nothing is in it at any depth"),
    ],
)
def test_a_section_is_set_unless_it_is_empty_at_every_depth(section: Any, named: bool, why: str) -> None:
    assert ignored_sections({**ATTACHED, "caching": section}) == (("spec.caching",) if named else ()), why


@pytest.mark.parametrize(
    ("sections", "named", "why"),
    [
        ({}, [], "a clean spec"),
        ({"replicas": 3}, ["replicas"], "nobody makes three of it"),
        ({"image": {"repository": "ghcr.io/berriai/litellm", "tag": "latest", "pullPolicy": "IfNotPresent"}}, [], "defaults"),
        ({"image": {"tag": "v1.110.2"}}, ["image.tag"], "one field: that field"),
        ({"image": {"tag": "v1.110.2", "pullPolicy": "Always"}}, ["image"], "several fields: the section"),
        (
            {"upgrade": {"strategy": "rolling", "autoRollback": True}},
            ["upgrade.autoRollback"],
            "the default beside it is not named",
        ),
        ({"autoscaling": {"enabled": False, "maxReplicas": 2}}, ["autoscaling"], "switched off is still said"),
        ({"redis": {}}, [], "empty"),
        ({"ingress": {"enabled": True}}, ["ingress.enabled"], "no Ingress is made"),
        ({"generalSettings": {"proxyBatchWriteAt": 5}}, ["generalSettings.proxyBatchWriteAt"], "the proxy's own business"),
        ({"extraEnvVars": []}, [], "an empty list"),
        ({"extraEnvVars": [{"name": "A", "value": "b"}]}, ["extraEnvVars"], "a list"),
        ({"patches": [{"target": {"kind": "Service"}, "patch": []}]}, ["patches"], "nothing is generated to be patched"),
        ({"saltKey": {"autoGenerate": True}}, ["saltKey.autoGenerate"], "no salt key is made"),
        ({"database": {"migration": {"enabled": True}}}, [], "told in DatabaseReady"),
        ({"configSync": {"enabled": True}}, [], "works with an attached proxy too"),
        ({"service": {"port": 8080}}, [], "part of the endpoint"),
        ({"service": {"type": "LoadBalancer", "port": 8080}}, ["service.type"], "no Service is made"),
        ({"tls": {"serverCertSecretRef": {"name": "a"}, "trustedCASecretRef": {"name": "b"}}}, [], "shape endpoint and CA"),
        ({"tls": {"clientCertSecretRef": {"name": "a"}}}, ["tls.clientCertSecretRef"], "only the proxy presents it"),
        ({"caching": {"enabled": True}}, [], "told in WorkloadUnmanaged"),
        ({"unheardOf": {"a": 1}}, [], "a field that the schema does not have is pruned"),
    ],
)
def test_everything_else_that_does_nothing_is_named_without_defaults(
    sections: dict[str, Any], named: list[str], why: str
) -> None:
    assert settings(**sections) == named, why


def test_a_service_port_does_nothing_beside_an_endpoint() -> None:
    workload = {"managed": False, "endpoint": "http://litellm.platform.svc:4000"}
    assert settings(workload=workload, service={"port": 8080}) == ["service.port"]
    assert settings(workload=workload, service={"port": 4000}) == [], "the default was not the user's doing"


def test_auto_generate_does_nothing_beside_a_reference() -> None:
    key = {"secretRef": {"name": "lk", "key": "MASTER"}, "autoGenerate": True}
    assert settings(masterKey=key) == ["masterKey.autoGenerate"]


def paths() -> list[tuple[str, str]]:
    """Every section with each of its direct fields; a section without fields of its own with an empty name."""
    found: list[tuple[str, str]] = []
    for name, field in LiteLLMInstanceSpec.model_fields.items():
        models = [kind for kind in get_args(field.annotation) or (field.annotation,) if hasattr(kind, "model_fields")]
        fields = models[0].model_fields.items() if models else [("", None)]
        found += [(field.alias or name, (inner.alias or key) if inner else "") for key, inner in fields]
    return found


IN_EFFECT = {
    "workload": {"managed", "endpoint"},
    "masterKey": {"secretRef"},
    "database": {"external", "cloudnativepg", "managed", "connectionPool", "migration", "tls"},
    "configSync": {"enabled", "interval", "unmanagedResourcePolicy", "conflictResolution", "auditChanges"},
    "service": {"port"},
    "tls": {"serverCertSecretRef", "trustedCASecretRef"},
}
"""What works with an attached proxy too, shapes endpoint and CA, or is told in another condition."""


@pytest.mark.parametrize(("section", "field"), paths())
def test_no_field_of_the_spec_is_passed_over_in_silence(section: str, field: str) -> None:
    value = {**ATTACHED.get(section, {}), field: ["set"]} if field else ["set"]
    spec = {**ATTACHED, section: value}
    named = " ".join(ignored_sections(spec) + ignored_settings(spec))
    assert named.startswith(f"spec.{section}") is (field not in IN_EFFECT.get(section, set()))
