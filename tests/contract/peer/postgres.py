"""A PostgreSQL of the session's own: in a temporary folder, on loopback, without durability, gone afterwards."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import tempfile
from pathlib import Path

from tests.contract.peer.process import Server, as_user, run

START_SECONDS = 60


class Postgres:
    """One server for all releases, one database each. It can be stopped and started again on the same port."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.port = free_port()
        self.password = secrets.token_hex(16)
        # PostgreSQL refuses to run as root, and its user must be able to enter the folder.
        self.user = "postgres" if os.geteuid() == 0 else None
        self.folder = Path(tempfile.mkdtemp(prefix="palena-postgres-", dir="/var/tmp" if self.user else None))
        self.server: Server | None = None
        self._initialise()

    def _initialise(self) -> None:
        password = self.folder / "password"
        password.touch(mode=0o600)
        password.write_text(self.password)
        if self.user:
            for path in (self.folder, password):
                shutil.chown(path, self.user, self.user)
        initdb = [self.programs / "initdb", "-D", self.folder / "data", "-U", "postgres", "--pwfile", password]
        run("initdb", [*as_user(self.user), *initdb, "-A", "scram-sha-256", "-E", "UTF8", "--locale=C.UTF-8"], cwd=Path("/"))

    def start(self) -> None:
        """Start, and return once connections are accepted."""
        settings = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "fsync": "off",
            "synchronous_commit": "off",
            "full_page_writes": "off",
        }
        command = [self.programs / "postgres", "-D", self.folder / "data"]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        self.server = Server(
            command,
            log=self.folder / "log",
            environment={"PATH": os.environ["PATH"]},
            folder=Path("/"),
            user=self.user,
            # "Fast shutdown": does not wait for clients to leave.
            stop_signal=signal.SIGINT,
        )
        self.server.wait_until(self._accepts, "PostgreSQL", START_SECONDS)

    def stop(self) -> None:
        """Stop, data kept."""
        if self.server:
            self.server.stop()
            self.server = None

    def remove(self) -> None:
        """Stop, and forget the data."""
        self.stop()
        shutil.rmtree(self.folder)

    def create(self, database: str, scripts: list[Path]) -> str:
        """Make a database by running the scripts in their order. Returns its URL."""
        self._sql("postgres", f'create database "{database}";')
        self._sql(database, "".join(f"\\i '{script}'\n" for script in scripts))
        return f"postgresql://postgres:{self.password}@127.0.0.1:{self.port}/{database}"

    def ask(self, url: str, query: str) -> str:
        """What a query answers in the database of that URL: a line a row, columns divided by ``|``."""
        return self._sql(url.rpartition("/")[2], query).strip()

    def _sql(self, database: str, script: str) -> str:
        psql = [self.programs / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", str(self.port)]
        environment = dict(os.environ, PGPASSWORD=self.password, PGOPTIONS="-c client_min_messages=error")
        return run("psql", [*psql, "-U", "postgres", "-d", database, "-f", "-"], script=script, env=environment)

    def _accepts(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


def free_port() -> int:
    """A loopback port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
