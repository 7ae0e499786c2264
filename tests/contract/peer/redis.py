"""A Redis of the session's own: with a password, on loopback, keeping nothing on disk."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import tempfile
from pathlib import Path

from tests.contract.peer.postgres import free_port
from tests.contract.peer.process import Server

START_SECONDS = 30
PATIENCE = 5
"""Seconds for an answer."""


class Redis:
    """One server, which also tells what is in it."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self.port = free_port()
        self.password = secrets.token_hex(16)
        self.folder = Path(tempfile.mkdtemp(prefix="palena-redis-"))
        self.server: Server | None = None

    def start(self) -> None:
        """Start, and return once it answers."""
        settings = {"bind": "127.0.0.1", "port": str(self.port), "save": "", "appendonly": "no", "dir": str(self.folder)}
        words = [word for name, value in settings.items() for word in (f"--{name}", value)]
        self.server = Server(
            [self.program, *words, "--requirepass", self.password],
            log=self.folder / "log",
            environment={"PATH": os.environ["PATH"]},
            folder=self.folder,
        )
        self.server.wait_until(self._answers, "Redis", START_SECONDS)

    def stop(self) -> None:
        """Stop; what was in it is gone."""
        if self.server:
            self.server.stop()
            self.server = None

    def remove(self) -> None:
        """Stop, and remove the folder."""
        self.stop()
        shutil.rmtree(self.folder)

    def ask(self, *words: str) -> str | list[str] | None:
        """The answer to one command: a text, a list of texts, or None for nothing."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as connection, connection.makefile("rwb") as stream:
            for command in (("AUTH", self.password), words):
                parts = [f"${len(word.encode())}\r\n{word}\r\n" for word in command]
                stream.write(f"*{len(parts)}\r\n{''.join(parts)}".encode())
                stream.flush()
                answer = _answer(stream)
            return answer

    def names(self, prefix: str) -> list[str]:
        """The texts that are kept under names that begin so."""
        found = self.ask("KEYS", f"{prefix}*") or []
        return [name for name in found if self.ask("TYPE", name) == "string"]

    def _answers(self) -> bool:
        try:
            return self.ask("PING") == "PONG"
        except (ConnectionError, TimeoutError, ValueError):
            return False


def _answer(stream: socket.SocketIO) -> str | list[str] | None:
    """One value of Redis's protocol (RESP 2)."""
    line = stream.readline().decode().rstrip("\r\n")
    kind, rest = line[:1], line[1:]
    if kind in ("+", ":"):
        return rest
    if kind == "$":
        return None if rest == "-1" else stream.read(int(rest) + 2)[:-2].decode(errors="replace")
    if kind == "*":
        return [str(_answer(stream)) for _ in range(int(rest))]
    raise ValueError(f"Redis answered {line!r}")
