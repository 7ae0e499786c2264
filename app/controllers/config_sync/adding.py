"""Adds config sync to whatever an instance answers: a comparison with the custom resources, in its status."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from app.controllers.config_sync.claims import Claims, claims_of
from app.controllers.config_sync.comparing import Compared, compare, named
from app.controllers.config_sync.pruning import Pruning
from app.controllers.entities.kinds import ENTITY_KINDS
from app.controllers.entities.link import master_key_of, proxy_of
from app.controllers.entities.unsettled import Unsettled
from app.kube.reader import ReadFailed
from app.status import resync
from app.status.instance.config_sync import (
    SYNC_INSTANCE_NOT_READY,
    SYNC_MASTER_KEY_ERROR,
    SYNC_PENDING,
    Outcome,
    with_outcome,
    with_problem,
)

if TYPE_CHECKING:
    from app.apis.litellm.instance import LiteLLMInstanceSpec
    from app.apis.litellm.instance.config_sync import ConfigSync
    from app.controllers.context import Context
    from app.controllers.entities.kind import EntityKind
    from app.hooks.request import SyncRequest
    from app.hooks.response import SyncResponse
    from app.litellm.admin.client import Admin
    from app.litellm.snapshot import Snapshot
    from app.status.reason import Condition

PATIENCE = 8.0
"""Seconds for a comparison with what it deletes; the next one goes on."""

_COUNTED = {
    "model": "Models",
    "team": "Teams",
    "user": "Users",
    "key": "Keys",
    "organization": "Organizations",
    "customer": "Customers",
}
"""Kinds whose objects a status counts: the Go operator's."""


async def with_config_sync(
    request: SyncRequest, spec: LiteLLMInstanceSpec, response: SyncResponse, context: Context
) -> SyncResponse:
    """The same answer where config sync is off."""
    sync = spec.config_sync
    if sync is None or not sync.enabled:
        return response
    before, generation = request.parent.get("status"), request.generation
    again = resync.jittered(math.ceil(min(sync.every, timedelta(seconds=resync.READY)) / timedelta(seconds=1)), request.uid)
    found = await _compared(request, spec, sync, response, context)
    if isinstance(found, Outcome):
        status = with_outcome(response.status, before, found, generation, context.now)
    else:
        status = with_problem(response.status, before, found, generation, context.now)
        again = resync.PENDING if found.reason == SYNC_PENDING.reason else again
    soonest = min(again, response.resync_after_seconds or again)
    # Whether the answer holds depends on other objects than those of the request.
    return replace(response, status=status, resync_after_seconds=soonest, holds=None)


async def _compared(
    request: SyncRequest, spec: LiteLLMInstanceSpec, sync: ConfigSync, response: SyncResponse, context: Context
) -> Outcome | Condition:
    if response.status.get("ready") is not True:
        return SYNC_INSTANCE_NOT_READY.because("the instance is not ready; the Ready condition says why")
    try:
        target = await proxy_of(request, request.name, spec, context)
    except Unsettled as unsettled:
        return SYNC_INSTANCE_NOT_READY.because(unsettled.message)
    try:
        key = await master_key_of(request, request.name, spec, response.status, context)
    except Unsettled as unsettled:
        return SYNC_MASTER_KEY_ERROR.because(unsettled.message)
    admin = context.admin.at(target, key)
    snapshot = await context.snapshots.of(admin, sync.every, context.now())
    if snapshot is None:
        return SYNC_PENDING.because("the proxy's lists are being read")
    known = context.comparisons.known(request.uid, request.generation, snapshot)
    if known is None:
        known = await _outcome(request, sync, snapshot, admin, context)
        context.comparisons.keep(request.uid, request.generation, snapshot, known)
    return known


async def _outcome(request: SyncRequest, sync: ConfigSync, snapshot: Snapshot, admin: Admin, context: Context) -> Outcome:
    """Compares, and prunes if that is asked for and both sides are known whole."""
    claims, errors = await _claims(request, context)
    ours = f"{context.cluster_id}/{request.namespace}/"
    pruning = Pruning(admin, context, f"LiteLLMInstance {request.namespace}/{request.name}")
    counts: dict[str, int] = {}
    unmanaged: list[str] = []
    prunable: list[tuple[EntityKind[Any], Compared]] = []
    for kind in ENTITY_KINDS:
        noun, listing = kind.entity.noun, snapshot.of(kind.entity)
        if listing.trouble:
            errors.append(f"{noun}s: LiteLLM {listing.trouble}")
        if listing.trouble or noun not in claims:
            continue
        compared = compare(noun, listing, claims[noun], ours)
        if word := _COUNTED.get(noun):
            counts |= {f"synced{word}": compared.synced, f"unmanaged{word}": len(compared.unmanaged)}
            unmanaged += [named(noun, one, listing.rows[one]) for one in compared.unmanaged]
        prunable.append((kind, compared))
    # Deleted is only what both sides have told of in full, over all kinds: a proxy in trouble is no ground to decide on.
    if sync.unmanaged_resource_policy == "prune" and not errors:
        try:
            async with asyncio.timeout(PATIENCE):
                for kind, compared in prunable:
                    await pruning.prune(kind, snapshot.of(kind.entity), compared)
        except TimeoutError:
            errors.append(f"pruning took longer than {PATIENCE:.0f} seconds and goes on with the next comparison")
    told_by_name = sync.unmanaged_resource_policy == "adopt" or sync.audit_changes is True
    return Outcome(
        counts=counts,
        errors=(*errors, *pruning.errors),
        differing=sum(one.differing for one in claims.values()),
        pruned=tuple(pruning.deleted),
        unmanaged=tuple(unmanaged) if told_by_name else (),
    )


async def _claims(request: SyncRequest, context: Context) -> tuple[dict[str, Claims], list[str]]:
    """By the noun of the kind, and why some are missing."""
    items = await asyncio.gather(
        *(context.reader.list(kind.resource.resource, request.namespace) for kind in ENTITY_KINDS), return_exceptions=True
    )
    claims: dict[str, Claims] = {}
    errors: list[str] = []
    for kind, found in zip(ENTITY_KINDS, items, strict=True):
        if isinstance(found, ReadFailed):
            errors.append(str(found))
        elif isinstance(found, BaseException):
            raise found
        else:
            claims[kind.entity.noun] = claims_of(kind, found, request.name, context.cluster_id)
    return claims, errors
