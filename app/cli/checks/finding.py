"""What a check says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """An error fails the command; a warning is something that only the cluster can settle, or that does nothing yet."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, or may be."""

    origin: str
    object: str
    """Empty where a text could not be read as an object."""
    severity: Severity
    message: str
    strict: bool = True
    """Whether it fails a strict check. Only what is in none of the files, where the cluster may have it, does not."""
