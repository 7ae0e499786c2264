"""The real Metacontroller, where ``METACONTROLLER`` names its binary: it has to be built from source."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
import urllib.request
from dataclasses import dataclass
from typing import TYPE_CHECKING

import yaml

from tests.e2e.controlplane.plane import METACONTROLLER, free_ports

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.hooks.objects import Object
    from app.sim.loop import Strategy
    from tests.e2e.controlplane.plane import ControlPlane
    from tests.e2e.kubectl import Kubectl

START_SECONDS = 30
MISSING = (
    "the real Metacontroller was not tried: build its v4.17.2 (go build ./pkg/cmd/metacontroller), set METACONTROLLER to the "
    "binary and METACONTROLLER_MANIFESTS to its manifests/production"
)


@dataclass(frozen=True)
class Limits:
    """How much Metacontroller may do; as installed it is held to five requests a second, and tests would wait for that."""

    requests_per_second: int = 300
    workers: int = 5

    def arguments(self) -> list[str]:
        """As its command line has them."""
        return [
            f"--client-go-qps={self.requests_per_second}",
            f"--client-go-burst={2 * self.requests_per_second}",
            f"--workers={self.workers}",
        ]


AS_THE_GUIDE_SAYS = Limits(requests_per_second=200, workers=20)
"""The arguments of ``docs/guides/scale.md``."""


class Metacontroller:
    """One process. Its rights are those of the kubeconfig's account."""

    def __init__(self, folder: Path, kubeconfig: Path, strategy: Strategy, limits: Limits) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._log = folder / "metacontroller.log"
        metrics, health = free_ports(2)
        self._health = f"http://127.0.0.1:{health}/readyz"
        self._command = [
            os.environ["METACONTROLLER"],
            f"--kubeconfig={kubeconfig}",
            f"--apply-strategy={strategy}",
            f"--metrics-address=127.0.0.1:{metrics}",
            f"--health-probe-bind-address=127.0.0.1:{health}",
            "--discovery-interval=2s",
            *limits.arguments(),
        ]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; returns when it says that it is ready."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        deadline = time.monotonic() + START_SECONDS
        while not self._ready():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"Metacontroller did not become ready:\n{self.log()[-2000:]}")
            time.sleep(0.1)

    def stop(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(30)
            self._process = None

    def log(self) -> str:
        """All it has said."""
        return self._log.read_text(errors="replace")

    def _ready(self) -> bool:
        try:
            with urllib.request.urlopen(self._health, timeout=2) as response:
                return response.status == 200
        except OSError:
            return False


@contextlib.contextmanager
def running_metacontroller(
    folder: Path,
    plane: ControlPlane,
    kubectl: Kubectl,
    installed: list[Object],
    strategy: Strategy,
    limits: Limits | None = None,
) -> Iterator[None]:
    """Metacontroller at work on the installed controllers."""
    kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all(installed))
    metacontroller = Metacontroller(folder, plane.kubeconfig(METACONTROLLER), strategy, limits or Limits())
    try:
        metacontroller.start()
        yield
    finally:
        metacontroller.stop()
        kubectl("delete", "-f", "-", stdin=yaml.safe_dump_all(installed))
