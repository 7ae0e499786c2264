"""What one field manager owns of an object, read back from ``metadata.managedFields``.

Server-side apply records ownership as a tree of paths (``FieldsV1``): ``f:<field>`` for a field of a map,
``k:<json object>`` for an item of a keyed list, ``v:<json value>`` for an item of a set, ``i:<index>`` for a position, and
``.`` for the value itself beside what is owned below it. The values are the live ones: an edit by somebody else that left
the ownership alone is read back as if it were ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import orjson

if TYPE_CHECKING:
    from app.hooks.objects import Object

_ABSENT = object()


def applied_fields(item: Object, manager: str) -> Object | None:
    """The part of ``item`` that ``manager`` owns by Apply, without status; nothing if it never applied."""
    entries = [entry for entry in _entries(item) if not entry.get("subresource")]
    own = [entry for entry in entries if entry.get("manager") == manager and entry.get("operation") == "Apply"]
    if not own:
        return None
    # One entry an API version: the one of the object's own version names its fields as the object does.
    entry = next((entry for entry in own if entry.get("apiVersion") == item.get("apiVersion")), own[0])
    others = [_tree(other) for other in entries if other is not entry]
    fields = _project_map(_tree(entry), item, others)
    return {name: value for name, value in fields.items() if name != "status"}


def _entries(item: Object) -> list[Object]:
    entries = item["metadata"].get("managedFields")
    return [entry for entry in cast("list[Any]", entries) if isinstance(entry, dict)] if isinstance(entries, list) else []


def _tree(entry: Object) -> Object:
    tree = entry.get("fieldsV1")
    return cast("Object", tree) if isinstance(tree, dict) else {}


def _project(own: Object, live: Any, others: list[Object]) -> Any:
    """``live`` cut down to ``own``; ``others`` are the same node in the trees of other managers."""
    below = [key for key in own if key != "."]
    if not below:
        return _whole(own, live, others)
    if isinstance(live, dict):
        return _project_map(own, cast("Object", live), others)
    if isinstance(live, list):
        return _project_list(own, cast("list[Any]", live), others)
    return live


def _whole(own: Object, live: Any, others: list[Object]) -> Any:
    """A leaf of the tree: an atomic value is owned whole, of a shared map or list only the existence is owned."""
    shared = own or any(other for other in others)
    if shared and isinstance(live, dict):
        return {}
    if shared and isinstance(live, list):
        return []
    return live


def _project_map(own: Object, live: Object, others: list[Object]) -> Object:
    owned: Object = {}
    for step, node in own.items():
        name = step[2:]
        if step.startswith("f:") and name in live:
            owned[name] = _project(_node(node), live[name], _step(others, step))
    return owned


def _project_list(own: Object, live: list[Any], others: list[Object]) -> list[Any]:
    steps = [(step, _node(node), *_selector(step)) for step, node in own.items() if step != "."]
    owned: list[Any] = []
    for index, item in enumerate(live):
        for step, node, form, wanted in steps:
            if not _selects(form, wanted, index, item):
                continue
            value = _project(node, item, _step(others, step)) if form != "v" else item
            # The merge key identifies the item, so it belongs to it even if only other fields are recorded.
            owned.append({**wanted, **value} if form == "k" and isinstance(value, dict) else value)
            break
    return owned


def _selector(step: str) -> tuple[str, Any]:
    form, _, text = step.partition(":")
    try:
        return form, orjson.loads(text)
    except orjson.JSONDecodeError:
        return form, _ABSENT


def _selects(form: str, wanted: Any, index: int, item: Any) -> bool:
    if form == "k":
        return isinstance(item, dict) and isinstance(wanted, dict) and wanted.items() <= cast("Object", item).items()
    if form == "v":
        return bool(item == wanted)
    return form == "i" and index == wanted


def _node(node: Any) -> Object:
    return cast("Object", node) if isinstance(node, dict) else {}


def _step(trees: list[Object], step: str) -> list[Object]:
    return [_node(tree[step]) for tree in trees if step in tree]
