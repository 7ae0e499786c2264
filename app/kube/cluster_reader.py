"""The reader of a real cluster: lightkube finds address and credentials, the requests are plain GETs.

Secrets are remembered for a while that is shorter than the interval at which a ready instance is synced again, so each of
its syncs sees what is there now and many syncs in a row cost one read.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, cast

import httpx2
import orjson

from app.kube.reader import OWN_GROUPS, SECRET, NoReader, ReadFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from app.hooks.objects import Object, Resource
    from app.kube.reader import Reader

SERVICE_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
REQUEST_SECONDS = 5.0
GOOD_FOR = 45.0
MOST_SECRETS = 10_000


def cluster_reader(environ: Mapping[str, str], clock: Callable[[], float]) -> Reader:
    """The reader of the cluster that the pod runs in, else of ``KUBECONFIG``; without either it is off."""
    in_cluster = "KUBERNETES_SERVICE_HOST" in environ and (SERVICE_ACCOUNT / "token").exists()
    if not in_cluster and not environ.get("KUBECONFIG"):
        return NoReader()
    # Importing lightkube takes a quarter of a second, which a service without a cluster need not spend.
    from lightkube.config.client_adapter import AsyncClient, ConnectionParams
    from lightkube.config.kubeconfig import KubeConfig
    from lightkube.core.exceptions import ConfigError

    try:
        config = KubeConfig.from_service_account(SERVICE_ACCOUNT) if in_cluster else KubeConfig.from_file(environ["KUBECONFIG"])
        single = config.get()
    except (ConfigError, OSError, KeyError, ValueError) as error:
        return NoReader(f"the cluster's configuration cannot be used ({type(error).__name__})")
    if single is None:
        return NoReader("the kubeconfig has no current context")
    return ClusterReader(AsyncClient(single, ConnectionParams(timeout=httpx2.Timeout(REQUEST_SECONDS), trust_env=False)), clock)


class ClusterReader:
    """A connection to an API server. ``clock`` is in seconds and only ever goes forward."""

    def __init__(self, client: httpx2.AsyncClient, clock: Callable[[], float]) -> None:
        self._client = client
        self._clock = clock
        self._secrets: OrderedDict[tuple[str, str], tuple[float, Object | None]] = OrderedDict()

    async def secret(self, namespace: str, name: str, *, version: str = "") -> Object | None:
        """The Secret, at most :data:`GOOD_FOR` seconds old unless it is of the version that is asked for."""
        known = self._secrets.get((namespace, name))
        if known is not None and (_is_of(version, known[1]) if version else self._clock() < known[0]):
            return known[1]
        found = await self._get(_path(SECRET, namespace, name))
        self._secrets[namespace, name] = (self._clock() + GOOD_FOR, found)
        self._secrets.move_to_end((namespace, name))
        while len(self._secrets) > MOST_SECRETS:
            self._secrets.popitem(last=False)
        return found

    async def get(self, resource: Resource, namespace: str, name: str) -> Object | None:
        """The object as it is now."""
        return await self._get(_path(_own(resource), namespace, name))

    async def list(self, resource: Resource, namespace: str) -> list[Object]:
        """The objects as they are now, with the apiVersion and kind that lists leave out."""
        answer = await self._get(_path(_own(resource), namespace))
        if answer is None:
            raise ReadFailed(f"{resource.plural} cannot be listed: the kind is not served")
        typed = {"apiVersion": resource.api_version, "kind": resource.kind}
        return [{**typed, **item} for item in cast("list[Object]", answer.get("items") or [])]

    async def aclose(self) -> None:
        """Ends the connection."""
        await self._client.aclose()

    async def _get(self, path: str) -> Object | None:
        try:
            async with asyncio.timeout(REQUEST_SECONDS):
                response = await self._client.get(path)
        except (httpx2.HTTPError, OSError, TimeoutError) as error:
            raise ReadFailed(f"{path} cannot be read: the API server does not answer") from error
        if response.status_code == 404:
            return None
        if response.is_error:
            # Without the answer's text: nothing in it is for the owner of an instance.
            raise ReadFailed(f"{path} cannot be read: the API server answered {response.status_code}")
        return cast("Object", orjson.loads(response.content))


def _is_of(version: str, secret: Object | None) -> bool:
    return secret is not None and secret["metadata"].get("resourceVersion") == version


def _own(resource: Resource) -> Resource:
    if resource.group not in OWN_GROUPS:
        raise AssertionError(f"{resource.plural} are none of ours")
    return resource


def _path(resource: Resource, namespace: str, name: str = "") -> str:
    root = f"apis/{resource.api_version}" if resource.group else f"api/{resource.api_version}"
    where = ("namespaces", namespace) if namespace else ()
    return "/".join(part for part in (root, *where, resource.plural, name) if part)
