"""Which parts of a spec do nothing because the proxy is not ours to run.

People attach by copying a managed object and flipping the flag; half of the copy is then decoration, and status says which
half. Two conditions: ``WorkloadUnmanaged`` names the sections that configure a proxy, as the Go operator of ADR 6 does, a section
counting as set unless it is empty as stored (``enabled: false`` is set). ``SettingsIgnored`` names everything else, after
the schema's defaults are taken off, because those were not the user's doing.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast, get_args

import orjson

from app.apis.litellm.instance import LiteLLMInstanceSpec
from app.apis.litellm.instance.database import Database
from app.apis.memo import by_content
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

_TOLD_ELSEWHERE = frozenset({"database", "configSync", *SECTIONS})
"""``database`` is required, and what is set in it is told in DatabaseReady; ``configSync`` is told in ConfigSynced."""

_EFFECTIVE_FIELDS = {
    "workload": frozenset({"managed", "endpoint"}),
    "masterKey": frozenset({"secretRef"}),
    "service": frozenset({"port"}),
    "tls": frozenset({"serverCertSecretRef", "trustedCASecretRef"}),
}
"""Sections of which some fields are in effect: they shape the endpoint, the key and the CA."""


class Ignored(NamedTuple):
    """Everything in a spec that does nothing, as ``spec.sso``."""

    sections: tuple[str, ...] = ()
    """Sections that configure a proxy, in the documented order."""
    database: tuple[str, ...] = ()
    """What is said about a database that is not ours: ``spec.database.migration``."""
    settings: tuple[str, ...] = ()
    """Everything else."""


NOTHING_IGNORED = Ignored()


def ignored(spec: Object) -> Ignored:
    """What does nothing in a spec that was checked."""
    return _ignored(orjson.dumps(spec))


@by_content
def _ignored(content: bytes) -> Ignored:
    spec = orjson.loads(content)
    return Ignored(ignored_sections(spec), ignored_database_settings(spec), ignored_settings(spec))


def ignored_sections(spec: Object) -> tuple[str, ...]:
    """The set ones of :data:`SECTIONS`, as ``spec.sso``."""
    return tuple(f"spec.{section}" for section in SECTIONS if not _empty(spec.get(section)))


def ignored_settings(spec: Object) -> tuple[str, ...]:
    """Every other setting that does nothing, by section; where one field of a section is set, by that field."""
    candidates = {section: value for section, value in spec.items() if section not in _TOLD_ELSEWHERE}
    left = _without_defaults(candidates, LiteLLMInstanceSpec)
    ignored: list[str] = []
    for section, value in left.items():
        if section in _EFFECTIVE_FIELDS:
            ignored += [f"spec.{section}.{field}" for field in value if not _in_effect(section, field, left)]
        else:
            ignored.append(_name(section, value))
    return tuple(ignored)


def ignored_database_settings(spec: Object) -> tuple[str, ...]:
    """What is set in ``spec.database``, as ``spec.database.migration``; a migration that is switched off asks for nothing."""
    database = cast("Object", spec["database"])
    ignored = [field for field in _fields(Database) if not _empty(database.get(field))]
    if "migration" in ignored and database["migration"].get("enabled") is False:
        ignored.remove("migration")
    return tuple(f"spec.database.{field}" for field in ignored)


def _in_effect(section: str, field: str, left: Object) -> bool:
    if (section, field) == ("service", "port"):
        return "endpoint" not in left.get("workload", {})
    return field in _EFFECTIVE_FIELDS[section]


def _name(section: str, value: Any) -> str:
    if isinstance(value, dict) and len(cast("Object", value)) == 1:
        return f"spec.{section}.{next(iter(cast('Object', value)))}"
    return f"spec.{section}"


def _without_defaults(value: Object, model: type[Section]) -> Object:
    """``value`` in the model's order without empty fields, defaults, and fields that the model does not have."""
    fields = _fields(model)
    left: Object = {}
    for name in sorted(fields.keys() & value.keys(), key=lambda name: fields[name].place):
        item = value[name]
        section = fields[name].section
        if section is not None and isinstance(item, dict):
            item = _without_defaults(cast("Object", item), section)
            if item:
                left[name] = item
        elif item != fields[name].default and not _empty(item):
            left[name] = item
    return left


class _Field(NamedTuple):
    place: int
    default: Any
    section: type[Section] | None
    """The model of a field that is an object itself."""


@cache
def _fields(model: type[Section]) -> dict[str, _Field]:
    """A model's fields by their JSON names."""
    fields: dict[str, _Field] = {}
    for place, (name, field) in enumerate(model.model_fields.items()):
        kinds = (field.annotation, *get_args(field.annotation))
        section = next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Section)), None)
        fields[field.alias or name] = _Field(place, field.get_default(), section)
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
