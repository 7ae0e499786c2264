"""References in any JSON: a spec's own fields, Kubernetes' own words, and what is none."""

from __future__ import annotations

from typing import Any

import pytest

from app.apis.litellm.instance import LiteLLMInstanceSpec
from app.apis.section import Section
from app.apis.types import CASecretRef, ConfigMapRef, SecretKeyRef, SecretRef
from app.resources.references import references


def found(value: Any) -> list[tuple[str, str, str, str]]:
    return [(one.kind, one.name, one.key, one.field) for one in references(value, "spec")]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"masterKey": {"secretRef": {"name": "a", "key": "k"}}}, [("Secret", "a", "k", "spec.masterKey.secretRef")]),
        ({"sso": {"clientId": {"name": "a", "key": "k"}}}, [("Secret", "a", "k", "spec.sso.clientId")]),
        ({"tls": {"trustedCASecretRef": {"name": "a"}}}, [("Secret", "a", "ca.crt", "spec.tls.trustedCASecretRef")]),
        (
            {"tls": {"serverCertSecretRef": {"name": "a"}}},
            [("Secret", "a", key, "spec.tls.serverCertSecretRef") for key in ("tls.crt", "tls.key")],
        ),
        ({"database": {"cloudnativepg": {"clusterName": "pg"}}}, [("Secret", "pg-app", "uri", "spec.database.cloudnativepg")]),
        (
            {"sso": {"customSsoHandler": {"configMapRef": {"name": "h", "fileName": "h.py"}}}},
            [("ConfigMap", "h", "h.py", "spec.sso.customSsoHandler.configMapRef")],
        ),
        (
            {"env": [{"valueFrom": {"configMapKeyRef": {"name": "c", "key": "k"}}}]},
            [("ConfigMap", "c", "k", "spec.env[0].valueFrom.configMapKeyRef")],
        ),
        ({"extraEnvFrom": [{"secretRef": {"name": "a"}}]}, [("Secret", "a", "", "spec.extraEnvFrom[0].secretRef")]),
        (
            {"volumes": [{"secret": {"secretName": "a", "items": [{"key": "x", "path": "y"}]}}]},
            [("Secret", "a", "x", "spec.volumes[0].secret")],
        ),
        (
            {"volumes": [{"projected": {"sources": [{"secret": {"name": "a"}}, {"configMap": {"name": "c"}}]}}]},
            [
                ("Secret", "a", "", "spec.volumes[0].projected.sources[0].secret"),
                ("ConfigMap", "c", "", "spec.volumes[0].projected.sources[1].configMap"),
            ],
        ),
        (
            {"patches": [{"patch": [{"value": {"secretKeyRef": {"name": "a", "key": "k"}}}]}]},
            [("Secret", "a", "k", "spec.patches[0].patch[0].value.secretKeyRef")],
        ),
        (
            {"patch": [{"op": "replace", "path": "/env/0/valueFrom/secretKeyRef", "value": {"name": "a", "key": "k"}}]},
            [("Secret", "a", "k", "spec.patch[0].value")],
        ),
        (
            {"patch": [{"op": "replace", "path": "/env/0/valueFrom/secretKeyRef/name", "value": "a"}]},
            [("Secret", "a", "", "spec.patch[0].value")],
        ),
        (
            {"patch": [{"op": "replace", "path": "/volumes/0/secret/secretName", "value": "a"}]},
            [("Secret", "a", "", "spec.patch[0].value")],
        ),
        (
            {"patch": [{"op": "replace", "path": "/volumes/0/configMap/name", "value": "c"}]},
            [("ConfigMap", "c", "", "spec.patch[0].value")],
        ),
    ],
)
def test_every_way_to_refer_is_found(value: Any, expected: list[tuple[str, str, str, str]]) -> None:
    assert found(value) == expected


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (None, "no spec"),
        ("text", "no object"),
        ({"secretRef": "text"}, "no reference"),
        ({"secretRef": {"name": 7}}, "no name"),
        ({"secretRef": {"name": "Not/Legal"}}, "no object has that name"),
        ({"secret": "text"}, "a word of somebody's own"),
        ({"image": {"pullSecrets": [{"name": "registry"}]}}, "the kubelet reads it, no pod"),
        ({"cloudnativepg": []}, "no section"),
    ],
)
def test_what_is_no_reference_is_passed_by(value: Any, why: str) -> None:
    assert found(value) == [], why


def test_every_field_of_the_spec_that_holds_a_reference_is_found_by_its_name() -> None:
    """The walk goes by names; a new field with another kind of name would be missed."""
    missed = [path for path, kind in _reference_fields(LiteLLMInstanceSpec, "spec") if not _is_found(path, kind)]
    assert missed == ["spec.image.pullSecrets", "spec.observability.serviceMonitor.authorization.credentials"], (
        "the kubelet reads the one, Prometheus the other"
    )


def _reference_fields(model: type[Section], path: str) -> list[tuple[str, type[Section]]]:
    from typing import get_args

    fields: list[tuple[str, type[Section]]] = []
    for name, field in model.model_fields.items():
        here = f"{path}.{field.alias or name}"
        waiting: list[Any] = [field.annotation]
        while waiting:
            kind = waiting.pop()
            waiting += get_args(kind)
            if isinstance(kind, type) and issubclass(kind, SecretKeyRef | SecretRef | CASecretRef | ConfigMapRef):
                fields.append((here, kind))
            elif isinstance(kind, type) and issubclass(kind, Section):
                fields += _reference_fields(kind, here)
    return fields


def _is_found(path: str, kind: type[Section]) -> bool:
    wanted = "ConfigMap" if issubclass(kind, ConfigMapRef) else "Secret"
    key = path.rpartition(".")[2]
    return bool([one for one in references({key: {"name": "a", "key": "k"}}, "spec") if one.kind == wanted])
