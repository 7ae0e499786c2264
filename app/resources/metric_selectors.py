"""Which series of kube-state-metrics and cAdvisor are about one instance, as PromQL label matchers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.resources import names
from app.resources.pod_template import CONTAINER

if TYPE_CHECKING:
    from app.resources.gateway import Gateway


def of_deployment(gateway: Gateway) -> str:
    """Series about the Deployment."""
    return f'namespace="{gateway.namespace}",deployment="{names.deployment(gateway.name)}"'


def of_pods(gateway: Gateway) -> str:
    """Series about the proxy's pods: the Deployment's name, the hash of its ReplicaSet and five letters. Not gw-2's for gw."""
    deployment = names.deployment(gateway.name).replace(".", "[.]")
    return f'namespace="{gateway.namespace}",pod=~"{deployment}-[a-z0-9]+-[a-z0-9]{{5}}"'


def of_container(gateway: Gateway) -> str:
    """Series about the proxy's container in those pods."""
    return f'{of_pods(gateway)},container="{CONTAINER}"'
