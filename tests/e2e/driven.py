"""An installation with add-ons at work in the control plane, for tests that are not scenarios of a stage.

Our loop or Metacontroller itself drives it, with the generated rights and no others.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
import yaml

from app.sim.callers import HookClient
from app.sim.clock import RealClock
from app.sim.cluster_kube import KubeCluster
from app.sim.loop import Loop, Strategy
from tests.e2e.controlplane.plane import METACONTROLLER, PALENA, USER
from tests.e2e.installation import RIGHTS, controllers, grant_rights, install_token
from tests.e2e.kubectl import KubectlError
from tests.e2e.metacontroller import MISSING, running_metacontroller
from tests.e2e.service import Service
from tests.e2e.world import NAMESPACE, RESYNC_SECONDS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from app.hooks.objects import Object
    from app.sim.cluster import Cluster
    from tests.e2e.controlplane.plane import ControlPlane
    from tests.e2e.kubectl import Kubectl

ROOT = Path(__file__).resolve().parents[2]
ADD_ON_CRDS = ROOT / "tests" / "cases" / "addon_crds.yaml"
PATIENCE_SECONDS = 60.0
"""For a machine that others use, too."""


def overlay(kubectl: Kubectl, folder: Path, components: Sequence[str]) -> list[Object]:
    """The full shape with components, as a user's overlay has them."""
    metacontroller = os.path.relpath(ROOT / "metacontroller", folder)
    content = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": [metacontroller],
        "components": [f"{metacontroller}/components/{component}" for component in components],
    }
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(content))
    return list(yaml.safe_load_all(kubectl("kustomize", str(folder))))


def serve_add_on_apis(kubectl: Kubectl) -> None:
    """The stand-ins' definitions; they stay. Returns when they are listed, which takes longer than to be established."""
    kubectl("apply", "-f", str(ADD_ON_CRDS))
    kubectl("wait", "--for=condition=Established", "-f", str(ADD_ON_CRDS), "--timeout=30s")
    deadline = time.monotonic() + PATIENCE_SECONDS
    for definition in yaml.safe_load_all(ADD_ON_CRDS.read_text("utf-8")):
        while True:
            try:
                kubectl("get", definition["metadata"]["name"], "--all-namespaces")
            except KubectlError:
                assert time.monotonic() < deadline, f"{definition['metadata']['name']} cannot be listed"
                time.sleep(0.2)
            else:
                break


@contextlib.asynccontextmanager
async def user_namespace(plane: ControlPlane) -> AsyncGenerator[tuple[Cluster, str]]:
    """A cluster as its user, and a namespace."""
    async with KubeCluster.from_kubeconfig(plane.kubeconfig(USER), manager="kubectl") as user:
        name = f"e2e-{uuid4().hex[:8]}"
        await user.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        try:
            yield user, name
        finally:
            await user.delete(NAMESPACE, "", name)


@dataclass(frozen=True)
class Way:
    """Who drives the hooks, and how children are applied."""

    metacontroller: bool = False
    strategy: Strategy = Strategy.DYNAMIC_APPLY

    def __str__(self) -> str:
        return f"{'metacontroller' if self.metacontroller else 'loop'} {self.strategy}"


in_every_way = pytest.mark.parametrize("way", [Way(real, strategy) for real in (False, True) for strategy in Strategy], ids=str)
"""A test's argument ``way``, for :func:`driving`."""


@dataclass(frozen=True)
class Driver:
    """Somebody who calls our hooks."""

    service: Service
    namespace: str

    async def resyncs(self, count: int, *names: str) -> None:
        """Wait until each instance was synced so many times more."""
        begin = len(self.service.synced(self.namespace))

        async def done() -> bool:
            since = self.service.synced(self.namespace)[begin:]
            return all(since.count(name) >= count for name in names)

        await until(done, "no resyncs")


@contextlib.asynccontextmanager
async def driving(
    plane: ControlPlane,
    kubectl: Kubectl,
    installation: list[Object],
    folder: Path,
    namespace: str,
    way: Way,
) -> AsyncGenerator[Driver]:
    """A driver with the installation's controllers and rights; fails if it was refused anything."""
    if way.metacontroller and "METACONTROLLER" not in os.environ:
        pytest.skip(MISSING)
    grant_rights(kubectl, installation)
    service = Service(folder, way.strategy, plane.kubeconfig(PALENA), _optional_apis(installation))
    install_token(kubectl, service.token)
    service.start()
    audit = plane.audit()
    try:
        installed = controllers(installation, service.url, RESYNC_SECONDS)
        if way.metacontroller:
            with running_metacontroller(folder, plane, kubectl, installed, way.strategy):
                yield Driver(service, namespace)
        else:
            async with looping(plane, installed, service.token, way.strategy):
                yield Driver(service, namespace)
    finally:
        service.stop()
        # Whoever comes next has other add-ons, or none, and is to have no right too many.
        kubectl("delete", "-f", "-", stdin=yaml.safe_dump_all([item for item in installation if item["kind"] in RIGHTS]))
    refused = [str(entry) for entry in audit.refusals(METACONTROLLER.user, namespace)]
    assert not refused, f"the generated rights are too narrow: {refused}"


def _optional_apis(installation: list[Object]) -> str:
    """What the components tell the service."""
    containers = [
        container
        for item in installation
        if item["kind"] == "Deployment"
        for container in item["spec"]["template"]["spec"]["containers"]
    ]
    variables = {entry["name"]: entry.get("value", "") for container in containers for entry in container.get("env", [])}
    return variables.get("PALENA_OPTIONAL_APIS", "")


@contextlib.asynccontextmanager
async def looping(plane: ControlPlane, installed: list[Object], token: str, strategy: Strategy) -> AsyncGenerator[None]:
    """Our loop at work on the installed controllers, with Metacontroller's account."""
    account = plane.kubeconfig(METACONTROLLER)
    headers = {"Authorization": f"Bearer {token}"}
    async with KubeCluster.from_kubeconfig(account, manager="metacontroller") as cluster, HookClient(headers=headers) as call:
        loop = Loop(cluster, installed, call, clock=RealClock(), strategy=strategy)
        work = asyncio.create_task(_for_ever(loop))
        try:
            yield
        finally:
            work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await work


async def until(holds: Callable[[], object], otherwise: str, seconds: float = PATIENCE_SECONDS) -> None:
    """Wait until something holds, which may take asking; fails with ``otherwise``."""
    deadline = time.monotonic() + seconds
    while True:
        held = holds()
        if await held if asyncio.iscoroutine(held) else held:
            return
        assert time.monotonic() < deadline, otherwise
        await asyncio.sleep(0.1)


async def _for_ever(loop: Loop) -> None:
    while True:
        await loop.run_until_quiet(1.0)
