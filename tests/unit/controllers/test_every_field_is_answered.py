"""No field of the spec is silently dead: it reaches the configuration, an object, or a condition."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.controllers.gateway_world import SPEC, running
from tests.unit.proxyconfig.test_every_field_reaches_an_output import ROWS, elsewhere
from tests.unit.resources.fullest import ANOTHER, FULLEST
from tests.unit.resources.gateways import everything, gateway
from tests.unit.resources.test_every_field_reaches_an_object import leaves, written

SECRET_KEY = {"name": "other", "key": "k"}
OBJECTS: dict[str, tuple[Any, Any]] = {
    "autoscaling.minReplicas": ({"enabled": True, "maxReplicas": 9}, {"minReplicas": 2}),
    "database.external": ({}, {"external": {"connectionSecretRef": SECRET_KEY}}),
    "masterKey.secretRef": ({}, {"secretRef": SECRET_KEY}),
    "observability.grafanaDashboard.folder": ({"grafanaDashboard": {"enabled": True}}, {"grafanaDashboard": {"folder": "x"}}),
    "podDisruptionBudget.minAvailable": ({"enabled": True}, {"minAvailable": 2}),
    "scim.generatedTokenSecretName": ({"enabled": True}, {"generatedTokenSecretName": "x"}),
    "sso.scopes": (
        {
            "enabled": True,
            "provider": "okta",
            "clientId": SECRET_KEY,
            "clientSecret": SECRET_KEY,
            "authorizationEndpoint": "https://a",
        },
        {"scopes": ["x"]},
    ),
}
"""Fields that no sample sets: their section, and what the field adds to it."""
CONDITIONS: dict[str, tuple[Any, str]] = {
    "configSync": ({"enabled": True}, "ConfigSynced"),
    "route": ({"enabled": True}, "AddOnsAvailable"),
    "gatewayHTTPRoute": ({"enabled": True, "parentRefs": [{"name": "g"}]}, "AddOnsAvailable"),
    "observability.serviceMonitor": ({"enabled": True}, "AddOnsAvailable"),
    "observability.prometheusRule": ({"enabled": True}, "AddOnsAvailable"),
    "database.cloudnativepg.backup": ({"enabled": True}, "AddOnsAvailable"),
}
"""Sections that are told of where nothing acts on them; what the add-ons make of their fields is tested with the add-ons."""
BY_SITUATION = {
    "workload": "who runs the proxy at all",
    "upgrade.autoRollback": "test_gateway_rollback",
    "patches": "test_gateway_patches",
    "oauth2Auth.configMappings[].name": "a name for people",
}


def _below(path: str, names: Any) -> bool:
    return any(path == name or path.startswith((f"{name}.", f"{name}[", f"{name}{{")) for name in names)


def test_every_field_is_answered_somewhere() -> None:
    in_objects = {written(path) for sample in (FULLEST, ANOTHER) for path in leaves(sample)}
    unanswered = [
        path
        for path in ROWS
        if elsewhere(path)
        and not any(_below(one, [path]) or path.startswith(f"{one}.") for one in in_objects)
        and not _below(path, [*OBJECTS, *CONDITIONS, *BY_SITUATION])
    ]
    assert unanswered == []


@pytest.mark.parametrize("path", OBJECTS)
def test_what_no_sample_sets_makes_another_object(path: str) -> None:
    section, field = OBJECTS[path]
    name = path.partition(".")[0]
    before = {**SPEC, name: section}
    merged = {key: {**section.get(key, {}), **value} if isinstance(value, dict) else value for key, value in field.items()}
    after = {**SPEC, name: {**section, **merged}}
    assert list(everything(gateway(before))) != list(everything(gateway(after)))


@pytest.mark.parametrize("path", CONDITIONS)
async def test_what_nothing_acts_on_is_told(path: str) -> None:
    value, condition = CONDITIONS[path]
    *sections, last = path.split(".")
    change: Any = {last: value}
    if path.startswith("database"):
        change = {"clusterName": "pg", last: value}
        sections = ["database", "cloudnativepg"]
    for section in reversed(sections):
        change = {section: change}
    async with running() as made:
        assert await made.reason(condition) == ""
        await made.edit(change)
        assert (await made.reason(condition)).startswith("False/")
