"""What the end-to-end tests share: one control plane, and what is installed in it before its controllers start."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.controlplane.binaries import ServersMissingError
from tests.e2e.controlplane.plane import USER, ControlPlane
from tests.e2e.kubectl import Kubectl, KubectlMissingError

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def unavailable(reason: str) -> None:
    """Skip, loudly; in CI a skip would hide that nothing was tested, so there it is a failure."""
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """The control plane, with our kinds, Metacontroller's and the toy's known to its garbage collector from the start."""
    try:
        plane = ControlPlane(tmp_path_factory.mktemp("controlplane"))
    except ServersMissingError as error:
        unavailable(str(error))
        raise
    try:
        plane.start()
        kubectl = _kubectl(plane)
        for definitions in (metacontroller_crds(), ROOT / "crds", ROOT / "tests" / "recordings" / "toy" / "crds.yaml"):
            kubectl("apply", "-f", str(definitions))
        kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=30s")
        plane.start_controllers()
        yield plane
    finally:
        plane.stop()


@pytest.fixture(scope="session")
def kubectl(plane: ControlPlane) -> Kubectl:
    """kubectl as the user."""
    return _kubectl(plane)


def metacontroller_crds() -> Path:
    """Metacontroller's own definitions where ``METACONTROLLER_MANIFESTS`` names its manifests, else a stand-in."""
    if manifests := os.environ.get("METACONTROLLER_MANIFESTS"):
        return Path(manifests) / "metacontroller-crds-v1.yaml"
    return HERE / "metacontroller-crds.yaml"


def _kubectl(plane: ControlPlane) -> Kubectl:
    try:
        return Kubectl(plane.kubeconfig(USER))
    except KubectlMissingError as error:
        unavailable(str(error))
        raise
