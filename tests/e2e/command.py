"""The ``palena`` command, as a user runs it."""

from __future__ import annotations

import asyncio
import sys
from subprocess import PIPE

from tests.e2e.driven import ROOT


async def palena(*arguments: str, code: int = 0) -> str:
    """What it prints; it must end with that exit code."""
    command = (sys.executable, "-m", "app.cli", *arguments)
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=PIPE, stderr=PIPE)
    out, err = await process.communicate()
    assert process.returncode == code, f"{err.decode()}{out.decode()}"
    return out.decode()
