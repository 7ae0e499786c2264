"""What the end-to-end tests share: one control plane, and what is installed in it before its controllers start."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.sim.loop import Strategy
from tests.e2e.controlplane.binaries import ServersMissingError
from tests.e2e.controlplane.plane import PALENA, USER, ControlPlane
from tests.e2e.gateway import gateway_on
from tests.e2e.installation import controllers, grant_rights, install_token, rendered
from tests.e2e.kubectl import Kubectl, KubectlMissingError
from tests.e2e.metacontroller import MISSING, running_metacontroller
from tests.e2e.service import Service
from tests.e2e.stage import Stage
from tests.e2e.toys import TOY
from tests.e2e.unavailable import unavailable
from tests.e2e.world import RESYNC_SECONDS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    from tests.e2e.gateway import Gateway

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


@pytest.fixture(scope="session")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """The control plane, with our kinds, Metacontroller's and the toy's known to its garbage collector from the start."""
    with running_plane(tmp_path_factory.mktemp("controlplane")) as plane:
        yield plane


@pytest.fixture(scope="session")
def kubectl(plane: ControlPlane) -> Kubectl:
    """kubectl as the user."""
    return kubectl_of(plane)


STAGES = {
    f"{driver} {strategy} {shape}".strip(): (driver, strategy, shape)
    for driver in ("loop", "metacontroller")
    for strategy, shape in (
        (Strategy.DYNAMIC_APPLY, "full"),
        (Strategy.SERVER_SIDE_APPLY, "full"),
        (Strategy.DYNAMIC_APPLY, "attach-only"),
    )
}


@pytest.fixture(scope="session")
def stage(
    request: pytest.FixtureRequest, plane: ControlPlane, kubectl: Kubectl, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Stage]:
    """One driver with one apply strategy and one shape of the installation, under exactly the generated rights."""
    driver, strategy, shape = STAGES[request.param]
    if driver == "metacontroller" and "METACONTROLLER" not in os.environ:
        pytest.skip(MISSING)
    installation = rendered(kubectl, shape)
    grant_rights(kubectl, installation)
    folder = tmp_path_factory.mktemp("stage")
    service = Service(folder, strategy, plane.kubeconfig(PALENA))
    install_token(kubectl, service.token)
    service.start()
    installed = controllers(installation, service.url, RESYNC_SECONDS)
    stage = Stage(plane, service, installed, strategy, metacontroller=driver == "metacontroller")
    try:
        if stage.metacontroller:
            with running_metacontroller(folder, plane, kubectl, installed, strategy):
                yield stage
        else:
            yield stage
    finally:
        service.stop()


@pytest.fixture
async def gateway(stage: Stage) -> AsyncGenerator[Gateway]:
    """A place for a managed gateway, on every stage of the full shape."""
    async with gateway_on(stage) as made:
        yield made


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What installs into the control plane by itself comes before the stages, which are installed there until the end."""
    items.sort(key=lambda item: "stage" in getattr(item, "fixturenames", ()))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A scenario is played on every stage of the shape that its module is about (``SHAPE``, ``full`` unless said).

    A module that is about nothing that is applied names one of the ``STRATEGIES``.
    """
    if "stage" in metafunc.fixturenames:
        shape = getattr(metafunc.module, "SHAPE", "full")
        strategies = getattr(metafunc.module, "STRATEGIES", tuple(Strategy))
        names = [name for name, (_, strategy, of) in STAGES.items() if of == shape and strategy in strategies]
        metafunc.parametrize("stage", names, indirect=True, scope="session")


@contextmanager
def running_plane(folder: Path) -> Iterator[ControlPlane]:
    """A control plane of one's own; skips where its servers cannot be had."""
    try:
        plane = ControlPlane(folder)
    except ServersMissingError as error:
        unavailable(str(error))
        raise
    try:
        plane.start()
        kubectl = kubectl_of(plane)
        for definitions in (metacontroller_crds(), TOY / "crds.yaml", *sorted((ROOT / "crds").glob("*_*.yaml"))):
            kubectl("apply", "-f", str(definitions))
        kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=30s")
        plane.start_controllers()
        yield plane
    finally:
        plane.stop()


def metacontroller_crds() -> Path:
    """Metacontroller's own definitions where ``METACONTROLLER_MANIFESTS`` names its manifests, else a stand-in."""
    if manifests := os.environ.get("METACONTROLLER_MANIFESTS"):
        return Path(manifests) / "metacontroller-crds-v1.yaml"
    return HERE / "metacontroller-crds.yaml"


def kubectl_of(plane: ControlPlane) -> Kubectl:
    """kubectl as the user of a control plane."""
    try:
        return Kubectl(plane.kubeconfig(USER))
    except KubectlMissingError as error:
        unavailable(str(error))
        raise
