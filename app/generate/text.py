"""How generated files look: a first line that says where they come from, and one YAML style for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from app.hooks.objects import Object


class _Dumper(yaml.CSafeDumper):
    """Keys in the order they were written, no anchors, long text as a block."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _string(dumper: yaml.CSafeDumper, value: str) -> yaml.ScalarNode:
    style = "|" if "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _string)


def header(command: str) -> str:
    """The first line of a generated file; ``command`` is what makes it, for example ``palena generate crds``."""
    return f"# Made by `{command}` from the declarations in app/. Do not edit.\n"


def yaml_text(*objects: Object, command: str) -> str:
    """One file with the objects in order, separated by ``---``."""
    documents = (yaml.dump(item, Dumper=_Dumper, sort_keys=False, width=120, allow_unicode=True) for item in objects)
    return header(command) + "---\n".join(documents)
