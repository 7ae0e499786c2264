"""The base of every model: how specs are read, and where a model keeps its rules.

A model reads what the API server stored, and also what it stored before a default or a rule existed: defaults are applied
here again, nulls count as absent, unknown fields are ignored, types are not coerced (the API server would not either).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, model_validator
from pydantic.alias_generators import to_camel
from pydantic_core import CoreSchema, PydanticCustomError

from app.apis.descriptions import field_descriptions

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaValue

    from app.apis.rules import Rule

BROKEN_RULE = "broken_rule"
"""The pydantic error type of a rule that does not hold; the error's message is the rule's own."""


class Section(BaseModel):
    """An object of a spec or status. Field names are camelCase in JSON; a docstring under a field is its description.

    A field that is itself an object and may be absent is ``X | None = None``: a default object would put a default into the
    CustomResourceDefinition, and the API server would write it into every object.
    """

    model_config = ConfigDict(
        alias_generator=to_camel,
        extra="ignore",
        frozen=True,
        strict=True,
        # Building a validator takes a millisecond a model: only those that are used pay it.
        defer_build=True,
    )

    rules: ClassVar[tuple[Rule[Any], ...]] = ()
    """Rules between the fields of this object. Subclasses do not inherit them."""

    @classmethod
    def own_rules(cls) -> tuple[Rule[Any], ...]:
        """The rules declared in this very class."""
        return cast("tuple[Rule[Any], ...]", cls.__dict__.get("rules", ()))

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, value: Any) -> Any:
        # The API server gives a null the default, or drops it where there is none.
        if isinstance(value, dict) and None in cast("dict[str, Any]", value).values():
            return {key: item for key, item in cast("dict[str, Any]", value).items() if item is not None}
        return cast("Any", value)

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        for rule in self.own_rules():
            if not rule.holds(self):
                # The message is an argument because a template would read braces in it.
                raise PydanticCustomError(BROKEN_RULE, "{message}", {"message": rule.message})
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        reference = handler(core_schema)
        schema = handler.resolve_ref_schema(reference)
        for name, description in field_descriptions(cls).items():
            if name in cls.model_fields:
                schema["properties"][cls.model_fields[name].alias]["description"] = description
        if rules := cls.own_rules():
            schema["x-kubernetes-validations"] = [rule.schema() for rule in rules]
        return reference
