"""Controllers as they are installed: CompositeController and DecoratorController manifests, read once and checked.

What this loop doesn't do is refused here, so that nobody mistakes its silence for Metacontroller's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, cast

from app.hooks.controller import Update
from app.sim.metacontroller.errors import CreateError
from app.sim.metacontroller.selectors import Selector, SelectorError, label_selector

if TYPE_CHECKING:
    from app.hooks.objects import Object

DEFAULT_TIMEOUT_SECONDS = 10.0
DEFAULT_RESYNC_SECONDS = 1800.0
"""Metacontroller's cache flush interval: every parent is synced at least that often."""

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


class ControllerKind(StrEnum):
    """The two kinds of controller."""

    COMPOSITE = "CompositeController"
    DECORATOR = "DecoratorController"


@dataclass(frozen=True)
class Hook:
    """One webhook."""

    url: str
    timeout_seconds: float
    strict: bool
    """Whether unknown and repeated keys of an answer are errors."""


@dataclass(frozen=True)
class Target:
    """A kind of parent, or of object to decorate, and which of its objects are meant."""

    api_version: str
    plural: str
    labels: Selector
    annotations: Selector
    ignore_status_changes: bool


@dataclass(frozen=True)
class ChildRule:
    """A kind of child or attachment."""

    api_version: str
    plural: str
    update: Update


@dataclass(frozen=True)
class Manifest:
    """One controller, as far as the loop is concerned."""

    kind: ControllerKind
    name: str
    source: Object
    """The manifest itself, which every hook request carries."""
    targets: tuple[Target, ...]
    children: tuple[ChildRule, ...]
    sync: Hook
    finalize: Hook | None
    customize: Hook | None
    generate_selector: bool
    resync_seconds: float

    @property
    def finalizer(self) -> str:
        """The finalizer that this controller puts on its parents, if it has a finalize hook."""
        return f"metacontroller.io/{self.kind.lower()}-{self.name}"


def manifest(source: Object) -> Manifest:
    """Read a controller's manifest. Raises :class:`CreateError` for what Metacontroller or this loop can't follow."""
    try:
        return _read(source, ControllerKind(source.get("kind", "")))
    except KeyError as missing:
        raise CreateError(f"the manifest lacks {missing}") from missing
    except (ValueError, SelectorError) as error:
        raise CreateError(str(error)) from error


def _read(source: Object, kind: ControllerKind) -> Manifest:
    spec = cast("Object", source["spec"])
    composite = kind is ControllerKind.COMPOSITE
    hooks = cast("Object", spec.get("hooks") or {})
    sync = _hook(hooks, "sync")
    if sync is None:
        raise CreateError("spec.hooks.sync is required")
    targets = cast("list[Object]", [spec["parentResource"]] if composite else spec["resources"])
    rules = cast("list[Object]", spec.get("childResources" if composite else "attachments") or [])
    return Manifest(
        kind=kind,
        name=str(source["metadata"]["name"]),
        source={**source, "status": {}},
        targets=tuple(_target(target) for target in targets),
        children=tuple(_child_rule(rule) for rule in rules),
        sync=sync,
        finalize=_hook(hooks, "finalize"),
        customize=_hook(hooks, "customize"),
        generate_selector=bool(spec.get("generateSelector")),
        resync_seconds=min(max(1.0, float(spec.get("resyncPeriodSeconds") or DEFAULT_RESYNC_SECONDS)), DEFAULT_RESYNC_SECONDS),
    )


def _target(rule: Object) -> Target:
    annotations = cast("Object", rule.get("annotationSelector") or {})
    return Target(
        api_version=rule["apiVersion"],
        plural=rule["resource"],
        labels=label_selector(rule.get("labelSelector")),
        annotations=label_selector({"matchLabels": annotations.get("matchAnnotations"), **annotations} if annotations else None),
        ignore_status_changes=bool(rule.get("ignoreStatusChanges")),
    )


def _child_rule(rule: Object) -> ChildRule:
    strategy = cast("Object", rule.get("updateStrategy") or {})
    method = strategy.get("method") or Update.ON_DELETE
    if method not in list(Update):
        raise CreateError(f"{rule['resource']}: updateStrategy.method {method!r} is not supported here; use one of {[*Update]}")
    return ChildRule(rule["apiVersion"], rule["resource"], Update(method))


def _hook(hooks: Object, name: str) -> Hook | None:
    hook = cast("Object | None", hooks.get(name))
    if hook is None:
        return None
    if hook.get("version") != "v2":
        raise CreateError(f"spec.hooks.{name}.version must be v2 here, not {hook.get('version', 'v1')!r}")
    webhook = cast("Object", hook.get("webhook") or {})
    if cast("Object", webhook.get("etag") or {}).get("enabled"):
        raise CreateError(f"spec.hooks.{name}.webhook.etag is not supported here")
    return Hook(
        url=_url(name, webhook),
        timeout_seconds=_seconds(str(webhook.get("timeout", ""))) or DEFAULT_TIMEOUT_SECONDS,
        strict=webhook.get("responseUnMarshallMode", "strict") == "strict",
    )


def _url(name: str, webhook: Object) -> str:
    if webhook.get("url"):
        return str(webhook["url"])
    service, path = cast("Object", webhook.get("service") or {}), webhook.get("path")
    if not (service.get("name") and service.get("namespace") and path):
        raise CreateError(f"spec.hooks.{name}.webhook needs a url, or a path and a service with name and namespace")
    host = f"{service['name']}.{service['namespace']}:{service.get('port') or 80}"
    return f"{service.get('protocol') or 'http'}://{host}{path}"


def _seconds(duration: str) -> float:
    """A Go duration such as ``1m30s`` or ``500ms`` in seconds; 0 if it is none."""
    if not re.fullmatch(r"(\d+(\.\d+)?(ms|s|m|h))+", duration):
        return 0.0
    return sum(float(number) * _UNITS[unit] for number, unit in re.findall(r"(\d+(?:\.\d+)?)(ms|s|m|h)", duration))
