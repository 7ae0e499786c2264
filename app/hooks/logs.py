"""Logs as JSON lines, or as text for a terminal: one line for each hook, and no value of any object.

Fields of a line are what a logging call gives as ``extra={FIELDS: …}``. Of an exception the line holds its type and where it
came from, never its text, which may quote a value. A :class:`~app.hooks.errors.HookError` is different: its text is made for
users.
"""

from __future__ import annotations

import logging
import sys
import time
import traceback
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TextIO

import orjson

if TYPE_CHECKING:
    from collections.abc import Callable

Fields = dict[str, Any]
"""``time``, ``level``, ``logger`` and ``event``, then the fields of the call."""

FIELDS = "fields"
"""The attribute of a record that holds the fields of its line."""


def configure(level: str, form: str, stream: TextIO | None = None) -> None:
    """Send all logs to ``stream`` (standard output) as ``json`` or ``console`` lines, from ``level`` up."""
    lines = Lines(stream or sys.stdout, _json if form == "json" else _console)
    logging.basicConfig(level=logging.WARNING, handlers=[lines], force=True)
    logging.getLogger("app").setLevel(level.upper())
    logging.getLogger("uvicorn").setLevel(level.upper())


def line(logger: logging.Logger, level: int, event: str, fields: Fields) -> None:
    """``logger.log``, for what is logged on every request.

    Where the root logger has no handler but our own, the line is written without a record: making one and handing it on takes
    a tenth of a hook.
    """
    if not logger.isEnabledFor(level):
        return
    match logging.getLogger().handlers:
        case [Lines() as only]:
            only.write(_head(time.time(), level, logger.name, event) | fields)
        case _:
            logger.log(level, event, extra={FIELDS: fields})


class Lines(logging.StreamHandler[TextIO]):
    """Writes fields as lines of one form."""

    def __init__(self, stream: TextIO, form: Callable[[Fields], str]) -> None:
        super().__init__(stream)
        self._form = form

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        fields = _head(record.created, record.levelno, record.name, record.getMessage()) | getattr(record, FIELDS, {})
        if record.exc_info and record.exc_info[1] is not None:
            fields["exception"] = _chain(record.exc_info[1])
        return self._form(fields)

    def write(self, fields: Fields) -> None:
        """One line. As with any handler, a stream that cannot be written to is no failure of who logs."""
        self.acquire()
        try:
            self.stream.write(self._form(fields) + self.terminator)
            self.flush()
        except Exception:
            self.handleError(logging.makeLogRecord({"msg": fields["event"]}))
        finally:
            self.release()


def _json(fields: Fields) -> str:
    return orjson.dumps(fields, default=str).decode()


def _console(fields: Fields) -> str:
    head = [str(fields.pop(key)) for key in ("time", "level", "event")]
    return " ".join([*head, *(f"{key}={value}" for key, value in fields.items())])


def _head(created: float, level: int, logger: str, event: str) -> Fields:
    moment = datetime.fromtimestamp(created, UTC).isoformat("T", "milliseconds")
    return {"time": moment, "level": logging.getLevelName(level).lower(), "logger": logger, "event": event}


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
