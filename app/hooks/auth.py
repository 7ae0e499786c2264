"""Bearer tokens from a file, so that a token is exchanged without a restart and without a failed hook.

The file holds the accepted tokens, one a line, and is looked at on every request: the kubelet swaps a symlink when the
Secret changes. A token that left the file stays accepted for a grace period, because Metacontroller reads its own copy
only when its controllers change. So does every token of a file that is emptied or gone: whoever writes a file empties it
first. Only the process remembers tokens that left, so a restart withdraws them at once.
"""

from __future__ import annotations

import hmac
import logging
import os
import time
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GRACE_SECONDS = 600.0

_log = logging.getLogger(__name__)


class Tokens(Protocol):
    """Decides whether a request may call hooks."""

    def accept(self, authorization: bytes) -> bool:
        """Whether the value of the ``Authorization`` header, empty if there is none, is good enough."""
        ...


class TokenFile:
    """The tokens of one file; ``clock`` counts seconds and never goes back."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._clock = clock
        self._version: tuple[int, ...] | None = None
        self._current: frozenset[bytes] = frozenset()
        self._leaving: dict[bytes, float] = {}
        self._problem = ""

    def accept(self, authorization: bytes) -> bool:
        """Whether the header carries a token of the file, or one that left it less than the grace period ago."""
        self._refresh()
        scheme, _, token = authorization.strip().partition(b" ")
        if scheme.lower() != b"bearer":
            return False
        # Every candidate is compared, so that the time taken does not tell which one was near.
        return any([hmac.compare_digest(token.strip(), known) for known in (*self._current, *self._leaving)])  # noqa: C419

    def problem(self) -> str:
        """Why every hook is refused now; empty while there is a token to be accepted."""
        self._refresh()
        return f"the token file {self._problem}" if self._problem and not self._leaving else ""

    def _refresh(self) -> None:
        self._read()
        if self._leaving:
            now = self._clock()
            self._leaving = {old: until for old, until in self._leaving.items() if until > now}

    def _read(self) -> None:
        try:
            stat = os.stat(self._path)
            version = (stat.st_dev, stat.st_ino, stat.st_mtime_ns, stat.st_size)
            if version == self._version:
                return
            lines = self._path.read_bytes().splitlines()
        except OSError as error:
            self._version = None
            self._replace(frozenset(), f"cannot be read ({error.strerror})")
            return
        self._version = version
        tokens = frozenset(line.strip() for line in lines) - {b""}
        self._replace(tokens, "" if tokens else "is empty")

    def _replace(self, tokens: frozenset[bytes], problem: str) -> None:
        until = self._clock() + GRACE_SECONDS
        gone = dict.fromkeys(self._current - tokens, until)
        self._leaving = {old: end for old, end in (self._leaving | gone).items() if old not in tokens}
        if problem != self._problem and problem:
            refused = "only tokens of before are accepted, and not for long" if self._leaving else "every hook is refused"
            _log.error("%s: the token file %s %s", refused, self._path, problem)
        elif tokens != self._current:
            _log.info("accepting %d hook tokens from %s", len(tokens), self._path)
        self._problem = problem
        self._current = tokens
