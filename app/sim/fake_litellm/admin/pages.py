"""Pages of lists, as most of LiteLLM's lists have them: up to a hundred rows each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.hooks.objects import Object
    from app.sim.fake_litellm.admin.routes import Asked, Reply

LARGEST = 100


class Part(NamedTuple):
    """One page."""

    rows: list[Object]
    number: int
    size: int
    of: int
    """How many pages there are."""


def part(asked: Asked, rows: Sequence[Object], size_name: str, usual: int) -> Part:
    """The page that was asked for."""
    number, size = int(asked.query.get("page", 1)), int(asked.query.get(size_name, usual))
    return Part(list(rows[(number - 1) * size : number * size]), number, size, -(-len(rows) // size))


def too_large(asked: Asked, size_name: str) -> Reply | None:
    """Why the size of a page is refused."""
    if int(asked.query.get(size_name, 1)) <= LARGEST:
        return None
    return 422, {"detail": [{"loc": ["query", size_name], "msg": f"Input should be less than or equal to {LARGEST}"}]}
