"""Helm, as a person runs it on the chart of this checkout."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from app.hooks.objects import Object

ROOT = Path(__file__).resolve().parents[2]
CHART = ROOT / "chart"
PYTHON = ROOT / ".venv-helm" / "bin" / "python"
SDK = Path(__file__).with_name("sdk.py")

NAMESPACE = "palena-system"
IMAGE: Object = {"image": {"repository": "palena"}}
"""The one value that everybody must set."""


class HelmMissingError(Exception):
    """There is no Helm; the message says what to do."""


class HelmRefused(Exception):
    """Helm refused; the message is what it said."""


class Helm:
    """One release of the chart. Values are those that a user would write into a file."""

    def __init__(self, kubeconfig: Path | None = None, *, name: str = "palena", namespace: str = NAMESPACE) -> None:
        if not PYTHON.exists():
            raise HelmMissingError("there is no Helm: run `make chart`, which installs it from requirements/helm.txt")
        self._release = {"name": name, "namespace": namespace, "kubeconfig": str(kubeconfig) if kubeconfig else None}

    def lint(self, values: Object, **options: Any) -> list[str]:
        """What ``helm lint`` finds, but remarks."""
        report = self._call("lint", values, options)
        return [message["error"] for message in report["messages"] if message["severity"] > 1] + report["errors"]

    def template(self, values: Object) -> list[Object]:
        """The objects of ``helm template``: nothing is known of a cluster."""
        return objects("\n---\n".join(text for path, text in self._render(values).items() if not path.endswith("NOTES.txt")))

    def notes(self, values: Object) -> str:
        """What Helm prints after an installation."""
        (notes,) = (text for path, text in self._render(values).items() if path.endswith("NOTES.txt"))
        return notes

    def install(self, values: Object, **options: Any) -> list[Object]:
        """``helm install``; the objects of the release."""
        return objects(self._call("install", values, options)["manifest"])

    def upgrade(self, values: Object, **options: Any) -> list[Object]:
        """``helm upgrade``; the objects of the release."""
        return objects(self._call("upgrade", values, options)["manifest"])

    def uninstall(self, **options: Any) -> None:
        """``helm uninstall``."""
        self._call("uninstall", {}, options)

    def _render(self, values: Object) -> dict[str, str]:
        return self._call("render", values, {})

    def _call(self, operation: str, values: Object, options: dict[str, Any]) -> Any:
        request = {
            "operation": operation,
            "chart": str(CHART),
            "values": values,
            "release": self._release,
            "options": options,
        }
        done = subprocess.run(
            [PYTHON, "-I", SDK], input=json.dumps(request), capture_output=True, text=True, timeout=180, check=False
        )
        if done.returncode:
            raise RuntimeError(f"the Helm SDK failed: {done.stderr[-2000:]}")
        outcome = json.loads(done.stdout)
        if "refused" in outcome:
            raise HelmRefused(outcome["refused"])
        return outcome["answer"]


def objects(text: str) -> list[Object]:
    """All objects of a rendered text."""
    return [item for item in yaml.safe_load_all(text) if item]
