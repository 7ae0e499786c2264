"""The last comparison of each instance, so that what wakes an instance between two snapshots costs no list of the cluster."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.litellm.snapshot import Snapshot
    from app.status.instance.config_sync import Outcome

MOST = 1_000


class Comparisons:
    """By instance: the snapshot and the generation that were compared, and what came of it."""

    def __init__(self) -> None:
        self._last: OrderedDict[str, tuple[Snapshot, int, Outcome]] = OrderedDict()

    def known(self, uid: str, generation: int, snapshot: Snapshot) -> Outcome | None:
        """What came of comparing just that."""
        last = self._last.get(uid)
        return last[2] if last is not None and last[0] is snapshot and last[1] == generation else None

    def keep(self, uid: str, generation: int, snapshot: Snapshot, outcome: Outcome) -> None:
        """Remember it; the one that was kept first goes first."""
        self._last[uid] = (snapshot, generation, outcome)
        self._last.move_to_end(uid)
        while len(self._last) > MOST:
            self._last.popitem(last=False)
