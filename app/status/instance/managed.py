"""The status of an instance whose proxy we run. Everything is decided anew from facts; nothing is carried on by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.status import resync
from app.status.conditions import condition_list, observed_conditions
from app.status.instance.finalizer import finalizer_conditions
from app.status.instance.gateway_conditions import told_conditions
from app.status.instance.gateway_database import database_conditions
from app.status.instance.gateway_readiness import gateway_ready, gateway_usable
from app.status.instance.memory import memory
from app.status.instance.pods import pods_condition
from app.status.instance.rollout import rollout_condition

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from app.hooks.objects import Object
    from app.status.instance.gateway import GuardrailNote, ManagedGateway


def managed_status(gateway: ManagedGateway, instance: Object, generation: int, now: Callable[[], datetime]) -> Object:
    """The whole status. ``instance`` is the parent, its present status whatever it is."""
    before = observed_conditions(instance.get("status"))
    usable = gateway_usable(gateway)
    decided = [
        gateway_ready(gateway, before),
        rollout_condition(gateway),
        pods_condition(gateway.pod_faults, ready=usable),
        *database_conditions(gateway),
        *told_conditions(gateway),
        *finalizer_conditions(instance),
    ]
    return {
        "observedGeneration": generation,
        "ready": usable,
        "replicas": gateway.rollout.replicas,
        "readyReplicas": gateway.rollout.ready,
        "endpoint": gateway.endpoint,
        "version": gateway.rollout.version,
        "license": {"active": True, "secretName": gateway.license_secret} if gateway.license_secret else {"active": False},
        **gateway.sections,
        **_where_any(gateway, usable=usable),
        "conditions": condition_list(decided, before, generation, now),
    }


def managed_resync_seconds(gateway: ManagedGateway, uid: str) -> int:
    """When to look again. Children, pods and references wake us by themselves; only the proxy has to be asked."""
    if gateway.sighting.pending:
        return resync.PENDING
    if gateway.missing or gateway.unreadable:
        return resync.jittered(resync.UNREACHABLE if gateway.unreadable else resync.MISSING_REFERENCE, uid)
    health = gateway.sighting.health
    poor = health is not None and not health.good
    return resync.jittered(resync.UNREACHABLE if poor else resync.READY, uid)


def _where_any(gateway: ManagedGateway, *, usable: bool) -> Object:
    """Fields that are absent where there is nothing to say."""
    fields = memory(
        finished=gateway.migration.finished,
        rollback=gateway.rolled_back,
        takeover=gateway.takeover.generation if gateway.takeover is not None else None,
    )
    if gateway.master_key is not None:
        name, key, version = gateway.master_key
        fields["masterKey"] = {"secretName": name, "key": key, **({"resourceVersion": version} if version else {})}
    if gateway.redis:
        connected = gateway.cache.connected if gateway.cache else None
        known = True if not gateway.redis_behind_cache else connected
        fields["redis"] = {} if known is None else {"connected": known}
    if gateway.last_successful_revision:
        fields["lastSuccessfulRevision"] = gateway.last_successful_revision
    if gateway.guardrails:
        fields["guardrails"] = [_guardrail(note) for note in gateway.guardrails]
    if gateway.pod_faults and not usable:
        fields["unhealthyPods"] = [fault.entry() for fault in gateway.pod_faults]
    return fields


def _guardrail(note: GuardrailNote) -> Object:
    name = {"guardrailName": note.guardrail} if note.guardrail else {}
    problem = {"reason": note.reason, "message": note.problem} if note.problem else {}
    ignored = {"ignoredVariables": list(note.ignored)} if note.ignored else {}
    return {"name": note.name, **name, "configured": note.served, **problem, **ignored}
