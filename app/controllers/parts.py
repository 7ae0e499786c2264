"""The objects that an instance may have, each by its builder: what a spec makes of a gateway, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app import proxyconfig
from app.resources import names
from app.resources.autoscaler import autoscaler
from app.resources.config_map import config_map
from app.resources.deployment import deployment
from app.resources.disruption_budget import disruption_budget
from app.resources.grafana_dashboard import grafana_dashboard
from app.resources.ingress import ingress
from app.resources.kinds import (
    AUTOSCALER,
    CONFIG_MAP,
    DEPLOYMENT,
    DISRUPTION_BUDGET,
    INGRESS,
    NETWORK_POLICY,
    SERVICE,
    SERVICE_ACCOUNT,
    STATEFUL_SET,
    VOLUME_CLAIM,
)
from app.resources.managed_database import database_service, database_stateful_set, database_volume
from app.resources.network_policy import network_policy
from app.resources.service import service
from app.resources.service_account import service_account

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.hooks.objects import Object, Resource
    from app.resources.gateway import Gateway


class Key(NamedTuple):
    """Which child."""

    kind: str
    """``<Kind>.<apiVersion>``."""
    name: str


class Part(NamedTuple):
    """An object that an instance may have."""

    resource: Resource
    name: Callable[[str], str]
    """From the instance's name."""
    build: Callable[[Gateway], Object | None]
    """None while the spec does not ask for it."""

    def key(self, instance: str) -> Key:
        """The child's key."""
        return Key(self.resource.key, self.name(instance))


def _config_map(gateway: Gateway) -> Object:
    return config_map(gateway, proxyconfig.config_text(proxyconfig.config(gateway.spec, gateway.guardrails)))


SURROUNDINGS = (
    Part(SERVICE_ACCOUNT, names.service_account, service_account),
    Part(SERVICE, names.service, service),
    Part(INGRESS, str, ingress),
    Part(AUTOSCALER, str, autoscaler),
    Part(DISRUPTION_BUDGET, str, disruption_budget),
    Part(NETWORK_POLICY, str, network_policy),
    Part(CONFIG_MAP, names.dashboard, grafana_dashboard),
    Part(SERVICE, names.database_service, database_service),
    Part(VOLUME_CLAIM, names.database, database_volume),
)
"""What waits for nothing."""

DATABASE = Part(STATEFUL_SET, names.database_stateful_set, database_stateful_set)
CONFIG = Part(CONFIG_MAP, names.config, _config_map)
PODS = Part(DEPLOYMENT, names.deployment, deployment)

PARTS = (*SURROUNDINGS, DATABASE, CONFIG, PODS)
"""Everything but the migration Job, which is named by its content."""
