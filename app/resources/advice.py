"""What a spec asks for that does nothing, or does more than one may want. Told in a condition; nothing is refused for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.resources.attachment_advice import attachment_advice
from app.resources.environment.proxy import MASTER_KEY_VARIABLE, proxy_environment
from app.resources.generated_secrets import wants_master_key
from app.resources.image import MOVING_TAGS, proxy_tag
from app.resources.migration_job import migration_hash

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.resources.gateway import Gateway


@dataclass(frozen=True, slots=True)
class Advice:
    """One remark."""

    field: str
    """Path in the parent, e.g. ``spec.image.tag``."""
    message: str
    """The rest of a sentence about it."""


def advice(gateway: Gateway) -> tuple[Advice, ...]:
    """All remarks, in a fixed order. Raises :class:`app.resources.errors.Unbuildable` as the environment does."""
    return (
        *_master_key(gateway),
        *_debugging(gateway),
        *_moving_tag(gateway),
        *_budget(gateway),
        *_database(gateway),
        *_redis(gateway),
        *_scim(gateway),
        *(Advice(field, message) for field, message in attachment_advice(gateway)),
    )


def _master_key(gateway: Gateway) -> Iterator[Advice]:
    """Without one LiteLLM 1.81 lets everybody in, and 1.108 and 1.110 do not start, both tried; 1.104 was the first."""
    if gateway.spec.master_key.secret_ref is not None or wants_master_key(gateway):
        return
    own = any(variable["name"] == MASTER_KEY_VARIABLE for variable in proxy_environment(gateway))
    effect = "nothing that needs the admin API works"
    if not own:
        effect = f"LiteLLM lets everybody in, or from 1.104 on does not start, and {effect}"
    yield Advice("spec.masterKey", f"names no key, so {effect}; set secretRef or autoGenerate: true")


def _debugging(gateway: Gateway) -> Iterator[Advice]:
    levels = [variable.get("value") for variable in proxy_environment(gateway) if variable["name"] == "LITELLM_LOG"]
    if any(str(level).upper() == "DEBUG" for level in levels):
        yield Advice("spec.extraEnvVars", "sets LITELLM_LOG to DEBUG, with which LiteLLM writes keys into its log")


def _moving_tag(gateway: Gateway) -> Iterator[Advice]:
    """Where upgrades are to wait for migrations, the condition UpgradesGated tells of the tag instead."""
    tag = proxy_tag(gateway)
    if tag in MOVING_TAGS and not migration_hash(gateway):
        yield Advice("spec.image.tag", f"is {tag}, which moves, so a new image under it goes unnoticed; pin a release")


def _budget(gateway: Gateway) -> Iterator[Advice]:
    budget = gateway.spec.pod_disruption_budget
    if budget and budget.enabled and budget.min_available is not None and budget.max_unavailable is not None:
        yield Advice("spec.podDisruptionBudget.maxUnavailable", "does nothing beside minAvailable")


def _database(gateway: Gateway) -> Iterator[Advice]:
    database = gateway.spec.database
    wanted = {
        "external": database.external is not None,
        "cloudnativepg": database.cloudnativepg is not None,
        "managed": database.managed is not None and database.managed.enabled,
    }
    first, *others = [name for name, given in wanted.items() if given] or [""]
    for name in others:
        yield Advice(f"spec.database.{name}", f"does nothing beside spec.database.{first}")
    if not first:
        yield Advice("spec.database", "names no database, so keys, teams and models are kept nowhere")


def _redis(gateway: Gateway) -> Iterator[Advice]:
    redis = gateway.spec.redis
    if redis and redis.enabled and not redis.host and redis.connection_secret_ref is None:
        yield Advice("spec.redis", "is on but has neither connectionSecretRef nor host, so no Redis is used")


def _scim(gateway: Gateway) -> Iterator[Advice]:
    if gateway.spec.scim and gateway.spec.scim.enabled:
        yield Advice("spec.scim", "gives the proxy a token that LiteLLM itself does not read: its SCIM API takes virtual keys")
