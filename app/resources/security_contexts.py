"""As whom containers run. Nothing is forced on the default image, which needs root; ``security.runAsNonRoot`` is for the
non-root image and meets the restricted Pod Security Standard. On OpenShift the cluster chooses user ids itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.resources.image import runs_as_non_root

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

PROXY_USER = 65534
MIGRATIONS_USER = 65532
"""The migrations image's own user. Another one cannot write the cache of its database engine."""


def proxy_pod_context(gateway: Gateway) -> Object:
    """Of pods of the proxy's image; empty for the default image."""
    return non_root_pod_context(gateway, PROXY_USER) if runs_as_non_root(gateway) else {}


def non_root_pod_context(gateway: Gateway, user: int) -> Object:
    """Of pods whose image runs as this user."""
    ids = {} if gateway.openshift else {"runAsUser": user, "fsGroup": user}
    return {"runAsNonRoot": True, **ids, "seccompProfile": {"type": "RuntimeDefault"}}


def container_context(*, restricted: bool) -> Object:
    """Of every container; ``restricted`` also takes all capabilities."""
    dropped = {"capabilities": {"drop": ["ALL"]}} if restricted else {}
    return {"allowPrivilegeEscalation": False, **dropped}
