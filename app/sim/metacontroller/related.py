"""Which objects a related rule selects, by version 2 rules: across namespaces, and cluster-scoped kinds too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from app.sim.metacontroller.errors import SyncError
from app.sim.metacontroller.selectors import labels_of

if TYPE_CHECKING:
    from app.hooks.objects import Object, Resource
    from app.sim.metacontroller.answers import RelatedRule

Namespaces = Mapping[str, Mapping[str, str]]
"""The labels of each namespace; only rules with a namespace selector look into it."""


def check_rule(rule: RelatedRule, resource: Resource) -> None:
    """Raise :class:`SyncError` for a rule that contradicts itself."""
    if rule.names and (rule.labels is not None or rule.namespaces is not None):
        raise SyncError(f"the related rule on {rule.plural} has both names and a selector")
    if rule.namespace and rule.namespaces is not None:
        raise SyncError(f"the related rule on {rule.plural} has both namespace and namespaceSelector")
    if rule.namespaces is not None and not resource.namespaced:
        raise SyncError(f"the related rule on {rule.plural} has a namespaceSelector, but the kind is cluster-scoped")


def selects(rule: RelatedRule, resource: Resource, item: Object, namespaces: Namespaces) -> bool:
    """Whether a checked rule, which names this kind, selects the object. No restriction, or no name, selects all of a kind."""
    if (item["apiVersion"], item["kind"]) != (resource.api_version, resource.kind):
        return False
    metadata = item["metadata"]
    if resource.namespaced and rule.namespace and metadata["namespace"] != rule.namespace:
        return False
    if rule.namespaces is not None and not rule.namespaces(namespaces.get(metadata["namespace"], {})):
        return False
    if rule.names:
        return metadata["name"] in rule.names
    return rule.labels is None or rule.labels(labels_of(item))
