"""The ServiceAccount of the proxy's pods: what cloud identities are bound to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.resources import names
from app.resources.child import child, user_annotations, user_labels
from app.resources.kinds import SERVICE_ACCOUNT

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway


def service_account(gateway: Gateway) -> Object:
    """It gets no rights: the proxy does not talk to the API server."""
    wanted = gateway.spec.service_account
    return child(
        SERVICE_ACCOUNT,
        gateway,
        names.service_account(gateway.name),
        labels=user_labels(wanted.labels if wanted else None, "spec.serviceAccount.labels"),
        annotations=user_annotations(wanted.annotations if wanted else None, "spec.serviceAccount.annotations"),
    )
