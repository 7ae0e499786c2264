"""One request to the admin API, as data: what a plan decides and the client sends. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote, urlencode

if TYPE_CHECKING:
    from collections.abc import Mapping

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]


@dataclass(frozen=True, slots=True)
class Call:
    """A request. Its representation shows neither body nor query: they may hold keys and passwords."""

    method: Method
    path: str
    """Below the endpoint, with every part of it encoded (:func:`path`)."""
    query: Mapping[str, str | int] = field(default_factory=dict[str, "str | int"], repr=False)
    body: Any = field(default=None, repr=False)
    """JSON; nothing for a request without a body."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """Values in the body that no message may repeat, should the proxy quote them."""

    @property
    def target(self) -> str:
        """Path and query."""
        return f"{self.path}?{urlencode(self.query, quote_via=quote)}" if self.query else self.path

    @property
    def repeatable(self) -> bool:
        """Whether sending it twice does no more than sending it once, without a look in between."""
        return self.method == "GET"

    def __str__(self) -> str:
        """For messages: verb and path."""
        return f"{self.method} {self.path}"


def path(*parts: str) -> str:
    """A path of these parts; whatever is in a name (a slash, a blank) stays within its part."""
    return "/" + "/".join(quote(part, safe="") for part in parts)
