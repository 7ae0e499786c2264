"""The CEL rules of a structural schema (``x-kubernetes-validations``) on a value.

A rule that compares with ``oldSelf`` is looked at only where there is an old value; a rule that can't be evaluated refuses.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from app.sim.cel import CelError
from app.sim.json_values import is_list, is_object
from app.sim.validation.field_error import FieldError, Path, duplicate, forbidden, required, shown
from app.sim.validation.keyed_lists import key_of
from app.sim.validation.known_fields import known_fields

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object
    from app.sim.cel import Engine

_TRANSITION = re.compile(r"\boldSelf\b")
_UNCHECKED = (
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"
)

NOT_CHECKED = FieldError((), f"Invalid value: null: {_UNCHECKED}", unnamed=True)
"""Stands in for the rules when something else is so wrong that they are not looked at."""


def has_rules(schema: Object) -> bool:
    """Whether a schema has any rule, at any depth."""
    if schema.get("x-kubernetes-validations"):
        return True
    children = [*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")]
    return any(is_object(child) and has_rules(child) for child in children)


def broken_rules(engine: Engine, value: Any, old: Any, schema: Object, path: Path = ()) -> Iterator[FieldError]:
    """An error for each rule that does not hold. ``old`` is none when there is no old value to compare with."""
    if value is None:
        return
    rules = schema.get("x-kubernetes-validations", [])
    if rules:
        yield from _broken_here(engine, rules, value, old, schema, path)
    if is_object(value):
        before = old if is_object(old) else {}
        for name, child in sorted(known_fields(value, schema), key=lambda field: field[0]):
            yield from broken_rules(engine, value[name], before.get(name), child, (*path, name))
    elif is_list(value) and "items" in schema:
        for position, item in enumerate(value):
            yield from broken_rules(engine, item, _earlier(item, old, schema), schema["items"], (*path, position))


def _broken_here(engine: Engine, rules: list[Object], value: Any, old: Any, schema: Object, path: Path) -> Iterator[FieldError]:
    for rule in rules:
        transition = _TRANSITION.search(rule["rule"]) is not None
        if transition and old is None:
            continue
        if not transition and old is not None and old == value:
            continue
        try:
            if engine.compile(rule["rule"]).evaluate(value, old, schema) is not True:
                yield _error(rule, value, path, _message(engine, rule, value, old, schema))
        except CelError as error:
            said = f"{error} evaluating rule: {rule.get('message', rule['rule'])}"
            yield _error(rule, schema.get("type"), path, said)


def _message(engine: Engine, rule: Object, value: Any, old: Any, schema: Object) -> str:
    if "messageExpression" in rule:
        try:
            said = engine.compile(rule["messageExpression"]).evaluate(value, old, schema)
        except CelError:
            said = ""
        if isinstance(said, str) and said.strip() and "\n" not in said:
            return said.strip()
    return str(rule.get("message", "")).strip() or f"failed rule: {rule['rule'].strip()}"


def _error(rule: Object, value: Any, path: Path, text: str) -> FieldError:
    if "fieldPath" in rule:
        path = (*path, *_steps(rule["fieldPath"]))
    match rule.get("reason"):
        case "FieldValueForbidden":
            return forbidden(path, text)
        case "FieldValueRequired":
            return required(path, text)
        case "FieldValueDuplicate":
            return duplicate(path, value)
        case _:
            composite = is_object(value) or is_list(value)
            return FieldError(path, f"Invalid value: {text}" if composite else f"Invalid value: {shown(value)}: {text}")


def _steps(field_path: str) -> Iterator[str]:
    """The names in ``.spec.name`` or ``.labels['a.b']``."""
    for plain, quoted in re.findall(r"\.([^.\[]+)|\['([^']*)'\]", field_path):
        yield plain or quoted


def _earlier(item: Any, old: Any, schema: Object) -> Any:
    """The item of the same key in the old list; lists without keys have no history."""
    key = key_of(item, schema)
    if key is None or not is_list(old):
        return None
    return next((one for one in old if key_of(one, schema) == key), None)
