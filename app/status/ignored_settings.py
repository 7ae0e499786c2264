"""Which parts of a spec do nothing because the proxy is not ours to run.

People attach by copying a managed object and flipping the flag; half of the copy is then decoration, and status says which
half. Two conditions: ``WorkloadUnmanaged`` names the sections that configure a proxy, as the Go operator does, a section
counting as set unless it is empty as stored (``enabled: false`` is set). ``SettingsIgnored`` names everything else, after
the schema's defaults are taken off, because those were not the user's doing.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, cast, get_args

from app.apis.litellm.instance import LiteLLMInstanceSpec
from app.apis.section import Section

if TYPE_CHECKING:
    from app.hooks.objects import Object

SECTIONS = (
    "sso",
    "scim",
    "jwtAuth",
    "oauth2Auth",
    "rbac",
    "security",
    "logging",
    "adminUI",
    "caching",
    "routerSettings",
    "callbacks",
    "passThroughEndpoints",
    "secretManager",
)
"""Sections that WorkloadUnmanaged names, in its order."""

_EFFECTIVE = frozenset({"workload", "masterKey", "database", "configSync", "service", "tls", *SECTIONS})
"""Sections that are in effect, told elsewhere, or looked at field by field below. ``database`` is required; a migration in it
is told in DatabaseReady."""


def ignored_sections(spec: Object) -> tuple[str, ...]:
    """The set ones of :data:`SECTIONS`, as ``spec.sso``."""
    return tuple(f"spec.{section}" for section in SECTIONS if not _empty(spec.get(section)))


def ignored_settings(spec: Object) -> tuple[str, ...]:
    """Every other setting that does nothing, by section; where one field of a section is set, by that field."""
    fields = _fields(LiteLLMInstanceSpec)
    left = _without_defaults(spec, LiteLLMInstanceSpec)
    ignored = [_name(section, left[section]) for section in fields if section in left and section not in _EFFECTIVE]
    return (*ignored, *_within_effective_sections(left))


def _within_effective_sections(left: Object) -> list[str]:
    given_endpoint = bool(left.get("workload", {}).get("endpoint"))
    shaping_service = frozenset[str]() if given_endpoint else frozenset({"port"})
    return [
        *_others("masterKey", left, {"secretRef"}),
        *_others("service", left, shaping_service),
        *_others("tls", left, {"serverCertSecretRef", "trustedCASecretRef"}),
    ]


def _others(section: str, left: Object, effective: set[str] | frozenset[str]) -> list[str]:
    return [f"spec.{section}.{field}" for field in left.get(section, {}) if field not in effective]


def _name(section: str, value: Any) -> str:
    if isinstance(value, dict) and len(cast("Object", value)) == 1:
        return f"spec.{section}.{next(iter(cast('Object', value)))}"
    return f"spec.{section}"


def _without_defaults(value: Object, model: type[Section]) -> Object:
    """``value`` in the model's order without empty fields, defaults, and fields that the model does not have."""
    left: Object = {}
    for name, (default, section) in _fields(model).items():
        item = value.get(name)
        if section is not None and isinstance(item, dict):
            item = _without_defaults(cast("Object", item), section)
        if not _empty(item) and item != default:
            left[name] = item
    return left


@cache
def _fields(model: type[Section]) -> dict[str, tuple[Any, type[Section] | None]]:
    """By JSON name: the default, and the model of a field that is an object itself."""
    fields: dict[str, tuple[Any, type[Section] | None]] = {}
    for name, field in model.model_fields.items():
        kinds = (field.annotation, *get_args(field.annotation))
        section = next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Section)), None)
        fields[field.alias or name] = (field.get_default(), section)
    return fields


def _empty(value: Any) -> bool:
    """Whether nothing but empty objects, empty lists and nulls is in it."""
    if value is None:
        return True
    if isinstance(value, dict):
        return all(_empty(item) for item in cast("Object", value).values())
    if isinstance(value, list):
        return all(_empty(item) for item in cast("list[Any]", value))
    return False
