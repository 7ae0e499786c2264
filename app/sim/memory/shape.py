"""How the parts of an object may be shared between field managers: what merges field by field, and what only as a whole.

For a custom resource its schema says so (``x-kubernetes-list-type``, ``-list-map-keys``, ``-map-type``). For built-in kinds,
whose schemas are not known here, a table of their keyed lists and atomic maps does; everything else merges as a map or is atomic
as a list, which is the API's default.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from app.sim.json_values import is_object

if TYPE_CHECKING:
    from app.hooks.objects import Object


class Shape(Protocol):
    """What server-side apply needs to know about the value at one place."""

    @property
    def atomic(self) -> bool:
        """Whether a map has one owner as a whole."""
        ...

    @property
    def keys(self) -> tuple[str, ...]:
        """The fields that tell the items of a keyed list apart; none for any other list."""
        ...

    @property
    def is_set(self) -> bool:
        """Whether a list of scalars merges as a set."""
        ...

    @property
    def defaults(self) -> Object:
        """Values of :attr:`keys` that an item need not spell out."""
        ...

    @property
    def entry(self) -> bool:
        """Whether it is an entry of a map, which has an owner of its own, and not a declared field."""
        ...

    def child(self, name: str) -> Shape | None:
        """The shape of a field; none if the schema does not declare it."""
        ...

    def item(self) -> Shape:
        """The shape of a list's items."""
        ...


_NO_DEFAULTS: Object = {}


@dataclass(frozen=True)
class BuiltInShape:
    """By the names of fields alone: ``trail`` are the last names on the way."""

    trail: tuple[str, ...] = ()
    in_item: bool = False
    entry: bool = False

    @property
    def atomic(self) -> bool:
        """Selectors and references to other objects are taken whole."""
        return bool(self.trail) and self.trail[-1] in (_ATOMIC_ITEMS if self.in_item else _ATOMIC_MAPS)

    @property
    def keys(self) -> tuple[str, ...]:
        """See :class:`Shape`."""
        for known, keys in _KEYED_LISTS.items():
            if not self.in_item and self.trail[-len(known) :] == known:
                return keys
        return ()

    @property
    def is_set(self) -> bool:
        """See :class:`Shape`."""
        return self.trail[-2:] == ("metadata", "finalizers") and not self.in_item

    @property
    def defaults(self) -> Object:
        """A port without a protocol is one of TCP."""
        return {"protocol": "TCP"} if "protocol" in self.keys else _NO_DEFAULTS

    def child(self, name: str) -> BuiltInShape:
        """Built-in kinds are taken to declare every field."""
        return BuiltInShape((*self.trail[-2:], name))

    def item(self) -> BuiltInShape:
        """See :class:`Shape`."""
        return BuiltInShape(self.trail, in_item=True)


@dataclass(frozen=True)
class SchemaShape:
    """By a structural schema; ``whole_object`` is one with ``metadata`` of its own."""

    schema: Object
    whole_object: bool = False
    entry: bool = False

    @property
    def atomic(self) -> bool:
        """See :class:`Shape`."""
        return self.schema.get("x-kubernetes-map-type") == "atomic"

    @property
    def keys(self) -> tuple[str, ...]:
        """See :class:`Shape`."""
        return tuple(self.schema.get("x-kubernetes-list-map-keys", ()))

    @property
    def is_set(self) -> bool:
        """See :class:`Shape`."""
        return self.schema.get("x-kubernetes-list-type") == "set"

    @property
    def defaults(self) -> Object:
        """See :class:`Shape`."""
        properties: Object = self.schema.get("items", {}).get("properties", {})
        return {name: properties[name]["default"] for name in self.keys if "default" in properties.get(name, {})}

    def child(self, name: str) -> Shape | None:
        """See :class:`Shape`."""
        if self.whole_object and name == "metadata":
            return BuiltInShape(("metadata",))
        properties: Object = self.schema.get("properties", {})
        others: Any = self.schema.get("additionalProperties")
        if name in properties:
            return SchemaShape(properties[name])
        if is_object(others):
            return SchemaShape(others, entry=True)
        free = others is True or self.schema.get("x-kubernetes-preserve-unknown-fields") or name in ("apiVersion", "kind")
        return SchemaShape({"x-kubernetes-preserve-unknown-fields": True}, entry=True) if free else None

    def item(self) -> Shape:
        """See :class:`Shape`."""
        return SchemaShape(self.schema.get("items", {"x-kubernetes-preserve-unknown-fields": True}))


_NAME = ("name",)
_KEYED_LISTS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("metadata", "ownerReferences"): ("uid",),
    ("spec", "containers"): _NAME,
    ("spec", "initContainers"): _NAME,
    ("spec", "volumes"): _NAME,
    ("spec", "imagePullSecrets"): _NAME,
    ("spec", "topologySpreadConstraints"): ("topologyKey", "whenUnsatisfiable"),
    ("spec", "hostAliases"): ("ip",),
    ("containers", "env"): _NAME,
    ("initContainers", "env"): _NAME,
    ("containers", "ports"): ("containerPort", "protocol"),
    ("initContainers", "ports"): ("containerPort", "protocol"),
    ("containers", "volumeMounts"): ("mountPath",),
    ("initContainers", "volumeMounts"): ("mountPath",),
    ("spec", "ports"): ("port", "protocol"),
    ("status", "conditions"): ("type",),
    ("secrets",): _NAME,
    ("imagePullSecrets",): _NAME,
}
"""The keyed lists of built-in kinds, by the last names on the way to them."""

_ATOMIC_ITEMS = {"ownerReferences", "imagePullSecrets"}
_ATOMIC_MAPS = {
    "selector",
    "labelSelector",
    "podSelector",
    "namespaceSelector",
    "nodeSelector",
    "configMapKeyRef",
    "secretKeyRef",
    "fieldRef",
    "resourceFieldRef",
    "secretRef",
    "configMapRef",
    "roleRef",
    "claimRef",
    "targetRef",
}
