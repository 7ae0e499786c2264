"""Which nodes pods run on: ``spec.podScheduling``, which the proxy and its migration share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.hooks.names import label_problems
from app.resources.errors import Unbuildable
from app.resources.users_own import stored

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway


def placement(gateway: Gateway) -> Object:
    """The fields of a pod's spec; empty where nothing is asked for, so that ``{}`` and an absent section are the same.

    Raises :class:`~app.resources.errors.Unbuildable`.
    """
    wanted = gateway.spec.pod_scheduling
    if wanted is None:
        return {}
    fields: Object = {}
    if wanted.node_selector:
        fields["nodeSelector"] = _node_labels(wanted.node_selector)
    if wanted.tolerations:
        fields["tolerations"] = stored(wanted.tolerations, "tolerations", "spec.podScheduling.tolerations")
    if wanted.affinity:
        fields["affinity"] = stored(wanted.affinity, "affinity", "spec.podScheduling.affinity")
    return {name: value for name, value in fields.items() if value}


def _node_labels(selector: dict[str, str]) -> dict[str, str]:
    for field, problem in label_problems({"labels": selector}):
        raise Unbuildable(f"spec.podScheduling.nodeSelector{field.removeprefix('metadata.labels')}", problem)
    return selector
