"""The status of an instance that attaches to a proxy it does not run.

What it leaves out is as deliberate as what it says: no PodsHealthy, RedisReady or EnterpriseFeaturesConfigured, no status of
single sign-on, SCIM, secret manager or backup. Palena knows nothing of these here, and an absent field claims nothing. What
it remembers of a time when it ran the proxy it carries on, for the day on which it does again.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from app.apis.litellm.sighting import KeyState, Reach
from app.status import resync
from app.status.conditions import condition_list, observed_conditions
from app.status.instance.finalizer import finalizer_conditions
from app.status.instance.kept import about_same_proxy, kept_condition, kept_key_condition, kept_version
from app.status.instance.memory import remembered
from app.status.instance.readiness import ready_condition, usable
from app.status.instance.reasons import (
    CONFIG_SETTINGS_IGNORED,
    DATABASE_UNMANAGED,
    KEY_ACCEPTED,
    KEY_NOT_CHECKED,
    MANAGED_BEFORE,
    MASTER_KEY_MISSING,
    MASTER_KEY_REJECTED,
    PROBE_PENDING,
    PROXY_NOT_MANAGED,
)
from app.status.instance.words import shortened
from app.status.reason import READY, Condition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from app.hooks.objects import Object
    from app.status.instance.proxy import AttachedProxy, MasterKeySource


def attached_status(proxy: AttachedProxy, instance: Object, generation: int, now: Callable[[], datetime]) -> Object:
    """The whole status. ``instance`` is the parent, its present status whatever it is."""
    observed: Any = instance.get("status")
    ready, key, *others = _decided(proxy)
    health = proxy.sighting.health
    version = health.version if health else ""
    pending = ready.reason == PROBE_PENDING.reason
    if (pending or _verdict_pending(proxy)) and about_same_proxy(observed, proxy.endpoint, proxy.master_key, generation):
        before = cast("Object", observed)
        kept_key = kept_key_condition(before, proxy)
        if pending:
            ready = kept_condition(before, READY) or ready
            version = kept_version(before) if usable(ready) else ""
        # Why a key was not tried is old news once the proxy answers again.
        if kept_key is not None and (pending or kept_key.status != "Unknown"):
            key = kept_key
    return {
        "observedGeneration": generation,
        "ready": usable(ready),
        "replicas": 0,
        "readyReplicas": 0,
        "endpoint": proxy.endpoint,
        "version": version,
        "masterKey": _master_key(proxy.master_key, observed),
        "license": {"active": True, "secretName": proxy.license_secret} if proxy.license_secret else {"active": False},
        **remembered(observed),
        "conditions": condition_list(
            [ready, key, *others, *finalizer_conditions(instance)], observed_conditions(observed), generation, now
        ),
    }


def resync_seconds(proxy: AttachedProxy, uid: str) -> int:
    """When to look again; 0 where only an edit can help."""
    if proxy.endpoint_problem:
        return resync.NEVER
    if proxy.sighting.pending:
        return resync.PENDING
    refused = proxy.sighting.health is not None and proxy.sighting.health.reach is Reach.REFUSED
    if proxy.ca_problem or proxy.master_key.problem or refused:
        return resync.jittered(resync.MISSING_REFERENCE, uid)
    good = proxy.sighting.health is not None and proxy.sighting.health.good
    return resync.jittered(resync.READY if good else resync.UNREACHABLE, uid)


def key_condition(proxy: AttachedProxy) -> Condition:
    """``MasterKeyAccepted``. Without an answer about the key it is Unknown, never a guess."""
    if proxy.master_key.problem:
        return MASTER_KEY_MISSING.because(proxy.master_key.problem)
    if proxy.endpoint_problem or proxy.ca_problem:
        return KEY_NOT_CHECKED.because("the proxy was not asked; the Ready condition says why")
    health, verdict = proxy.sighting.health, proxy.sighting.key
    if health is not None and not health.alive:
        return KEY_NOT_CHECKED.because("the proxy does not answer; the Ready condition says why")
    if verdict is None:
        return KEY_NOT_CHECKED.because("the proxy was asked and has not answered yet")
    if verdict.state is KeyState.ACCEPTED:
        return KEY_ACCEPTED.because("the proxy accepts the master key")
    if verdict.state is KeyState.UNKNOWN:
        return KEY_NOT_CHECKED.because(f"the proxy {verdict.detail}")
    source = proxy.master_key
    return MASTER_KEY_REJECTED.because(
        f"the proxy refuses the key in Secret {source.secret_name}, key {source.key}: {verdict.detail}; "
        "put the proxy's master key there"
    )


def database_condition(proxy: AttachedProxy) -> Condition:
    """``DatabaseReady``: true in the sense that nothing of ours is in the way."""
    message = "the workload is unmanaged: the proxy owns its database and schema"
    if proxy.ignored.database:
        message += f"; {_are(proxy.ignored.database)} ignored"
    if "spec.database.migration" in proxy.ignored.database:
        message += ", no migration Job is run"
    return DATABASE_UNMANAGED.because(message)


@lru_cache(maxsize=1024)
def _decided(proxy: AttachedProxy) -> tuple[Condition, ...]:
    """Ready, MasterKeyAccepted and the others. Remembered, because nearly every sync finds the facts of the last one."""
    return ready_condition(proxy), key_condition(proxy), database_condition(proxy), *_told_if_any(proxy)


def _verdict_pending(proxy: AttachedProxy) -> bool:
    """Whether an alive proxy was asked about a key that it has not judged yet."""
    health = proxy.sighting.health
    alive = health is not None and health.alive
    return alive and proxy.sighting.pending and proxy.sighting.key is None and not proxy.master_key.problem


def _told_if_any(proxy: AttachedProxy) -> Iterator[Condition]:
    inert = [*proxy.ignored.sections, *(["license injection"] if proxy.license_secret else [])]
    if inert:
        yield CONFIG_SETTINGS_IGNORED.because(f"{_ignored(inert)}; the proxy owns its own configuration")
    if proxy.ignored.settings:
        yield PROXY_NOT_MANAGED.because(f"{_ignored(proxy.ignored.settings)}; Palena does not run this proxy")
    if proxy.retained:
        yield MANAGED_BEFORE.because(
            f"kept as they are from when Palena ran this proxy: {shortened(proxy.retained)}. To hand one over, remove its "
            "controller-uid label, and Metacontroller lets it go; to remove it, kubectl delete it, but no Secret that the spec "
            "refers to and no volume. Deleting this object deletes what was not handed over, unless with --cascade=orphan"
        )


def _ignored(names: Sequence[str]) -> str:
    return f"{_are(names)} ignored while workload.managed is false"


def _are(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last} are" if most else f"{last} is"


def _master_key(source: MasterKeySource, observed: Any) -> Object:
    """Where it is. Of a Secret that is gone the last version stays: whoever still knows that one may need it to delete."""
    place = {"secretName": source.secret_name, "key": source.key}
    version = source.resource_version or _last_version(place, observed)
    return {**place, **({"resourceVersion": version} if version else {})}


def _last_version(place: Object, observed: Any) -> str:
    before: Any = cast("Object", observed).get("masterKey") if isinstance(observed, dict) else None
    fields = cast("Object", before) if isinstance(before, dict) else {}
    version: Any = fields.get("resourceVersion")
    return version if isinstance(version, str) and {**fields, **place} == fields else ""
