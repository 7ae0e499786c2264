"""The NetworkPolicy of the proxy's pods: who may connect. What they may connect to is not limited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.resources.checks import label_value
from app.resources.child import child
from app.resources.gateway import PROXY_PORT
from app.resources.kinds import NETWORK_POLICY

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway


def network_policy(gateway: Gateway) -> Object | None:
    """Without a list of namespaces any source may reach the proxy's port, and only that. None while it is off."""
    wanted = gateway.spec.security.network_policy if gateway.spec.security else None
    if wanted is None or not wanted.enabled:
        return None
    rule: Object = {"ports": [{"port": PROXY_PORT, "protocol": "TCP"}]}
    if wanted.allowed_namespaces:
        rule["from"] = [
            {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": name}}}
            for name in _checked(wanted.allowed_namespaces)
        ]
    return child(
        NETWORK_POLICY,
        gateway,
        gateway.name,
        spec={"podSelector": {"matchLabels": gateway.labels}, "policyTypes": ["Ingress"], "ingress": [rule]},
    )


def _checked(namespaces: list[str]) -> list[str]:
    """Each once, in the order of the spec."""
    for index, name in enumerate(namespaces):
        label_value(name, f"spec.security.networkPolicy.allowedNamespaces[{index}]")
    return list(dict.fromkeys(namespaces))
