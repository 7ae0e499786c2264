"""What Metacontroller sends, after its shape was checked.

Version 2 hooks: outer keys are ``<Kind>.<apiVersion>``, inner keys ``namespace/name``. Requests are views on the parsed
body; nothing is copied. A body of another shape is a :class:`~app.hooks.errors.BadRequest` that names the field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

from app.hooks.errors import BadRequest
from app.hooks.objects import Object, object_key, resource_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Set

    from app.hooks.objects import Resource


class Observed(Mapping[str, Mapping[str, Object]]):
    """Objects grouped as they arrive: ``{"Secret.v1": {"namespace/name": {...}}}``."""

    __slots__ = ("groups",)

    def __init__(self, groups: dict[str, dict[str, Object]]) -> None:
        self.groups = groups

    def __getitem__(self, key: str) -> Mapping[str, Object]:
        return self.groups[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.groups)

    def __len__(self) -> int:
        return len(self.groups)

    def objects(self) -> Iterator[Object]:
        """Every object, by outer and then inner key, so that the order never depends on the sender."""
        for outer in sorted(self.groups):
            group = self.groups[outer]
            for inner in sorted(group) if group else ():
                yield group[inner]

    def of(self, resource: Resource) -> Iterable[Object]:
        """The objects of that kind, in the order in which they arrived."""
        return self.groups.get(resource.key, {}).values()

    def find(self, resource: Resource, namespace: str, name: str) -> Object | None:
        """The object of that kind and name, or nothing."""
        key = f"{namespace}/{name}" if resource.namespaced else name
        return self.groups.get(resource.key, {}).get(key)


@dataclass(frozen=True)
class _Request:
    controller: Object
    parent: Object

    @cached_property
    def namespace(self) -> str:
        """The parent's namespace; empty for a cluster-scoped parent."""
        return str(self.parent["metadata"].get("namespace", ""))

    @cached_property
    def name(self) -> str:
        """The parent's name."""
        return str(self.parent["metadata"]["name"])

    def installed_rules(self) -> set[tuple[str, str]]:
        """Which children Metacontroller watches, by ``apiVersion`` and plural: the controller's rules as they were installed."""
        spec = self.controller.get("spec")
        fields = cast("Object", spec) if isinstance(spec, dict) else {}
        rules = [rule for name in ("childResources", "attachments") for rule in _items(fields.get(name))]
        return {(str(rule.get("apiVersion")), str(rule.get("resource"))) for rule in rules}


@dataclass(frozen=True)
class SyncRequest(_Request):
    """The body of sync and finalize. A decorator's ``object`` is the parent here, its attachments are the children."""

    children: Observed
    """Owned children of a composite, attachments of a decorator; terminating ones are among them."""
    related: Observed
    finalizing: bool

    @property
    def uid(self) -> str:
        """The parent's uid; empty for an object that was never stored."""
        return str(self.parent["metadata"].get("uid", ""))

    @property
    def generation(self) -> int:
        """The parent's generation, 0 where the kind has none."""
        return int(self.parent["metadata"].get("generation", 0))

    def watched(self, declared: Mapping[str, Resource]) -> Set[str]:
        """Which of the declared kinds, by ``<Kind>.<apiVersion>``, Metacontroller watches as children.

        Each has a group in the request and a rule in the controller's object; an older installation may have fewer.
        """
        groups = self.children.groups.keys()
        if len(groups) >= len(declared):
            return groups
        rules = self.installed_rules()
        return groups | {key for key, resource in declared.items() if (resource.api_version, resource.plural) in rules}


@dataclass(frozen=True)
class CustomizeRequest(_Request):
    """The body of customize: any object of the parent kind, whether the controller selects it or not."""


_LARGEST_GENERATION = 2**63 - 1


def composite_request(body: object) -> SyncRequest:
    """The request of a CompositeController's sync or finalize."""
    return _sync_request(_fields(body), "parent", "children")


def decorator_request(body: object) -> SyncRequest:
    """The request of a DecoratorController's sync or finalize."""
    return _sync_request(_fields(body), "object", "attachments")


def customize_request(body: object) -> CustomizeRequest:
    """The request of customize, the same for both kinds of controller."""
    fields = _fields(body)
    return CustomizeRequest(controller=_object(fields, "controller"), parent=_identified(fields, "parent"))


def _sync_request(fields: Object, parent: str, children: str) -> SyncRequest:
    return SyncRequest(
        controller=_object(fields, "controller"),
        parent=_identified(fields, parent),
        children=_groups(fields, children),
        related=_groups(fields, "related"),
        finalizing=_flag(fields, "finalizing"),
    )


def _fields(body: object) -> Object:
    if not isinstance(body, dict):
        raise BadRequest("the body must be a JSON object")
    return body  # pyright: ignore[reportUnknownVariableType]


def _object(fields: Object, name: str) -> Object:
    value = fields.get(name)
    if not isinstance(value, dict):
        raise BadRequest(f"{name} must be an object")
    return value  # pyright: ignore[reportUnknownVariableType]


def _identified(fields: Object, name: str) -> Object:
    item = _object(fields, name)
    problem = _identity_problem(item)
    if problem:
        raise BadRequest(f"{name}.{problem}")
    metadata = item["metadata"]
    if not isinstance(metadata.get("uid", ""), str):
        raise BadRequest(f"{name}.metadata.uid must be a string")
    generation = metadata.get("generation", 0)
    if type(generation) is not int or not 0 <= generation <= _LARGEST_GENERATION:
        raise BadRequest(f"{name}.metadata.generation must be an integer from 0 to {_LARGEST_GENERATION}")
    return item


def _identity_problem(item: Object) -> str:
    """What is missing of an object's identity, as field and requirement; empty if nothing is."""
    if not isinstance(item.get("apiVersion"), str) or not isinstance(item.get("kind"), str):
        return "apiVersion and kind must be strings"
    metadata = item.get("metadata")
    if not isinstance(metadata, dict):
        return "metadata must be an object"
    if not isinstance(metadata.get("name"), str):  # pyright: ignore[reportUnknownMemberType]
        return "metadata.name must be a string"
    if not isinstance(metadata.get("namespace", ""), str):  # pyright: ignore[reportUnknownMemberType]
        return "metadata.namespace must be a string"
    return ""


def _items(value: object) -> list[Object]:
    return [item for item in cast("list[object]", value) if isinstance(item, dict)] if isinstance(value, list) else []


def _flag(fields: Object, name: str) -> bool:
    value = fields.get(name)
    if not isinstance(value, bool):
        raise BadRequest(f"{name} must be true or false")
    return value


def _groups(fields: Object, name: str) -> Observed:
    groups = _object(fields, name)
    for outer, group in groups.items():
        if not isinstance(group, dict):
            raise BadRequest(f"{name}[{outer!r}] must be an object")
        for inner, item in group.items():  # pyright: ignore[reportUnknownVariableType]
            problem = _identity_problem(item) if isinstance(item, dict) else "must be an object"  # pyright: ignore[reportUnknownArgumentType]
            if not problem and (resource_key(item) != outer or object_key(item) != inner):  # pyright: ignore[reportUnknownArgumentType]
                problem = "it is another object by its own kind, apiVersion, namespace or name"
            if problem:
                raise BadRequest(f"{name}[{outer!r}][{inner!r}]: {problem}")
    return Observed(groups)
