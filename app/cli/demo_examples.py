"""The examples of a checkout, which the demo plays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import app
from app.cli.files import read
from app.cli.problem import Problem

if TYPE_CHECKING:
    from app.hooks.objects import Object

EXAMPLES = Path(app.__file__).parents[1] / "examples"


def example(name: str, kind: str = "litellm-instance") -> list[Object]:
    """The objects of an example of a kind. Raises :class:`Problem` outside a checkout."""
    path = EXAMPLES / kind / name
    if not path.is_file():
        raise Problem("the demo plays the examples of a checkout", where=str(path), remedy="run `make demo` in a clone")
    return [manifest.item for manifest in read([str(path)])]
