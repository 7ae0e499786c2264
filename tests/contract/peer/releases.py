"""Which releases of LiteLLM we hold ourselves to, and which must never be installed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent

DENIED = re.compile(r"1\.82\.[78]|1\.107(\.|$)")
"""1.82.7 and 1.82.8 carried malware (March 2026); 1.107 was never a regular release."""


@dataclass(frozen=True)
class Release:
    """One release. ``name`` is its role (``oldest``, ``lts``, ``newest``), which tables and tests speak of."""

    name: str
    version: str

    def __post_init__(self) -> None:
        if DENIED.match(self.version):
            raise ValueError(f"LiteLLM {self.version} is on the deny list and is never installed")

    @property
    def requirements(self) -> Path:
        """Every package of the release, pinned by hash."""
        return HERE / "requirements" / f"{self.version}.txt"

    @property
    def supplement(self) -> Path | None:
        """SQL of ours for tables whose migrations are not published."""
        path = HERE / "sql" / f"{self.version}.sql"
        return path if path.exists() else None


RELEASES = (Release("oldest", "1.81.14"), Release("lts", "1.108.14"), Release("newest", "1.110.2"))
