"""A line of the table: a figure, what it should reach, and whether noise may excuse it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table. Without ``higher``, smaller is better."""

    what: str
    figure: float | None
    reach: float
    aim: float
    unit: str = "x"
    higher: bool = False
    noisy: bool = True
    needs: str = ""
    """What has to be there for it to be measured."""

    @property
    def verdict(self) -> str:
        """How the figure compares."""
        if self.figure is None:
            return "SKIPPED"
        return "aim" if self._as_good_as(self.aim) else "reached" if self._as_good_as(self.reach) else "MISSED"

    def _as_good_as(self, wanted: float) -> bool:
        assert self.figure is not None
        return self.figure >= wanted if self.higher else self.figure <= wanted

    def __str__(self) -> str:
        figure = "-" if self.figure is None else f"{self.figure:.2f} {self.unit}"
        return f"{self.what:<68}{figure:>12}{self.reach:>9.2f}{self.aim:>8.2f}  {self.verdict}"
