"""From the creation of a thousand models until all of them are ready, on a real API server.

Measured against the same driver with a hook that does nothing: what it and the API server take is not ours. The driver is
Metacontroller where ``METACONTROLLER`` names its binary (see ``tests/e2e/README.md``), else our loop, which does one thing
after the other where Metacontroller has five workers.
"""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from app.apis.litellm.model import LITELLM_MODEL
from app.sim.cluster_kube import KubeCluster
from app.sim.loop import Strategy
from tests.bench.entities import SPECS
from tests.bench.servers import running
from tests.bench.templates import PLACEHOLDER
from tests.e2e.conftest import kubectl_of, running_plane
from tests.e2e.controlplane.binaries import ServersMissingError, servers
from tests.e2e.controlplane.plane import PALENA, USER
from tests.e2e.driven import looping, until
from tests.e2e.installation import controllers, grant_rights, install_token, rendered
from tests.e2e.metacontroller import Limits, running_metacontroller
from tests.e2e.objects import KEY, b64, instance, ready
from tests.e2e.service import Service
from tests.e2e.world import INSTANCE

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.e2e.controlplane.plane import ControlPlane
    from tests.e2e.kubectl import Kubectl

AT_ONCE = 20
PATIENCE_SECONDS = 600
RESYNC_SECONDS = 300
UNBOUNDED = Limits(requests_per_second=10_000)
"""With the usual bound of Metacontroller's requests, that would be all that is measured."""

NAMESPACE = "default"
DRIVER = "Metacontroller" if "METACONTROLLER" in os.environ else "our loop"


@dataclass(frozen=True)
class Place:
    """One control plane, fresh, with the rights and the service; what drives comes and goes."""

    plane: ControlPlane
    kubectl: Kubectl
    service: Service
    folder: Path
    limits: Limits


def ratio(count: int, rounds: int, limits: Limits = UNBOUNDED) -> float | None:
    """How many times as long as with a hook that does nothing it takes so many models; of the medians of some rounds.

    Our loop knows no limits. Nothing where the servers of a control plane cannot be had; under ``CI`` that is an error.
    """
    try:
        servers()
    except ServersMissingError:
        if os.environ.get("CI"):
            raise
        return None
    own, nothing = zip(*([_seconds(count, limits, own=own) for own in (True, False)] for _ in range(rounds)), strict=True)
    return median(own) / median(nothing)


def _seconds(count: int, limits: Limits, *, own: bool) -> float:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        plane = stack.enter_context(running_plane(folder / "plane"))
        kubectl = kubectl_of(plane)
        grant_rights(kubectl, rendered(kubectl, "full"))
        service = Service(folder / "service", Strategy.DYNAMIC_APPLY, plane.kubeconfig(PALENA))
        install_token(kubectl, service.token)
        place = Place(plane, kubectl, service, folder, limits)
        if own:
            proxy = stack.enter_context(running("fake"))
            service.start()
            stack.callback(service.stop)
            return asyncio.run(_own(place, f"http://127.0.0.1:{proxy.port}/p0", count))
        hook = stack.enter_context(running("nothing"))
        return asyncio.run(_nothing(place, f"http://127.0.0.1:{hook.port}", count))


async def _own(place: Place, proxy: str, count: int) -> float:
    installed = _installed(place, place.service.url, {INSTANCE.plural, LITELLM_MODEL.resource.plural})
    async with KubeCluster.from_kubeconfig(place.plane.kubeconfig(USER), manager="kubectl") as user:
        for item in (_secret(KEY["name"], KEY["key"], "sk-master"), _secret("provider", "key", "sk-1"), instance("gw", proxy)):
            await user.create({**item, "metadata": {**item["metadata"], "namespace": NAMESPACE}})
        with ExitStack() as stack:
            return await _driven(place, installed, user, count, stack, "gw")


async def _nothing(place: Place, hook: str, count: int) -> float:
    installed = _installed(place, hook, {LITELLM_MODEL.resource.plural})
    async with KubeCluster.from_kubeconfig(place.plane.kubeconfig(USER), manager="kubectl") as user:
        with ExitStack() as stack:
            return await _driven(place, installed, user, count, stack, "")


async def _driven(place: Place, installed: list[Object], user: KubeCluster, count: int, stack: ExitStack, gateway: str) -> float:
    if DRIVER == "Metacontroller":
        stack.enter_context(
            running_metacontroller(
                place.folder / "metacontroller", place.plane, place.kubectl, installed, Strategy.DYNAMIC_APPLY, place.limits
            )
        )
        return await _arrival(user, count, gateway)
    async with looping(place.plane, installed, place.service.token, Strategy.DYNAMIC_APPLY):
        return await _arrival(user, count, gateway)


async def _arrival(user: KubeCluster, count: int, gateway: str) -> float:
    """Seconds from the first creation until the last model is ready. An instance is waited for before."""

    async def up() -> bool:
        return not gateway or ready(await user.get(INSTANCE, NAMESPACE, gateway))[0] == "True"

    await until(up, "the instance does not become ready")
    user.watch([LITELLM_MODEL.resource])
    began = time.monotonic()
    turns = asyncio.Semaphore(AT_ONCE)

    async def create(number: int) -> None:
        async with turns:
            await user.create(_model(number))

    creations = asyncio.gather(*(create(number) for number in range(count)))
    done: set[str] = set()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(done) < count:
            done.update(change.item["metadata"]["name"] for change in await user.changes() if ready(change.item)[0] == "True")
            await asyncio.sleep(0.05)
    took = time.monotonic() - began
    await creations
    return took


def _installed(place: Place, url: str, plurals: set[str]) -> list[Object]:
    """The controllers of some kinds of parents, with their hooks there."""
    found = controllers(rendered(place.kubectl, "full"), url, RESYNC_SECONDS)
    return [item for item in found if item["metadata"]["name"] in plurals]


def _model(number: int) -> Object:
    resource = LITELLM_MODEL.resource
    spec = {"instanceRef": {"name": "gw"}, **SPECS[resource.kind], "modelName": f"{PLACEHOLDER.decode()}-{number}"}
    metadata = {"name": f"model-{number}", "namespace": NAMESPACE}
    return {"apiVersion": resource.api_version, "kind": resource.kind, "metadata": metadata, "spec": spec}


def _secret(name: str, key: str, value: str) -> Object:
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, "type": "Opaque", "data": {key: b64(value)}}
