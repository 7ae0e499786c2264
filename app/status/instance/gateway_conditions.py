"""Conditions of a managed gateway that are there only where they have something to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.status.instance.gateway_reasons import (
    API_NOT_INSTALLED,
    DATA_KEPT,
    ENTERPRISE_FEATURES,
    GUARDRAILS_APPLIED,
    GUARDRAILS_LEFT_OUT,
    GUARDRAILS_WAITING,
    LAST_GOOD_GUARDRAILS_SERVED,
    PULL_SECRET_MISSING,
    REDIS_CONFIGURED,
    REDIS_CONNECTED,
    REDIS_DISCONNECTED,
    REDIS_NOT_CHECKED,
    REFERENCES_MISSING,
    REFERENCES_UNREADABLE,
    SETTINGS_QUESTIONABLE,
    TAKEN_OVER,
)
from app.status.instance.words import ignored_words, shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.status.instance.gateway import ManagedGateway
    from app.status.reason import Condition


def told_conditions(gateway: ManagedGateway) -> Iterator[Condition]:
    """All of them, each at most once."""
    for step in _STEPS:
        if (condition := step(gateway)) is not None:
            yield condition


def _children(gateway: ManagedGateway) -> Condition | None:
    """One condition for every object that is not as asked for; the first problem gives the reason."""
    if not gateway.problems:
        return None
    return gateway.problems[0].reason.because("; ".join(problem.message for problem in gateway.problems))


def _takeover(gateway: ManagedGateway) -> Condition | None:
    if gateway.takeover is None or not gateway.takeover.differing:
        return None
    return TAKEN_OVER.because(
        "the pods that were taken over run on as they are, with their configuration. An edit of the spec replaces them, or "
        f"{gateway.takeover.agree}. What would change in their template: {shortened(gateway.takeover.differing)}"
    )


def _references(gateway: ManagedGateway) -> Condition | None:
    if gateway.missing:
        missing = "; ".join((*gateway.missing, *gateway.missing_pull_secrets))
        return REFERENCES_MISSING.because(f"{missing}; running pods are kept as they are")
    if gateway.missing_pull_secrets:
        told = "; ".join((*gateway.missing_pull_secrets, *gateway.unreadable))
        return PULL_SECRET_MISSING.because(f"{told}; images are pulled without it")
    if gateway.unreadable:
        return REFERENCES_UNREADABLE.because("; ".join(gateway.unreadable))
    return None


def _guardrails(gateway: ManagedGateway) -> Condition | None:
    spoilt = [note for note in gateway.guardrails if note.problem]
    if spoilt:
        all_served = all(note.served for note in spoilt)
        told = (f"{note.name} is {'served as it last was' if note.served else 'left out'}: {note.problem}" for note in spoilt)
        return (LAST_GOOD_GUARDRAILS_SERVED if all_served else GUARDRAILS_LEFT_OUT).because("; ".join(told))
    if waiting := [note.name for note in gateway.guardrails if not note.served]:
        return GUARDRAILS_WAITING.because(
            f"the configuration that runs does not have {shortened(waiting)} yet; the condition RolloutComplete says why"
        )
    if gateway.guardrails:
        return GUARDRAILS_APPLIED.because(shortened([note.name for note in gateway.guardrails]))
    return None


def _redis(gateway: ManagedGateway) -> Condition | None:
    if not gateway.redis:
        return None
    if not gateway.redis_behind_cache:
        return REDIS_CONFIGURED.because("the proxy is told of Redis; it is not behind the cache, so it is not asked about")
    if gateway.cache is None:
        return REDIS_NOT_CHECKED.because("the proxy was not asked about the Redis behind its cache")
    if gateway.cache.connected:
        return REDIS_CONNECTED.because("the proxy reaches the Redis behind its cache")
    return REDIS_DISCONNECTED.because(f"the proxy {gateway.cache.trouble}")


def _enterprise(gateway: ManagedGateway) -> Condition | None:
    if gateway.license_secret or not gateway.enterprise_features:
        return None
    return ENTERPRISE_FEATURES.because(f"{', '.join(gateway.enterprise_features)} need a licence of LiteLLM Enterprise")


def _apis(gateway: ManagedGateway) -> Condition | None:
    if not gateway.missing_apis:
        return None
    return API_NOT_INSTALLED.because(f"nothing is made for {', '.join(gateway.missing_apis)}: the API's add-on is not installed")


def _warnings(gateway: ManagedGateway) -> Condition | None:
    ignored = (f"LiteLLMGuardrail {note.name} {ignored_words(note.ignored)}" for note in gateway.guardrails if note.ignored)
    told = (*gateway.warnings, *ignored)
    return SETTINGS_QUESTIONABLE.because("; ".join(told)) if told else None


def _kept(gateway: ManagedGateway) -> Condition | None:
    if not gateway.kept:
        return None
    return DATA_KEPT.because(
        f"kept although the spec no longer asks for it: {shortened(gateway.kept)}. Delete it by hand once nobody needs what it "
        "holds; deleting this object deletes it, unless with --cascade=orphan"
    )


_STEPS: tuple[Callable[[ManagedGateway], Condition | None], ...] = (
    _children,
    _takeover,
    _references,
    _guardrails,
    _redis,
    _enterprise,
    _apis,
    _warnings,
    _kept,
)
