"""Lines that go past logging's machinery, and those that may not."""

from __future__ import annotations

import io
import logging
import re
from typing import TYPE_CHECKING

import orjson
import pytest

from app.hooks import logs

if TYPE_CHECKING:
    from collections.abc import Iterator

LOGGER = logging.getLogger("app.hooks.anything")


@pytest.fixture
def root() -> Iterator[logging.Logger]:
    logger = logging.getLogger()
    handlers, level = logger.handlers[:], logger.level
    yield logger
    logger.handlers[:] = handlers
    logger.setLevel(level)
    for name in ("app", "uvicorn"):
        logging.getLogger(name).setLevel(logging.NOTSET)


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_line_is_the_same_whether_it_passes_through_logging_or_not(root: logging.Logger, form: str) -> None:
    written = []
    for others in ([], [logging.NullHandler()]):
        stream = io.StringIO()
        logs.configure("info", form, stream)
        root.handlers += others
        logs.line(LOGGER, logging.WARNING, "hook", {"code": 500, "parent": "bear"})
        written.append(re.sub(r"20\d\d-[0-9T:.+-]+", "NOW", stream.getvalue()))
    direct, recorded = written
    assert direct == recorded
    assert {"NOW", "warning", "hook", "app.hooks.anything", "500", "bear"} <= set(re.findall(r"[\w.]+", direct))


def test_another_handler_of_the_root_logger_gets_every_line(root: logging.Logger, caplog: pytest.LogCaptureFixture) -> None:
    logs.configure("info", "json", io.StringIO())
    root.addHandler(caplog.handler)
    logs.line(LOGGER, logging.INFO, "hook", {"code": 200})
    assert [record.getMessage() for record in caplog.records] == ["hook"]


def test_a_line_below_the_level_is_not_written(root: logging.Logger) -> None:
    stream = io.StringIO()
    logs.configure("warning", "json", stream)
    logs.line(LOGGER, logging.INFO, "hook", {})
    assert stream.getvalue() == ""


def test_a_stream_that_is_gone_fails_no_hook(root: logging.Logger, capsys: pytest.CaptureFixture[str]) -> None:
    stream = io.StringIO()
    logs.configure("info", "json", stream)
    stream.close()
    logs.line(LOGGER, logging.INFO, "hook", {})
    assert "I/O operation on closed file" in capsys.readouterr().err


def test_a_value_that_is_no_json_is_written_as_text(root: logging.Logger) -> None:
    stream = io.StringIO()
    logs.configure("info", "json", stream)
    logs.line(LOGGER, logging.INFO, "hook", {"where": LOGGER})
    assert orjson.loads(stream.getvalue())["where"] == str(LOGGER)
