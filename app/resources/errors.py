"""The one way in which a builder refuses a spec."""

from __future__ import annotations


class Unbuildable(Exception):
    """A field of the spec from which no legal object can be made, although the schema lets it pass.

    The text names the field and what it takes, never its value.
    """

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field} {problem}")
        self.field = field
        """Path in the parent, e.g. ``spec.service.port``."""
        self.problem = problem
        """The rest of a sentence about it."""
