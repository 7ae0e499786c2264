"""Metacontroller's rights, derived from what the controllers declare, and no more than each needs.

Metacontroller's own manifests give its account every right in the cluster. These roles are what it needs for us instead;
each verb was taken away in turn and missed. One ClusterRole a controller, gathered by label into one that is bound, so that
an add-on brings its rights along. What the service must see arrives in the hook's body. What those references lead on to (the
Secret of an instance's master key, say) it reads for itself, by the narrow role of :func:`reader_roles`.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from app.generate.names import LABELS, METACONTROLLER_ACCOUNT, METACONTROLLER_NAMESPACE, NAME, NAMESPACE
from app.hooks.controller import CompositeController, DecoratorController

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.hooks.controller import Controller
    from app.hooks.objects import Object, Resource

GATHERED = {"rbac.palena.ai/aggregate-to-metacontroller": "true"}
"""A ClusterRole with this label belongs to Metacontroller's rights."""

READ = frozenset({"list", "watch"})
"""What an informer does. Only a parent before it is written, and a child before it is adopted or released, is read by ``get``."""

CHILD = READ | {"get", "create", "update", "patch", "delete"}
"""``update`` is dynamic apply (and adoption), ``patch`` server-side apply: the role serves both strategies."""

Rights = dict[tuple[str, str], frozenset[str]]
"""Verbs by API group and resource."""


def metacontroller_rights() -> Rights:
    """What Metacontroller needs whatever it runs."""
    return {
        ("metacontroller.k8s.io", "compositecontrollers"): READ,
        ("metacontroller.k8s.io", "decoratorcontrollers"): READ,
        # For rolling updates of children, which nobody here has; without it the log fills with refusals.
        ("metacontroller.k8s.io", "controllerrevisions"): READ,
        ("apiextensions.k8s.io", "customresourcedefinitions"): READ,
        ("", "namespaces"): READ,
        # It reads the hook token and the service's authority through its cache, which lists Secrets of the whole cluster.
        ("", "secrets"): READ,
        ("", "events"): frozenset({"create", "patch"}),
    }


def controller_rights(controller: Controller[Any]) -> Rights:
    """What Metacontroller needs to run one controller: its parents, children and related kinds."""
    rights: defaultdict[tuple[str, str], frozenset[str]] = defaultdict(frozenset)

    def grant(resource: Resource, verbs: frozenset[str], subresource: str = "") -> None:
        plural = f"{resource.plural}/{subresource}" if subresource else resource.plural
        rights[resource.group, plural] |= verbs

    update = frozenset({"update"})
    grant(controller.watched, READ | {"get"})
    if isinstance(controller, CompositeController):
        # Status is a subresource; the object itself is written only for its finalizer.
        grant(controller.watched, update, "status")
    if isinstance(controller, DecoratorController) or controller.finalize is not None:
        grant(controller.watched, update)
    if controller.owned:
        # Owner references say blockOwnerDeletion; OpenShift asks for this right before it lets them in.
        grant(controller.watched, update, "finalizers")
    for rule in controller.owned:
        grant(rule.resource, CHILD)
        for subresource in rule.subresources:
            grant(rule.resource, frozenset({"create", "update"}), subresource)
    for resource in controller.related:
        grant(resource, READ)
    return dict(rights)


def core_roles() -> list[Object]:
    """The gathering role, its binding to Metacontroller's account, and what Metacontroller needs for itself."""
    name = f"{NAME}-metacontroller"
    return [
        {**_cluster_role(name, LABELS), "aggregationRule": {"clusterRoleSelectors": [{"matchLabels": GATHERED}]}},
        _binding(name, METACONTROLLER_ACCOUNT, METACONTROLLER_NAMESPACE),
        gathered_role(f"{name}-core", metacontroller_rights()),
    ]


def controller_role(controller: Controller[Any]) -> Object:
    """The gathered ClusterRole of one controller."""
    return gathered_role(f"{NAME}-metacontroller-{controller.name}", controller_rights(controller))


def reader_roles(kinds: Iterable[Resource]) -> list[Object]:
    """What the service's reader (:mod:`app.kube.reader`) may: a Secret by its name, and our own ``kinds``; with its binding."""
    rights: Rights = {("", "secrets"): frozenset({"get"})}
    rights |= {(kind.group, kind.plural): frozenset({"get", "list"}) for kind in kinds}
    name = f"{NAME}-reader"
    return [{**_cluster_role(name, LABELS), "rules": _rules(rights)}, _binding(name, NAME, NAMESPACE)]


def gathered_role(name: str, rights: Rights) -> Object:
    """A ClusterRole that becomes part of Metacontroller's rights."""
    return {**_cluster_role(name, {**LABELS, **GATHERED}), "rules": _rules(rights)}


def _rules(rights: Rights) -> list[Object]:
    """Resources of equal group and verbs share a rule."""
    grouped: defaultdict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    for (group, resource), verbs in sorted(rights.items()):
        grouped[group, tuple(sorted(verbs))].append(resource)
    return [{"apiGroups": [group], "resources": resources, "verbs": list(verbs)} for (group, verbs), resources in grouped.items()]


def _cluster_role(name: str, labels: dict[str, str]) -> Object:
    return {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": name, "labels": labels}}


def _binding(name: str, account: str, namespace: str) -> Object:
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": name, "labels": LABELS},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name},
        "subjects": [{"kind": "ServiceAccount", "name": account, "namespace": namespace}],
    }
