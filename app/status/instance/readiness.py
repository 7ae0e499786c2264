"""``Ready`` of an attached proxy: a chain of small decisions, the first that has something to say wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.apis.litellm.sighting import Reach
from app.status.instance.reasons import (
    ENDPOINT_INVALID,
    ENDPOINT_NOT_ALLOWED,
    PROBE_PENDING,
    PROXY_NOT_REACHABLE,
    PROXY_REACHABLE,
    READINESS_PROBE_FAILED,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.status.instance.proxy import AttachedProxy
    from app.status.reason import Condition

    Step = Callable[[AttachedProxy], Condition | None]


def ready_condition(proxy: AttachedProxy) -> Condition:
    """The condition. Without any health it is ``Unknown/ProbePending``."""
    return next(condition for step in CHAIN if (condition := step(proxy)) is not None)


def usable(condition: Condition) -> bool:
    """``status.ready``: entities may work. A failing readiness route does not stop them, as in the Go operator of ADR 6."""
    return condition.reason in {PROXY_REACHABLE.reason, READINESS_PROBE_FAILED.reason}


def _endpoint_invalid(proxy: AttachedProxy) -> Condition | None:
    if not proxy.endpoint_problem:
        return None
    return ENDPOINT_INVALID.because(proxy.endpoint_problem)


def _ca_unusable(proxy: AttachedProxy) -> Condition | None:
    if not proxy.ca_problem:
        return None
    return PROXY_NOT_REACHABLE.because(f"the proxy at {proxy.endpoint} was not asked: {proxy.ca_problem}")


def _endpoint_refused(proxy: AttachedProxy) -> Condition | None:
    health = proxy.sighting.health
    if health is None or health.reach is not Reach.REFUSED:
        return None
    return ENDPOINT_NOT_ALLOWED.because(
        f"{proxy.endpoint} leads to {health.trouble}, which Palena does not connect to; "
        "an administrator can permit it with PALENA_ENDPOINT_ALLOW"
    )


def _key_missing(proxy: AttachedProxy) -> Condition | None:
    key = proxy.master_key
    if not key.problem:
        return None
    hint = (
        "; spec.masterKey.autoGenerate makes no key while workload.managed is false, the key must come from secretRef"
        if key.auto_generate
        else ""
    )
    return PROXY_NOT_REACHABLE.because(
        f"master key unavailable: {key.problem} (spec.masterKey.secretRef names Secret {key.secret_name}, key {key.key})"
        f"{hint}; {_liveliness(proxy)}"
    )


def _pending(proxy: AttachedProxy) -> Condition | None:
    if proxy.sighting.health is not None:
        return None
    return PROBE_PENDING.because(f"{proxy.endpoint} was asked and has not answered yet")


def _unreachable(proxy: AttachedProxy) -> Condition | None:
    health = proxy.sighting.health
    if health is None or health.alive:
        return None
    return PROXY_NOT_REACHABLE.because(f"{proxy.endpoint} {health.trouble}")


def _not_ready(proxy: AttachedProxy) -> Condition | None:
    health = proxy.sighting.health
    if health is None or not health.readiness_trouble:
        return None
    return READINESS_PROBE_FAILED.because(f"{proxy.endpoint} is alive, but {health.readiness_trouble}")


def _reachable(proxy: AttachedProxy) -> Condition:
    return PROXY_REACHABLE.because(f"{proxy.endpoint} answers")


CHAIN: tuple[Step, ...] = (
    _endpoint_invalid,
    _ca_unusable,
    _endpoint_refused,
    _key_missing,
    _pending,
    _unreachable,
    _not_ready,
    _reachable,
)


def _liveliness(proxy: AttachedProxy) -> str:
    health = proxy.sighting.health
    if health is None:
        return f"{proxy.endpoint} has not answered /health/liveliness yet"
    return f"{proxy.endpoint} answers /health/liveliness" if health.alive else f"{proxy.endpoint} {health.trouble}"
