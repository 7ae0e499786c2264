"""The real service, as a process of its own: ``palena serve`` on loopback, with a token, and its log as a record of calls."""

from __future__ import annotations

import contextlib
import os
import secrets
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from tests.e2e.controlplane.plane import free_ports

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 20


class Service:
    """May be stopped and started again at the same address, as in an outage or an upgrade."""

    def __init__(self, folder: Path, apply_strategy: str, kubeconfig: Path, optional_apis: str = "") -> None:
        """``kubeconfig`` is what it reads the cluster with."""
        (port,) = free_ports(1)
        self.url = f"http://127.0.0.1:{port}"
        self.token = secrets.token_urlsafe(32)
        folder.mkdir(parents=True, exist_ok=True)
        token_file = folder / "token"
        token_file.write_text(f"{self.token}\n")
        self._names = folder / "names"
        self._log = folder / "service.log"
        self._environment = {
            "PATH": os.environ["PATH"],
            "KUBECONFIG": str(kubeconfig),
            "PALENA_HOST": "127.0.0.1",
            "PALENA_PORT": str(port),
            "PALENA_HOOK_TOKEN_FILE": str(token_file),
            "PALENA_ENDPOINT_ALLOW": "127.0.0.0/8",
            "PALENA_APPLY_STRATEGY": apply_strategy,
            "PALENA_OPTIONAL_APIS": optional_apis,
        }
        self._process: subprocess.Popen[bytes] | None = None
        self._calls: list[Object] = []
        self._read = 0

    def start(self) -> None:
        """Start it; returns when it is ready."""
        with self._log.open("ab") as log:
            command = [sys.executable, "-m", "tests.e2e.served", str(self._names)]
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=self._environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        deadline = time.monotonic() + START_SECONDS
        while not _answers(f"{self.url}/readyz"):
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"the service did not become ready:\n{self._log.read_text()[-2000:]}")
            time.sleep(0.05)

    def leads_to_loopback(self, host: str) -> None:
        """From now on the service finds that host name on this machine, as it would find a Service by the cluster's DNS."""
        with self._names.open("a", encoding="utf-8") as names:
            names.write(f"{host}\n")

    def kill(self) -> None:
        """End it in the middle of whatever it does, as a node that fails."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    @contextlib.contextmanager
    def outage(self) -> Iterator[None]:
        """It is down, without having said goodbye."""
        self.kill()
        try:
            yield
        finally:
            self.start()

    def stop(self) -> None:
        """End it as kubelet does."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(30)
            self._process = None

    def synced(self, namespace: str) -> list[str]:
        """The parents of a namespace whose ``sync`` was answered with a 200 so far, in order, as the log has them."""
        with self._log.open("rb") as log:
            log.seek(self._read)
            whole, newline, _ = log.read().rpartition(b"\n")
        self._read += len(whole) + len(newline)
        events = [orjson.loads(line) for line in whole.split(b"\n") if line.startswith(b"{")]
        self._calls += [event for event in events if event.get("hook") == "sync" and event.get("code") == 200]
        return [call["parent"] for call in self._calls if call["namespace"] == namespace]

    def log(self) -> str:
        """Everything it ever logged."""
        return self._log.read_text()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as response:
            return response.status == 200
    except OSError:
        return False
