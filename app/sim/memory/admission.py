"""What stands between a request and the store: nulls, defaults, pruning, then everything that may refuse the object."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from app.sim.cluster import Invalid
from app.sim.json_values import is_list, is_object
from app.sim.memory import metadata
from app.sim.memory.definitions import definition_errors
from app.sim.memory.immutability import immutable_errors
from app.sim.memory.kinds import CRD_KIND
from app.sim.memory.metadata_rules import metadata_errors, update_errors
from app.sim.validation.field_error import joined

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.sim.memory.kinds import ServedKind

SECRETS = ("", "secrets")


_MAPS_OF_TEXTS = {"labels", "annotations", "matchLabels", "nodeSelector", "data", "binaryData", "stringData"}


def complete(item: Object, kind: ServedKind, *, keep_nulls: bool = False) -> None:
    """Bring an object to the form that is stored, in place; ``keep_nulls`` is the way of server-side apply."""
    metadata.tidy(item)
    if kind.schema is not None:
        kind.schema.complete(item, keep_nulls=keep_nulls)
    else:
        drop_nulls(item)
        if kind.collection == SECRETS:
            encode_string_data(item)


def check(item: Object, live: Object | None, kind: ServedKind) -> None:
    """Raises :class:`Invalid` with everything that is wrong with a completed object. ``live`` is none on create."""
    errors = list(metadata_errors(item, kind))
    if live is not None:
        errors += update_errors(item, live)
    if kind.resource.kind == CRD_KIND:
        errors += definition_errors(item)
    if kind.schema is not None:
        errors = kind.schema.errors(item, live, errors)
    elif live is not None:
        errors += immutable_errors(item, live, kind.collection)
    if errors:
        raise Invalid(f'{kind.qualified_kind} "{item["metadata"].get("name", "")}" is invalid: {joined(errors)}')


def encode_string_data(secret: Object) -> None:
    """``stringData`` can only be written: its values are stored in ``data``, over those that are there."""
    clear: Object = secret.pop("stringData", {})
    if clear:
        encoded = {key: base64.b64encode(str(value).encode()).decode() for key, value in clear.items()}
        secret["data"] = {**secret.get("data", {}), **encoded}


def drop_nulls(value: Any, *, of_texts: bool = False) -> None:
    """A null in a built-in kind is a field that is not there; in a map of texts it is the empty one."""
    if is_object(value):
        for name in [name for name, one in value.items() if one is None]:
            if of_texts:
                value[name] = ""
            else:
                del value[name]
        for name, one in value.items():
            drop_nulls(one, of_texts=name in _MAPS_OF_TEXTS)
    elif is_list(value):
        for one in value:
            drop_nulls(one)


def whole_numbers(value: Any) -> Any:
    """The value with ``3.0`` as ``3``, as the API server stores what 64 bits can hold; changed in place where it can be."""
    if is_object(value):
        for name, one in value.items():
            value[name] = whole_numbers(one)
    elif is_list(value):
        value[:] = [whole_numbers(one) for one in value]
    elif isinstance(value, float) and value.is_integer() and abs(value) < 2**63:
        return int(value)
    return value
