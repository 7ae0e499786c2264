"""Reads ``litellm_health.yaml`` and holds an answer against a row. The YAML file says what the columns mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

EVERY_RELEASE = ("oldest", "lts", "newest")
ABSENT = object()


@dataclass(frozen=True, kw_only=True)
class Row:
    """One request in one situation, and what LiteLLM answers."""

    situation: str
    request: str
    key: str
    status: int
    releases: tuple[str, ...] = EVERY_RELEASE
    public_details: bool | None = None
    database: str = "up"
    body: object = ABSENT
    fields: dict[str, Any] = field(default_factory=dict[str, Any])
    absent: tuple[str, ...] = ()
    message: str = ""

    def about(self, release: str, *, public_details: bool, database: str = "up") -> bool:
        """Whether a proxy of that release, with that flag and database, is what the row speaks of."""
        flag = self.public_details in {None, public_details}
        return release in self.releases and flag and self.database == database

    def difference(self, version: str, status: int, body: Any) -> str:
        """The first thing in which an answer differs from the row, in words; empty if there is none."""
        if status != self.status:
            return f"status {status} instead of {self.status}, with {body!r}"
        if self.body is not ABSENT and body != self.body:
            return f"{body!r} instead of {self.body!r}"
        for name, value in self.fields.items():
            wanted = version if value == "<version>" else value
            if body.get(name) != wanted:
                return f"{name} is {body.get(name)!r} instead of {wanted!r}"
        for name in self.absent:
            if name in body:
                return f"{name} is {body[name]!r}, and should not be there"
        message = str(body["error"]["message"]) if self.message else ""
        if not message.startswith(self.message):
            return f"error.message is {message!r} instead of {self.message!r}"
        return ""


def rows() -> tuple[Row, ...]:
    """Every row of the table."""
    table = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text())
    lists = ("releases", "absent")
    return tuple(Row(**{name: tuple(value) if name in lists else value for name, value in row.items()}) for row in table)
