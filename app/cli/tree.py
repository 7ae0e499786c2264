"""Objects as a tree: owners above what they own, each with its conditions below it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from app.cli.terminal import MARKS
from app.cli.timeline import Condition, conditions
from app.hooks.objects import object_key, resource_key, terminating

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import RenderableType

    from app.hooks.objects import Object


def tree(objects: Iterable[Object], *, empty: str = "nothing is left") -> RenderableType:
    """One tree a namespace. Within it roots and children are sorted by kind and name, so that a picture holds still."""
    items = sorted(objects, key=lambda item: (resource_key(item), object_key(item)))
    if not items:
        return Text(empty, style="detail")
    present = {_uid(item) for item in items}
    owned: defaultdict[str, list[Object]] = defaultdict(list)
    roots: defaultdict[str, list[Object]] = defaultdict(list)
    for item in items:
        owner = _owner(item)
        if owner in present:
            owned[owner].append(item)
        else:
            roots[str(item["metadata"].get("namespace", ""))].append(item)
    widths = _widths(items)
    trees: list[RenderableType] = []
    for namespace, members in sorted(roots.items()):
        top = Tree(Text.assemble(("namespace ", "kind"), (namespace or "cluster", "heading")), guide_style="guide")
        for member in members:
            _grow(top, member, owned, widths)
        trees.append(top)
    return Group(*trees)


def _grow(branch: Tree, item: Object, owned: dict[str, list[Object]], widths: tuple[int, int]) -> None:
    below = branch.add(Group(_title(item), *_condition_table(conditions(item), widths)))
    for child in owned.get(_uid(item), []):
        _grow(below, child, owned, widths)


def _title(item: Object) -> Text:
    status: Any = item.get("status") or {}
    title = Text.assemble((f"{item['kind']} ", "kind"), (str(item["metadata"]["name"]), "name"))
    if status.get("endpoint"):
        title.append(f"  {status['endpoint']}", "detail")
    if status.get("version"):
        title.append(f"  version {status['version']}", "detail")
    if terminating(item):
        title.append("  being deleted", "attention")
    return title


def _condition_table(shown: Sequence[Condition], widths: tuple[int, int]) -> list[Table]:
    if not shown:
        return []
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(width=1)
    table.add_column(width=widths[0])
    table.add_column(width=widths[1])
    table.add_column(overflow="fold")
    for condition in shown:
        tone = condition.tone.value
        table.add_row(
            Text(MARKS[condition.tone], tone),
            Text(condition.type, tone),
            Text(condition.reason),
            Text(condition.text, "detail"),
        )
    return [table]


def _widths(items: Iterable[Object]) -> tuple[int, int]:
    """Of the types and of the reasons, so that the columns of all objects stand below each other."""
    shown = [condition for item in items for condition in conditions(item)]
    return max((len(one.type) for one in shown), default=1), max((len(one.reason) for one in shown), default=1)


def _uid(item: Object) -> str:
    return str(item["metadata"].get("uid", ""))


def _owner(item: Object) -> str:
    owners: list[Any] = item["metadata"].get("ownerReferences") or []
    return next((str(owner["uid"]) for owner in owners if owner.get("controller")), "")
