"""Gateways to build from: a spec as the API server stores it, checked as a sync does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.apis.checking import InvalidSpec, check_spec
from app.apis.litellm.instance import LiteLLMInstanceSpec
from app.controllers.litellm_instance import CHILDREN
from app.hooks.guard import Place
from app.resources import managed_database
from app.resources.autoscaler import autoscaler
from app.resources.config_map import config_map
from app.resources.database_url import assembled_url_secret
from app.resources.deployment import deployment
from app.resources.disruption_budget import disruption_budget
from app.resources.gateway import Gateway
from app.resources.generated_secrets import master_key, salt_key, scim_token
from app.resources.grafana_dashboard import grafana_dashboard
from app.resources.ingress import ingress
from app.resources.migration_job import migration_job
from app.resources.network_policy import network_policy
from app.resources.pod_template import pod_template
from app.resources.revision import revision
from app.resources.service import service
from app.resources.service_account import service_account

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object

DECLARED = {rule.resource.key: rule.resource for rule in CHILDREN}
PLACE = Place(namespace="team", declared=DECLARED, installed=DECLARED.keys())

MINIMAL: Object = {
    "masterKey": {"secretRef": {"name": "lk", "key": "MASTER"}},
    "database": {"external": {"connectionSecretRef": {"name": "pg", "key": "url"}}},
}


Builder = Callable[[Gateway], "Object | None"]


def gateway(spec: Object | None = None, name: str = "gw", **facts: Any) -> Gateway:
    """The gateway ``name`` in namespace ``team``; ``spec`` is laid over a minimal one, section by section."""
    checked = check_spec(LiteLLMInstanceSpec, {**MINIMAL, **(spec or {})})
    assert not isinstance(checked, InvalidSpec), checked.message
    return Gateway(name=name, namespace="team", spec=checked, **facts)


def builders() -> tuple[Builder, ...]:
    """Every builder, with what is injected filled in; a two-step Secret is built whether or not the spec asks for it."""
    return (
        service_account,
        lambda given: config_map(given, "model_list: []\n"),
        service,
        deployment,
        lambda given: revision(given, pod_template(given), "model_list: []\n", "1"),
        lambda given: master_key(given, b"sk-master"),
        lambda given: salt_key(given, b"sk-salt"),
        lambda given: scim_token(given, b"sk-scim"),
        lambda given: assembled_url_secret(given, b"postgresql://u:p@h:5432/d"),
        ingress,
        autoscaler,
        disruption_budget,
        network_policy,
        grafana_dashboard,
        migration_job,
        lambda given: managed_database.database_secret(given, b"p@ss/w#rd"),
        managed_database.database_volume,
        managed_database.database_service,
        managed_database.database_stateful_set,
    )


def everything(given: Gateway) -> Iterator[Object]:
    """Every object that the gateway has."""
    return (child for build in builders() if (child := build(given)) is not None)


def environment(given: Gateway) -> list[Object]:
    """``env`` of the proxy container."""
    return pod_template(given)["spec"]["containers"][0]["env"]


def variable(given: Gateway, name: str) -> Object | None:
    """One variable of the proxy container."""
    return next((entry for entry in environment(given) if entry["name"] == name), None)
