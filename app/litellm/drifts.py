"""Remembers which differences LiteLLM was told to mend, so that one that it does not mend is not told with each comparison."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from app.litellm.admin.client import Admin

PATIENCE = timedelta(minutes=10)
"""The same difference is told again after this."""
MOST = 10_000


@dataclass(frozen=True, slots=True)
class _Told:
    digest: str
    at: datetime


class Drifts:
    """By object. What is forgotten is told once more, and that is all."""

    def __init__(self) -> None:
        self._told: OrderedDict[tuple[str, str, str], _Told] = OrderedDict()

    def to_be_told(self, admin: Admin, noun: str, object_id: str, digest: str, now: datetime) -> bool:
        """Whether LiteLLM is to be told of the object now; then it counts as told. ``digest`` stands for the difference."""
        name = (admin.target.endpoint, noun, object_id)
        last = self._told.get(name)
        if last is not None and last.digest == digest and last.at <= now < last.at + PATIENCE:
            return False
        self._told[name] = _Told(digest, now)
        self._told.move_to_end(name)
        while len(self._told) > MOST:
            self._told.popitem(last=False)
        return True

    def told_at(self, admin: Admin, noun: str, object_id: str) -> datetime | None:
        """When LiteLLM was last told to mend the object."""
        last = self._told.get((admin.target.endpoint, noun, object_id))
        return None if last is None else last.at
