"""Logs as JSON lines, or as text for a terminal: one line for each hook, and no value of any object.

Fields of a line are what a logging call gives as ``extra={FIELDS: …}``. Of an exception the line holds its type and where it
came from, never its text, which may quote a value. A :class:`~app.hooks.errors.HookError` is different: its text is made for
users.
"""

from __future__ import annotations

import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, TextIO

import orjson

FIELDS = "fields"
"""The attribute of a record that holds the fields of its line: one for all of them, so that none has to be looked for."""


def configure(level: str, form: str, stream: TextIO | None = None) -> None:
    """Send all logs to ``stream`` (standard output) as ``json`` or ``console`` lines, from ``level`` up."""
    handler = logging.StreamHandler(stream or sys.stdout)
    handler.setFormatter(JsonLines() if form == "json" else ConsoleLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("app").setLevel(level.upper())
    logging.getLogger("uvicorn").setLevel(level.upper())


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """``time``, ``level``, ``logger`` and ``event``, then the fields of the call."""
        return orjson.dumps(_fields(record), default=str).decode()


class ConsoleLines(logging.Formatter):
    """The same fields for people."""

    def format(self, record: logging.LogRecord) -> str:
        """Time, level and event, then ``key=value``."""
        fields = _fields(record)
        head = [str(fields.pop(key)) for key in ("time", "level", "event")]
        return " ".join([*head, *(f"{key}={value}" for key, value in fields.items())])


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat("T", "milliseconds"),
        "level": record.levelname.lower(),
        "logger": record.name,
        "event": record.getMessage(),
    }
    fields |= getattr(record, FIELDS, {})
    if record.exc_info and record.exc_info[1] is not None:
        fields["exception"] = _chain(record.exc_info[1])
    return fields


def _chain(error: BaseException) -> list[str]:
    """The exception and what it came from, each as its type and the frames it passed, innermost first."""
    lines: list[str] = []
    current: BaseException | None = error
    while current is not None and len(lines) < 10:
        frames = traceback.extract_tb(current.__traceback__)
        places = [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in reversed(frames)]
        lines.append(f"{type(current).__name__} at {' < '.join(places)}")
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return lines
