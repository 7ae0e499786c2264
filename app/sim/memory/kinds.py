"""The kinds that the in-memory API server serves: a table of built-in ones, and one more for each CustomResourceDefinition.

Of a built-in kind only its conduct is known (does it count generations, has it a status subresource), not its schema:
defaults and validation of built-in kinds are left to the real API server, but for what :mod:`.immutability` knows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from app.hooks.objects import Resource
from app.sim.cluster import NotFound
from app.sim.memory.shape import BuiltInShape, SchemaShape
from app.sim.validation import ResourceSchema

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.hooks.objects import Object
    from app.sim.cel import Engine
    from app.sim.memory.shape import Shape

CRD_VERSION = "apiextensions.k8s.io/v1"
CRD_KIND = "CustomResourceDefinition"


@dataclass(frozen=True)
class ServedKind:
    """One version of one kind."""

    resource: Resource
    counts_generations: bool
    """Whether ``metadata.generation`` moves with the spec. Many built-in kinds have none."""
    has_status: bool
    """Whether ``status`` is a subresource, so that a write of the object leaves it alone and the other way round."""
    schema: ResourceSchema | None = field(default=None, compare=False)
    """What a custom resource is held to; none for a built-in kind."""

    @property
    def collection(self) -> tuple[str, str]:
        """Where its objects are stored, whatever the version: group and plural."""
        return self.resource.group, self.resource.plural

    @cached_property
    def shape(self) -> Shape:
        """What of it may be shared between field managers."""
        return BuiltInShape() if self.schema is None else SchemaShape(self.schema.schema, whole_object=True)

    @property
    def qualified_plural(self) -> str:
        """``widgets.toy.example.com``, or ``configmaps`` for the core group: what most error texts name."""
        return ".".join(filter(None, (self.resource.plural, self.resource.group)))

    @property
    def qualified_kind(self) -> str:
        """``Widget.toy.example.com``, or ``ConfigMap``: what the texts of invalid objects name."""
        return ".".join(filter(None, (self.resource.kind, self.resource.group)))


_GENERATION, _STATUS, _CLUSTER = "generation", "status", "cluster"

# apiVersion, kind, plural, and what is special about it. Measured at an API server of Kubernetes 1.36.
_BUILT_IN: tuple[tuple[str, str, str, set[str]], ...] = (
    ("v1", "Namespace", "namespaces", {_STATUS, _CLUSTER}),
    ("v1", "ConfigMap", "configmaps", set()),
    ("v1", "Secret", "secrets", set()),
    ("v1", "Service", "services", {_STATUS}),
    ("v1", "ServiceAccount", "serviceaccounts", set()),
    ("v1", "PersistentVolumeClaim", "persistentvolumeclaims", {_STATUS}),
    ("v1", "PersistentVolume", "persistentvolumes", {_STATUS, _CLUSTER}),
    ("v1", "Pod", "pods", {_GENERATION, _STATUS}),
    ("v1", "Event", "events", set()),
    ("v1", "Endpoints", "endpoints", set()),
    ("v1", "Node", "nodes", {_STATUS, _CLUSTER}),
    ("apps/v1", "Deployment", "deployments", {_GENERATION, _STATUS}),
    ("apps/v1", "StatefulSet", "statefulsets", {_GENERATION, _STATUS}),
    ("apps/v1", "DaemonSet", "daemonsets", {_GENERATION, _STATUS}),
    ("apps/v1", "ReplicaSet", "replicasets", {_GENERATION, _STATUS}),
    ("apps/v1", "ControllerRevision", "controllerrevisions", set()),
    ("batch/v1", "Job", "jobs", {_GENERATION, _STATUS}),
    ("batch/v1", "CronJob", "cronjobs", {_GENERATION, _STATUS}),
    ("networking.k8s.io/v1", "Ingress", "ingresses", {_GENERATION, _STATUS}),
    ("networking.k8s.io/v1", "NetworkPolicy", "networkpolicies", {_GENERATION}),
    ("autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", {_STATUS}),
    ("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", {_GENERATION, _STATUS}),
    ("rbac.authorization.k8s.io/v1", "Role", "roles", set()),
    ("rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings", set()),
    ("rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles", {_CLUSTER}),
    ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "clusterrolebindings", {_CLUSTER}),
    ("coordination.k8s.io/v1", "Lease", "leases", set()),
    (CRD_VERSION, CRD_KIND, "customresourcedefinitions", {_GENERATION, _STATUS, _CLUSTER}),
)


def built_in_kinds() -> Iterator[ServedKind]:
    """The kinds that every cluster has."""
    for api_version, kind, plural, traits in _BUILT_IN:
        resource = Resource(api_version, kind, plural, namespaced=_CLUSTER not in traits)
        yield ServedKind(resource, _GENERATION in traits, _STATUS in traits)


def custom_kinds(crd: Object, engine: Engine) -> Iterator[ServedKind]:
    """The kinds of a CustomResourceDefinition: one for each served version. ``engine`` evaluates the CEL rules."""
    spec = crd["spec"]
    for version in spec["versions"]:
        if version.get("served", True):
            api_version = f"{spec['group']}/{version['name']}"
            names = spec["names"]
            resource = Resource(api_version, names["kind"], names["plural"], namespaced=spec["scope"] == "Namespaced")
            has_status = "status" in version.get("subresources", {})
            yield ServedKind(resource, True, has_status, ResourceSchema(version["schema"]["openAPIV3Schema"], engine))


class ServedKinds:
    """What is served now, by plural and by kind."""

    def __init__(self) -> None:
        self._by_plural: dict[tuple[str, str], ServedKind] = {}
        self._by_kind: dict[tuple[str, str], ServedKind] = {}
        self.serve(built_in_kinds())

    def serve(self, kinds: Iterable[ServedKind]) -> None:
        """Serve these; a kind served already is replaced."""
        for kind in kinds:
            self._by_plural[kind.resource.api_version, kind.resource.plural] = kind
            self._by_kind[kind.resource.api_version, kind.resource.kind] = kind

    def withdraw(self, crd: Object) -> None:
        """Serve the kinds of this CustomResourceDefinition no longer."""
        for served in list(self):
            if served.collection == (crd["spec"]["group"], crd["spec"]["names"]["plural"]):
                del self._by_plural[served.resource.api_version, served.resource.plural]
                del self._by_kind[served.resource.api_version, served.resource.kind]

    def named(self, api_version: str, kind: str) -> ServedKind:
        """The kind that an object's ``apiVersion`` and ``kind`` name."""
        try:
            return self._by_kind[api_version, kind]
        except KeyError:
            raise NotFound(f'no matches for kind "{kind}" in version "{api_version}"') from None

    def plural(self, api_version: str, plural: str) -> ServedKind:
        """The kind that a URL names."""
        try:
            return self._by_plural[api_version, plural]
        except KeyError:
            raise NotFound("the server could not find the requested resource") from None

    def __iter__(self) -> Iterator[ServedKind]:
        return iter(self._by_plural.values())
