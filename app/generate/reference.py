"""``docs/reference/``: a page a kind with every field, its type, default, validation and meaning.

Made from the same schema as the CustomResourceDefinition. Kubernetes' own types are named, not spread out: their documentation
is Kubernetes'.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.apis.core import MARK, kubernetes_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.apis.custom_resource import CustomResource
    from app.hooks.objects import Object

COMMAND = "palena generate docs"
HEADER = f"<!-- Made by `{COMMAND}` from the declarations in app/. Do not edit. -->"
CORE_TYPES = "https://kubernetes.io/docs/reference/generated/kubernetes-api"
_TABLE = "| field | type | required | default | valid | meaning |\n| --- | --- | --- | --- | --- | --- |"
_LIMITS = {
    "minimum": "at least {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
}


@dataclass(frozen=True)
class Row:
    """One field."""

    path: str
    """Relative to the section: ``authorization.credentials``; ``[]`` is an item of a list, ``{}`` a value of a map."""
    schema: Object
    required: bool


def reference(kinds: Iterable[CustomResource]) -> dict[str, str]:
    """Every page by its path, ``docs/reference/<singular>.md``."""
    return {f"docs/reference/{kind.singular}.md": page(kind) for kind in kinds}


def page(kind: CustomResource) -> str:
    """The page of one kind: spec section by section, then status."""
    schema = kind.schema(expand_core=False)
    spec, status = schema["properties"]["spec"], schema["properties"]["status"]
    sections = spec["properties"].items()
    overview = [Row(name, section, name in spec["required"]) for name, section in sections]
    blocks = [HEADER, f"# {kind.resource.kind}", kind.description, _names(kind)]
    blocks += ["## spec", *_introduction(spec), _table(overview, linked=True)]
    for name, section in sections:
        if nested := list(_below(section, "")):
            blocks += [f"### spec.{name}", *_introduction(section.get("items", section)), _table(nested)]
    blocks += ["## status", *_introduction(status), _table(rows(status))]
    return "\n\n".join(blocks) + "\n"


def rows(schema: Object, path: str = "") -> Iterator[Row]:
    """Every field below an object, depth first, in the order of declaration."""
    for name, field in schema.get("properties", {}).items():
        here = f"{path}.{name}" if path else name
        yield Row(here, field, name in schema.get("required", ()))
        yield from _below(field, here)


def _below(field: Object, path: str) -> Iterator[Row]:
    if _reference_to(field):
        return
    if "items" in field:
        yield from _below(field["items"], f"{path}[]") if path else rows(field["items"])
    elif "additionalProperties" in field:
        yield from _below(field["additionalProperties"], f"{path}{{}}")
    else:
        yield from rows(field, path)


def _names(kind: CustomResource) -> str:
    columns = ", ".join(column.name for column in kind.columns)
    return (
        f"`apiVersion: {kind.resource.api_version}`, short name `{kind.short_names[0]}`, "
        f"categories {', '.join(f'`{category}`' for category in kind.categories)}. `kubectl get` shows {columns}.\n\n"
        f"Types that begin with `core/v1` are [Kubernetes' own]({CORE_TYPES}/), here as of {kubernetes_version()}."
    )


def _introduction(schema: Object) -> list[str]:
    rules = "\n".join(f"- {rule['message']}" for rule in schema.get("x-kubernetes-validations", ()))
    return [_text(schema["description"]), rules] if rules else [_text(schema["description"])]


def _text(description: str) -> str:
    return description.replace("<", "\\<")


def _table(fields: Iterable[Row], *, linked: bool = False) -> str:
    return "\n".join([_TABLE, *(_line(row, linked=linked) for row in fields)])


def _line(row: Row, *, linked: bool) -> str:
    schema = row.schema
    has_section = linked and any(_below(schema, ""))
    cells = (
        f"[`{row.path}`](#spec{row.path.lower()})" if has_section else f"`{row.path}`",
        type_name(schema),
        "yes" if row.required else "",
        f"`{json.dumps(schema['default'])}`" if "default" in schema else "",
        validation(schema),
        _text(schema.get("description", "")),
    )
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def type_name(schema: Object) -> str:
    """A type as the page writes it: ``[]string``, ``map of string``, ``JSON``, ``core/v1 EnvVar``, ``{name, key}``."""
    if MARK in schema:
        return f"core/v1 {schema[MARK]}"
    if "items" in schema:
        return f"[]{type_name(schema['items'])}"
    if "additionalProperties" in schema:
        return f"map of {type_name(schema['additionalProperties'])}"
    if reference_fields := _reference_to(schema):
        return f"{{{', '.join(reference_fields)}}}"
    return schema.get("format") or schema.get("type") or "JSON"


def validation(schema: Object) -> str:
    """What a value must satisfy besides its type."""
    demands: list[str] = []
    if "enum" in schema:
        demands.append("one of " + ", ".join(f"`{value}`" for value in schema["enum"]))
    if "pattern" in schema:
        demands.append(f"matches `{schema['pattern']}`")
    demands += [text.format(schema[key]) for key, text in _LIMITS.items() if key in schema]
    return "; ".join(demands)


def _reference_to(schema: Object) -> list[str]:
    """The fields of a reference to an object of the namespace, such as ``name`` and ``key`` of a Secret; empty if it is none."""
    properties: dict[str, Any] = schema.get("properties", {})
    return list(properties) if properties and set(properties) <= {"name", "key"} else []
