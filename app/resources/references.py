"""Which Secrets and ConfigMaps a piece of JSON names: a spec, as customize must ask for them, or a pod as it consumes them.

Both use the same words (``secretKeyRef``, ``configMapRef``, ``secret.secretName``), so one walk reads both, and a reference that
a user hides in ``extraVolumes`` or in a patch is found as well. Any JSON will do: what is no reference is passed by.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from app.hooks.field_path import field_path
from app.resources.cloudnativepg import CNPG_URL_KEY, cnpg_secret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object

ReferredKind = Literal["Secret", "ConfigMap"]

OBJECT_NAME = re.compile(r"[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?", re.ASCII)
"""Names that such an object can have; another one is never asked for."""

_SECRET = re.compile(r"([sS]ecretRef|[sS]ecretKeyRef|CASecretRef|clientId|clientSecret)", re.ASCII)
_CONFIG_MAP = re.compile(r"([cC]onfigMapRef|[cC]onfigMapKeyRef)", re.ASCII)
_CERTIFICATE = ("tls.crt", "tls.key")
IMPLIED_KEYS: dict[str, tuple[str, ...]] = {
    "trustedCASecretRef": ("ca.crt",),
    "caSecretRef": ("ca.crt",),
    "serverCertSecretRef": _CERTIFICATE,
    "clientCertSecretRef": _CERTIFICATE,
}
"""Keys that count where a reference of the spec names none."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One mention of a Secret or ConfigMap."""

    kind: ReferredKind
    name: str
    key: str
    """The one key that is meant; empty for the whole object."""
    field: str
    """Where it is mentioned: ``spec.redis.passwordSecretRef``."""
    optional: bool = False
    """Whether the pod starts without it."""


def references(value: Any, field: str) -> Iterator[Reference]:
    """Every reference at or below ``value``, in its order; ``field`` is the path of ``value``."""
    if isinstance(value, dict):
        yield from _patched_in(cast("Object", value), field)
        for key, item in cast("Object", value).items():
            path = field_path(field, key)
            yield from _at(key, item, path)
            yield from references(item, path)
    elif isinstance(value, list):
        for index, item in enumerate(cast("list[Any]", value)):
            yield from references(item, f"{field}[{index}]")


def _patched_in(operation: Object, field: str) -> Iterator[Reference]:
    """What an operation of a JSON Patch refers to by where it writes: a mere name at ``/…/secretKeyRef/name``."""
    if "value" in operation and "op" in operation:
        *_, above, last = ("", "", *_text(operation, "path").split("/"))
        yield from _at(last, operation["value"], f"{field}.value")
        yield from _at(above, {last: operation["value"]}, f"{field}.value")


def _at(key: str, item: Any, path: str) -> Iterator[Reference]:
    if key in {"pullSecrets", "imagePullSecrets"}:
        return
    if key == "cloudnativepg":
        cluster = _text(item, "clusterName")
        if cluster:
            yield Reference("Secret", cnpg_secret(cluster), CNPG_URL_KEY, path)
    elif _SECRET.search(key):
        yield from _named("Secret", _text(item, "name"), item, key, path)
    elif _CONFIG_MAP.search(key):
        yield from _named("ConfigMap", _text(item, "name"), item, key, path)
    elif key == "secret":
        yield from _named("Secret", _text(item, "secretName") or _text(item, "name"), item, key, path)
    elif key == "configMap":
        yield from _named("ConfigMap", _text(item, "name"), item, key, path)


def _named(kind: ReferredKind, name: str, item: Any, key: str, path: str) -> Iterator[Reference]:
    if not OBJECT_NAME.fullmatch(name):
        return
    fields = cast("Object", item)
    optional = fields.get("optional") is True
    items = fields.get("items")
    if isinstance(items, list):
        keys = tuple(_text(entry, "key") for entry in cast("list[Any]", items))
    else:
        given = _text(fields, "key") or _text(fields, "fileName")
        keys = (given,) if given else IMPLIED_KEYS.get(key, ("",))
    for wanted in keys:
        yield Reference(kind, name, wanted, path, optional)


def _text(value: Any, key: str) -> str:
    found = cast("Object", value).get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""
