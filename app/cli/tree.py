"""Objects as a tree: owners above what they own, each with its conditions below it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from app.cli.terminal import mark
from app.cli.timeline import conditions
from app.hooks.objects import resource_key, terminating
from app.sim.json_values import is_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console, RenderableType

    from app.cli.timeline import Condition
    from app.hooks.objects import Object

WIDE = 100
"""Columns from which on type, reason and message stand beside each other; below, the message has lines of its own."""


def tree(objects: Iterable[Object], target: Console, *, brief: bool = False, empty: str = "nothing is left") -> RenderableType:
    """One tree a namespace. Roots and children are sorted by kind and keep their order within it.

    ``brief`` gives each object one line, with its Ready condition.
    """
    items = sorted(objects, key=resource_key)
    if not items:
        return Text(empty, style="detail")
    return Group(*_Tree(items, target, brief).namespaces())


class _Tree:
    def __init__(self, items: Sequence[Object], target: Console, brief: bool) -> None:
        self._target = target
        self._brief = brief
        self._owned: defaultdict[str, list[Object]] = defaultdict(list)
        self._roots: defaultdict[str, list[Object]] = defaultdict(list)
        present = {_uid(item) for item in items}
        for item in items:
            owner = _owner(item)
            if owner in present:
                self._owned[owner].append(item)
            else:
                self._roots[str(item["metadata"].get("namespace", ""))].append(item)
        # The same for all objects, so that their columns stand below each other.
        shown = [condition for item in items for condition in conditions(item)]
        self._types = max((len(one.type) for one in shown), default=1)
        self._reasons = max((len(one.reason) for one in shown), default=1)

    def namespaces(self) -> list[Tree]:
        trees: list[Tree] = []
        for namespace, members in sorted(self._roots.items()):
            top = Tree(Text.assemble(("namespace ", "kind"), (namespace or "cluster", "heading")), guide_style="guide")
            for member in members:
                self._grow(top, member)
            trees.append(top)
        return trees

    def _grow(self, branch: Tree, item: Object) -> None:
        below = branch.add(self._line(item) if self._brief else Group(_title(item), *self._conditions(item)))
        for child in self._owned.get(_uid(item), []):
            self._grow(below, child)

    def _line(self, item: Object) -> Text:
        title = Text.assemble((f"{item['kind']} ", "kind"), (str(item["metadata"]["name"]), "name"))
        for ready in [one for one in conditions(item) if one.type == "Ready"]:
            title = Text.assemble(title, "  ", mark(self._target, ready.tone), " ", ready.reason)
        title.no_wrap, title.overflow = True, "ellipsis"
        return title

    def _conditions(self, item: Object) -> list[RenderableType]:
        shown = conditions(item)
        if not shown:
            return []
        if self._target.width >= WIDE:
            return [self._table(shown)]
        return [row for condition in shown for row in self._rows(condition)]

    def _table(self, shown: Sequence[Condition]) -> Table:
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(width=1)
        table.add_column(width=self._types)
        table.add_column(width=self._reasons)
        table.add_column(overflow="fold")
        for condition in shown:
            kind = Text(condition.type, condition.tone.value)
            table.add_row(mark(self._target, condition.tone), kind, Text(condition.reason), Text(condition.text, "detail"))
        return table

    def _rows(self, condition: Condition) -> list[RenderableType]:
        head = (f"  {condition.type:{self._types}}  ", condition.tone.value)
        row = Text.assemble(mark(self._target, condition.tone), head, condition.reason)
        return [row, Padding(Text(condition.text, "detail"), (0, 0, 0, 3))] if condition.text else [row]


def _title(item: Object) -> Text:
    status: Object = item["status"] if is_object(item.get("status")) else {}
    title = Text.assemble((f"{item['kind']} ", "kind"), (str(item["metadata"]["name"]), "name"))
    if status.get("endpoint"):
        title.append(f"  {status['endpoint']}", "detail")
    if status.get("version"):
        title.append(f"  version {status['version']}", "detail")
    if terminating(item):
        title.append("  being deleted", "attention")
    return title


def _uid(item: Object) -> str:
    return str(item["metadata"].get("uid", ""))


def _owner(item: Object) -> str:
    owners: list[Any] = item["metadata"].get("ownerReferences") or []
    return next((str(owner["uid"]) for owner in owners if owner.get("controller")), "")
