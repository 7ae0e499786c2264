"""Outside programs: commands that must succeed, and servers that end with the test session.

A server is started through ``setpriv``, so that the kernel ends it when the test process dies in any way. That keeps
the peer free of pid files and of a command that cleans up.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from time import monotonic, sleep
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

PATIENCE = 15
"""Seconds from the polite signal to SIGKILL."""


class PrerequisiteError(Exception):
    """This machine lacks something. The message says what, and what to do about it."""


class PeerError(Exception):
    """Everything was there and it did not work."""


def run(
    what: str,
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    script: str = "",
) -> str:
    """Run a command with a script as its input, and return what it printed; a failure is told with the end of that."""
    done = subprocess.run(
        [str(word) for word in command],
        input=script,
        cwd=cwd,
        env=env,
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
        raise PeerError(f"{what} failed with exit code {done.returncode}: {' / '.join(lines[-3:])}")
    return done.stdout


def as_user(user: str | None) -> list[str]:
    """The words that run what follows them as another user; none for oneself."""
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []


class Server:
    """A running server program with a log of its own."""

    def __init__(
        self,
        command: Sequence[str | Path],
        *,
        log: Path,
        environment: Mapping[str, str],
        folder: Path,
        user: str | None = None,
        stop_signal: signal.Signals = signal.SIGTERM,
    ) -> None:
        self.log = log
        self.stop_signal = stop_signal
        words = [*(as_user(user) or ["setpriv"]), "--pdeathsig", stop_signal.name.removeprefix("SIG"), *map(str, command)]
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                words,
                env=dict(environment),
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_until(self, ready: Callable[[], bool], what: str, seconds: float) -> None:
        """Return when ``ready()``; the server's end or the deadline is an error that names the log."""
        deadline = monotonic() + seconds
        while not ready():
            if self.process.poll() is not None:
                raise PeerError(f"{what} ended at its start: {self.last_words()}")
            if monotonic() > deadline:
                raise PeerError(f"{what} was not ready after {seconds:.0f} s: {self.last_words()}")
            sleep(0.2)

    def last_words(self) -> str:
        """The end of the log, for an error message: the folder of the log is gone after the session."""
        return " / ".join(self.log.read_text(errors="replace").splitlines()[-5:])

    def stop(self) -> None:
        """End the server politely, and then whatever it left behind in its session."""
        self.process.send_signal(self.stop_signal)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(PATIENCE)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
