"""One call of Helm's SDK, a process each: it is the size of Helm itself and lives in an environment of its own.

Reads ``{"operation": …, …}`` from stdin and writes ``{"answer": …}`` or ``{"refused": "<message>"}``. Run by
:mod:`tests.chart.helm` under the interpreter of ``.venv-helm``, where this project is not importable.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import helm_python


def call(operation: str, chart: str, values: dict[str, Any], release: dict[str, Any], options: dict[str, Any]) -> Any:
    """What the SDK returns, as JSON."""
    if operation == "lint":
        return helm_python.lint(chart, values, **options)
    if operation == "render":
        with helm_python.Chart.load(chart) as loaded:
            # The schema is checked by an installation, and not by a bare rendering.
            loaded.validate_schema(loaded.merge_values(values))
            return loaded.render(values, name=release["name"], namespace=release["namespace"])
    with helm_python.Config(kubeconfig_path=release["kubeconfig"], namespace=release["namespace"]) as cluster:
        if operation == "uninstall":
            return cluster.uninstall(release["name"], **options)
        method = {"install": cluster.install, "upgrade": cluster.upgrade}[operation]
        return method(chart, release["name"], values, namespace=release["namespace"], **options)


if __name__ == "__main__":
    try:
        outcome = {"answer": call(**json.load(sys.stdin))}
    except helm_python.HelmError as refusal:
        outcome = {"refused": str(refusal)}
    json.dump(outcome, sys.stdout)
