"""What LiteLLM before 1.108 makes of settings that it does not know yet.

Measured with 1.81.14, whose successors learnt them one by one; ``tests/contract`` holds it to that. The release is known by
``spec.image.tag`` only: a moving tag or a digest tells none, and then nothing is said.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.proxyconfig.findings import Cause, Finding
from app.proxyconfig.table import field, is_empty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object

KNOWN_SINCE = (1, 108)
"""The first release line that is known to read them all."""

_TAG = re.compile(r"(?:main-)?v?(\d+)\.(\d+)\.\d")
_BEFORE = "with LiteLLM before 1.108"
_NEWER = "set spec.image.tag to 1.108 or newer, or remove it"

UNKNOWN_TO_TOKENS = ("routingOverrides", "teamClaimFallback", "virtualKeyClaimField", "virtualKeyMappingCacheTtl")
"""Fields of ``jwtAuth`` whose keys 1.81.14 does not start with: "Invalid arguments provided"."""


def release_of(tag: str) -> tuple[int, int] | None:
    """The release line that a tag tells; None for a moving tag or a digest."""
    found = _TAG.match(tag)
    return (int(found[1]), int(found[2])) if found else None


def told(spec: Object) -> Iterator[Finding]:
    """Settings that an older release refuses, ignores, or treats as nobody would expect."""
    release = release_of(field(spec, "image.tag") or "")
    if release is None or release >= KNOWN_SINCE:
        return
    yield from _tokens(spec)
    yield from _pass_through(spec)
    if field(spec, "redis.enabled") is True and not _cached_in_redis(spec):
        text = f"has no effect {_BEFORE} unless the cache is in Redis: rate limits and the router's state stay in each pod"
        yield Finding(Cause.NOT_READ, "spec.redis", text)
    if field(spec, "generalSettings.healthCheckSkipDisabledModels") is not None:
        yield Finding(Cause.NOT_READ, "spec.generalSettings.healthCheckSkipDisabledModels", f"may not be read {_BEFORE}")


def _tokens(spec: Object) -> Iterator[Finding]:
    if field(spec, "jwtAuth.enabled") is not True:
        return
    for name in UNKNOWN_TO_TOKENS:
        if not is_empty(field(spec, f"jwtAuth.{name}")):
            yield Finding(Cause.PREVENTS_START, f"spec.jwtAuth.{name}", f"may keep the proxy from starting {_BEFORE}: {_NEWER}")


def _pass_through(spec: Object) -> Iterator[Finding]:
    for index, endpoint in enumerate(field(spec, "passThroughEndpoints") or ()):
        path = f"spec.passThroughEndpoints[{index}]"
        if not endpoint.get("auth"):
            text = f"is open to everybody who reaches the proxy {_BEFORE}, secret headers included: {_NEWER}"
            yield Finding(Cause.NOT_ENFORCED, path, text)
        if endpoint.get("defaultQueryParams"):
            yield Finding(Cause.NOT_READ, f"{path}.defaultQueryParams", f"may be lost {_BEFORE}")


def _cached_in_redis(spec: Object) -> bool:
    # A semantic cache is another client of Redis, which coordinates nothing.
    return field(spec, "caching.enabled") is True and field(spec, "caching.type") == "redis"
