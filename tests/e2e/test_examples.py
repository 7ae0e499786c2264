"""A real API server takes every example as it is, and has no warning to give."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.kubectl import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.kubectl import Kubectl

FOLDERS = sorted(path for path in (ROOT / "examples").iterdir() if path.is_dir())


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_an_api_server_takes_the_examples_of_a_kind_without_a_warning(folder: Path, kubectl: Kubectl) -> None:
    # All examples are of this namespace.
    namespace = kubectl("create", "namespace", "ai", "--dry-run=client", "-o", "yaml")
    kubectl("apply", "-f", "-", stdin=namespace)
    files = sorted(folder.glob("*.yaml"))
    taken = kubectl("apply", "--dry-run=server", "--warnings-as-errors", *(part for file in files for part in ("-f", str(file))))
    assert len(taken.splitlines()) >= len(files)
    assert all(line.endswith("(server dry run)") for line in taken.splitlines())
