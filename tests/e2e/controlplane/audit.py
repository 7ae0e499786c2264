"""The API server's audit log, as the witness of who wrote what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from pathlib import Path

WRITES = frozenset({"create", "update", "patch", "delete", "deletecollection"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One request that the API server answered; ``code`` is the HTTP status, ``sent`` the body of a write."""

    user: str
    verb: str
    group: str
    resource: str
    subresource: str
    namespace: str
    name: str
    code: int
    sent: Any
    dry_run: bool

    def __str__(self) -> str:
        target = "/".join(part for part in (self.resource, self.namespace, self.name, self.subresource) if part)
        return f"{self.user} {self.verb} {target}: {self.code}"


class AuditLog:
    """Reads the log from where it was opened."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # From the beginning of a line, should one be being written.
        self._begin = path.read_bytes().rfind(b"\n") + 1 if path.exists() else 0

    def entries(self) -> list[Entry]:
        """Everything since this log was opened, oldest first."""
        with self._path.open("rb") as log:
            log.seek(self._begin)
            *lines, _ = log.read().split(b"\n")  # the last one may still be being written
        return [_entry(orjson.loads(line)) for line in lines]

    def writes(self, *, user: str = "", namespace: str = "") -> list[Entry]:
        """Accepted writes, by one account or in one namespace only if said so."""
        return [entry for entry in self.attempts(user=user, namespace=namespace) if entry.code < 300]

    def attempts(self, *, user: str = "", namespace: str = "") -> list[Entry]:
        """Accepted writes and refused ones alike. A dry run writes nothing."""
        return [
            entry
            for entry in self.entries()
            if entry.verb in WRITES and not entry.dry_run and user in ("", entry.user) and namespace in ("", entry.namespace)
        ]

    def refusals(self, user: str, namespace: str) -> list[Entry]:
        """What an account was forbidden to do in a namespace, or in none; in one that is going nobody may create anything."""
        return [
            entry for entry in self.entries() if entry.user == user and entry.code == 403 and entry.namespace in ("", namespace)
        ]


def _entry(line: dict[str, Any]) -> Entry:
    target = line.get("objectRef", {})
    return Entry(
        user=line["user"]["username"],
        verb=line["verb"],
        group=target.get("apiGroup", ""),
        resource=target.get("resource", ""),
        subresource=target.get("subresource", ""),
        namespace=target.get("namespace", ""),
        name=target.get("name", ""),
        code=line.get("responseStatus", {}).get("code", 0),
        sent=line.get("requestObject"),
        dry_run="dryRun=" in line["requestURI"],
    )
