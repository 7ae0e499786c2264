"""The docstrings under a model's fields: what the schema says a field means.

Pydantic can collect them too, but does so when the class is made and parses the source once a class: with the models of all kinds
that is a third of a second at every start of the service, which never needs them. Here a module is parsed once, when a schema is
generated.
"""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache


def field_descriptions(model: type) -> dict[str, str]:
    """Python attribute → docstring, for the fields of a class and those it inherits."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        found |= _of_module(base.__module__).get(base.__qualname__, {})
    return found


@cache
def _of_module(name: str) -> dict[str, dict[str, str]]:
    if not name.startswith("app."):
        return {}
    tree = ast.parse(inspect.getsource(sys.modules[name]))
    return {node.name: dict(_of_class(node)) for node in tree.body if isinstance(node, ast.ClassDef)}


def _of_class(node: ast.ClassDef) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for field, text in zip(node.body, node.body[1:], strict=False):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(docstring))):
                found.append((name, inspect.cleandoc(docstring)))
            case _:
                pass
    return found
