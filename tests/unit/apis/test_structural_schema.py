"""What a CustomResourceDefinition demands of a schema, checked on every node of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from app.apis.core import kubernetes_version
from app.apis.rules import Rule
from app.apis.schema import structural_schema
from app.apis.section import Section
from app.apis.types import Json
from app.registry import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.apis.custom_resource import CustomResource
    from app.hooks.objects import Object

ALLOWED = {
    "additionalProperties",
    "anyOf",
    "default",
    "description",
    "enum",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "minItems",
    "minLength",
    "minimum",
    "pattern",
    "properties",
    "required",
    "type",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-validations",
}
PYTHON_TYPES: dict[str, Any] = {"string": str, "boolean": bool, "integer": int, "number": float, "array": list, "object": dict}


def nodes(schema: Object, path: str) -> Iterator[tuple[str, Object]]:
    yield path, schema
    for name, field in schema.get("properties", {}).items():
        yield from nodes(field, f"{path}.{name}")
    for inner in ("items", "additionalProperties"):
        if inner in schema:
            yield from nodes(schema[inner], f"{path}[]")


NODES = [(f"{kind.resource.kind}: {path}", node) for kind in KINDS for path, node in nodes(kind.schema(), "")]


def broken(demand: Any) -> list[str]:
    return [path for path, node in NODES if not demand(node)]


def test_only_keywords_of_structural_schemas_are_used() -> None:
    assert broken(lambda node: node.keys() <= ALLOWED) == []


def test_every_node_has_one_type_or_says_that_it_takes_any() -> None:
    def typed(node: Object) -> bool:
        free = node.get("x-kubernetes-int-or-string") or node.get("x-kubernetes-preserve-unknown-fields")
        return ("type" in node) != bool(free)

    assert broken(typed) == []


def test_any_of_stands_for_int_or_string_only() -> None:
    assert broken(lambda node: ("anyOf" in node) == bool(node.get("x-kubernetes-int-or-string"))) == []


def test_what_is_required_exists() -> None:
    assert broken(lambda node: set(node.get("required", ())) <= set(node.get("properties", ()))) == []


def test_a_default_is_of_its_fields_type_and_never_an_object() -> None:
    def sound(node: Object) -> bool:
        default = node.get("default")
        return default is None or (isinstance(default, PYTHON_TYPES[node["type"]]) and not isinstance(default, dict))

    assert broken(sound) == []


def test_a_default_is_one_of_the_enum() -> None:
    assert broken(lambda node: "enum" not in node or node.get("default", node["enum"][0]) in node["enum"]) == []


def test_keys_of_a_keyed_list_are_required_or_defaulted() -> None:
    def certain(node: Object) -> bool:
        fields = node.get("items", {}).get("properties", {})
        required = node.get("items", {}).get("required", ())
        return all(key in required or "default" in fields[key] for key in node.get("x-kubernetes-list-map-keys", ()))

    assert broken(certain) == []


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.resource.kind)
def test_every_field_of_ours_is_described(kind: CustomResource) -> None:
    fields = {path: node for path, node in nodes(kind.schema(expand_core=False), "") if not path.endswith("[]")}
    assert [path for path, node in fields.items() if not node.get("description")] == [".metadata"]


def test_core_types_come_without_descriptions_and_from_a_named_version() -> None:
    resources = structural_schema(KINDS[0].spec)["properties"]["resources"]
    assert "description" in resources
    assert "description" not in str(resources["properties"])
    assert kubernetes_version().startswith("v1.")


class Ruled(Section):
    """Has a rule."""

    name: str | None = None
    """A name."""

    rules: ClassVar[tuple[Rule[Any], ...]] = (Rule("has(self.name)", "name it", lambda ruled: ruled.name is not None),)


class Heir(Ruled):
    """Has none of its own."""

    anything: Json = None
    """Whatever."""


def test_a_subclass_does_not_inherit_rules() -> None:
    assert structural_schema(Ruled)["x-kubernetes-validations"] == [{"rule": "has(self.name)", "message": "name it"}]
    assert "x-kubernetes-validations" not in structural_schema(Heir)
    assert Heir.model_validate({}).name is None


def test_a_field_that_may_be_absent_has_no_null_in_its_schema() -> None:
    assert structural_schema(Heir) == {
        "description": "Has none of its own.",
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "anything": {"x-kubernetes-preserve-unknown-fields": True},
        },
    }
