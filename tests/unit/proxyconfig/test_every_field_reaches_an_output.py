"""No field of the spec is dead: each changes the configuration, or is named here with what it changes instead.

For every field of the schema a sample that sets it is changed in that field alone, or loses it; configuration or findings have to
differ then.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from app.apis.checking import InvalidSpec, check_spec
from app.apis.litellm.instance import LITELLM_INSTANCE, LiteLLMInstanceSpec
from app.generate.reference import rows
from app.proxyconfig import render
from app.proxyconfig.secret_names import caching_variables, pass_through_variables
from tests.unit.proxyconfig.samples import REQUIRED, SAMPLES, cache, secret

if TYPE_CHECKING:
    from collections.abc import Callable

ELSEWHERE = {
    "autoscaling": "HorizontalPodAutoscaler",
    "callbacks.envVars": "environment",
    "configSync": "status and the entities' hooks",
    "database.cloudnativepg": "environment, ScheduledBackup",
    "database.external": "environment",
    "database.managed": "StatefulSet, Service, Secret",
    "database.migration": "Job",
    "database.tls": "volumes",
    "deployment": "Deployment",
    "adminUI.apiDocBaseURL": "environment",
    "adminUI.colorThemeConfigMapRef": "volumes",
    "adminUI.disabled": "environment",
    "adminUI.docsURL": "environment",
    "adminUI.emailLogoURL": "environment",
    "adminUI.emailSupportContact": "environment",
    "adminUI.logoURL": "environment",
    "adminUI.rootRedirectURL": "environment",
    "extraEnvFrom": "environment",
    "extraEnvVars": "environment",
    "extraVolumeMounts": "volumes",
    "extraVolumes": "volumes",
    "gatewayHTTPRoute": "HTTPRoute",
    "healthCheck": "probes",
    "image": "Deployment, Job",
    "ingress": "Ingress",
    "jwtAuth.audience": "environment",
    "jwtAuth.issuer": "environment",
    "jwtAuth.publicKeyUrl": "environment",
    "masterKey": "environment, Secret",
    "oauth2Auth.configMappings[].name": "nothing: a name for people",
    "observability": "ServiceMonitor, PrometheusRule, ConfigMap",
    "patches": "every child",
    "podDisruptionBudget": "PodDisruptionBudget",
    "podScheduling": "Deployment, Job",
    "replicas": "Deployment",
    "resources": "Deployment",
    "route": "Route",
    "saltKey": "environment, Secret",
    "scim": "environment, Secret",
    "secretManager.azure": "environment",
    "secretManager.credentialsSecretRef": "environment",
    "secretManager.vault": "environment",
    "security.networkPolicy": "NetworkPolicy",
    "security.runAsNonRoot": "Deployment, Job",
    "service": "Service",
    "serviceAccount": "ServiceAccount",
    "sso.authorizationEndpoint": "environment",
    "sso.clientId": "environment",
    "sso.clientSecret": "environment",
    "sso.customSsoHandler.configMapRef.name": "volumes",
    "sso.logoutUrl": "environment",
    "sso.provider": "environment",
    "sso.scopes": "environment",
    "sso.tenantId": "environment",
    "sso.tokenEndpoint": "environment",
    "sso.userAttributeMappings": "environment",
    "sso.userinfoEndpoint": "environment",
    "tls": "environment, volumes",
    "topologySpreadConstraints": "Deployment",
    "upgrade": "Deployment",
    "workload": "whether there is a gateway of ours at all",
}
"""Field, or section, and what it changes instead of the configuration."""

MORE = {
    "module": {"sso": {**SAMPLES["access"]["sso"], "customSsoHandler": {"module": "handlers.user_of"}}},
    "cache-url": cache("redis-semantic", shared={"enabled": True, "connectionSecretRef": secret("url")}),
}
SPECS = {**SAMPLES, **MORE}

ROWS = {row.path: row.schema for row in rows(LITELLM_INSTANCE.schema(expand_core=False)["properties"]["spec"])}
LEAVES = [path for path in ROWS if not any(other.startswith((f"{path}.", f"{path}[", f"{path}{{")) for other in ROWS)]


def elsewhere(path: str) -> bool:
    return any(path == name or path.startswith((f"{name}.", f"{name}[", f"{name}{{")) for name in ELSEWHERE)


def changed(value: Any, schema: Any) -> Any:
    """Another legal value."""
    if "enum" in schema:
        return next(other for other in schema["enum"] if other != value)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return "123.5" if re.fullmatch(r"[0-9.]+", value) else f"x{value}"
    if isinstance(value, dict):
        named = "properties" in schema
        return {key if named else f"x{key}": changed(item, {}) if named else item for key, item in value.items()}
    return [*value, *value, "another"] if not value or isinstance(value[0], str) else value * 2


def edited(value: Any, steps: list[str], edit: Callable[[Any], Any]) -> Any:
    """A copy with the value at the path edited, or without it if ``edit`` gives ``None``."""
    if not steps or value is None:
        return edit(value)
    step, *rest = steps
    if step == "[]":
        return [edited(item, rest, edit) for item in value]
    if step == "{}":
        return {key: edited(item, rest, edit) for key, item in value.items()}
    others = {key: item for key, item in value.items() if key != step}
    new = edited(value.get(step), rest, edit) if step in value else None
    return others if new is None else {**others, step: new}


def outputs(sections: Any) -> Any:
    """All that is made of a spec here; nothing of an invalid one."""
    spec = check_spec(LiteLLMInstanceSpec, REQUIRED | sections)
    if isinstance(spec, InvalidSpec):
        return None
    rendered = render(spec)
    return rendered.config, rendered.findings, caching_variables(spec), pass_through_variables(spec.pass_through_endpoints or [])


@pytest.mark.parametrize("path", [path for path in LEAVES if not elsewhere(path)])
def test_a_field_changes_the_configuration(path: str) -> None:
    steps = [step for step in re.split(r"\.|(\[\]|\{\})", path) if step]
    without = {name: edited(sections, steps, lambda _: None) for name, sections in SPECS.items()}
    setting = [name for name, sections in SPECS.items() if without[name] != sections]
    assert setting, f"no sample sets spec.{path}: add it to one, or say in ELSEWHERE what the field changes"
    for name in setting:
        other = edited(SPECS[name], steps, lambda value: changed(value, ROWS[path]))
        if any(outputs(sections) not in (None, outputs(SPECS[name])) for sections in (other, without[name])):
            return
    pytest.fail(f"spec.{path} changes nothing in {', '.join(setting)}")


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_is_said_to_be_elsewhere_exists(name: str) -> None:
    assert name in ROWS or any(path.startswith(f"{name}.") for path in ROWS)
