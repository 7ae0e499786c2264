"""How the cost of a sync grows with what belongs to the instance: a second hundred should cost what the first did.

The hook is called in this process, and of several passes the quickest counts, so that neighbours on the machine do not.
"""

from __future__ import annotations

import asyncio
import gc
import time
from typing import TYPE_CHECKING, Any

import orjson

from app.controllers.litellm_instance import LITELLM_INSTANCES
from app.hooks.hook import hooks_of
from app.hooks.objects import LAST_APPLIED
from tests.bench.servers import imagined_proxies
from tests.bench.templates import PLACEHOLDER

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.hooks.objects import Object

STEP = 100
_SYNCS, _PASSES = 100, 9
_HOOK = next(hook for hook in hooks_of(LITELLM_INSTANCES) if hook.name == "sync")


def of_children(body: bytes) -> float:
    """Of a hundred Secrets more that were made before and are kept, over the hundred before."""
    return _growth(body, _with_children)


def of_related(body: bytes) -> float:
    """Of a hundred Secrets more that the pods read, over the hundred before."""
    return _growth(body, _with_related)


def _growth(body: bytes, extended: Callable[[Object, int], Object]) -> float:
    costs = asyncio.run(_costs([orjson.dumps(extended(orjson.loads(body), count * STEP)) for count in range(3)]))
    return (costs[2] - costs[1]) / (costs[1] - costs[0])


async def _costs(bodies: list[bytes]) -> list[float]:
    """Seconds of processor time, for each body."""
    context = imagined_proxies()
    for body in bodies:
        await _sync(body, context)
    gc.collect()
    gc.disable()
    try:
        passes = [[await _pass(body, context) for body in bodies] for _ in range(_PASSES)]
    finally:
        gc.enable()
        await context.aclose()
    return [min(of_one) for of_one in zip(*passes, strict=True)]


async def _pass(body: bytes, context: Any) -> float:
    began = time.process_time()
    for _ in range(_SYNCS):
        await _sync(body, context)
    return time.process_time() - began


async def _sync(body: bytes, context: Any) -> bytes:
    request = _HOOK.read(orjson.loads(body))
    return _HOOK.write(request, await _HOOK.decide(request, context))


def _with_children(body: Object, count: int) -> Object:
    kept = {}
    for number in range(count):
        child = _secret(f"made-before-{number}")
        child["metadata"]["annotations"] = {LAST_APPLIED: orjson.dumps(_secret(f"made-before-{number}")).decode()}
        kept[f"{PLACEHOLDER.decode()}/made-before-{number}"] = child
    body["children"]["Secret.v1"] |= kept
    return body


def _with_related(body: Object, count: int) -> Object:
    names = [f"read-{number}" for number in range(count)]
    body["parent"]["spec"]["extraEnvFrom"] = [{"secretRef": {"name": name}} for name in names]
    body["related"]["Secret.v1"] |= {f"{PLACEHOLDER.decode()}/{name}": _secret(name) for name in names}
    return body


def _secret(name: str) -> Object:
    metadata: Object = {"name": name, "namespace": PLACEHOLDER.decode()}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "type": "Opaque", "data": {"value": "c2VjcmV0" * 8}}
