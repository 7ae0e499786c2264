"""Which nodes pods run on: ``spec.podScheduling``, which the proxy and its migration share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.hooks.canonical.form import canonicalise

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway


def placement(gateway: Gateway) -> Object:
    """The fields of a pod's spec; empty where nothing is asked for, so that ``{}`` and an absent section are the same."""
    wanted = gateway.spec.pod_scheduling
    if wanted is None:
        return {}
    fields = {"nodeSelector": wanted.node_selector, "tolerations": wanted.tolerations, "affinity": wanted.affinity}
    form, _ = canonicalise({"apiVersion": "v1", "kind": "Pod", **{key: value for key, value in fields.items() if value}})
    return {key: form[key] for key in fields if key in form}
