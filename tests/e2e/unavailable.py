"""What a test does that lacks a program."""

from __future__ import annotations

import os

import pytest


def unavailable(reason: str) -> None:
    """Skip, loudly; in CI a skip would hide that nothing was tested, so there it is a failure."""
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)
