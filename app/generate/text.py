"""How generated files look: a first line that says where they come from, and one YAML style for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from app.hooks.objects import Object


class _Dumper(yaml.CSafeDumper):
    """Keys in the order they were written, no anchors, long text as a block, short lists of words in one line."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _string(dumper: yaml.CSafeDumper, value: str) -> yaml.ScalarNode:
    style = "|" if "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)  # pyright: ignore[reportUnknownMemberType]


def _list(dumper: yaml.CSafeDumper, items: list[Any]) -> yaml.SequenceNode:
    words = all(isinstance(item, str | int | float) for item in items) and sum(len(str(item)) for item in items) <= 80
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=words)  # pyright: ignore[reportUnknownMemberType]


_Dumper.add_representer(str, _string)
_Dumper.add_representer(list, _list)


def header(command: str) -> str:
    """The first line of a generated file; ``command`` is what makes it, for example ``palena generate crds``."""
    return f"# Made by `{command}` from the declarations in app/. Do not edit.\n"


def yaml_text(*objects: Object, command: str) -> str:
    """One file with the objects in order, separated by ``---``."""
    return header(command) + "---\n".join(map(inline_yaml, objects))


def inline_yaml(value: object) -> str:
    """YAML without the first line, for text inside a file."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, width=120, allow_unicode=True)
