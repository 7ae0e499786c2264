"""Which proxy is meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.litellm.trust import Trust


@dataclass(frozen=True, slots=True)
class Target:
    """One proxy: where it is, and whom to believe that it is the one."""

    endpoint: str
    trust: Trust
