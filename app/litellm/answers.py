"""What LiteLLM's health routes tell, read from their answers. Pure.

The routes differ between releases (1.81 discloses its version to everyone, later ones only when told to) and between
kinds of keys; ``tests/cases/litellm_health.yaml`` lists what the real proxy says. No text of an answer is passed on: 1.81
repeats the last characters and the hash of a refused key.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import orjson

from app.apis.litellm.sighting import CacheVerdict, KeyState, KeyVerdict

if TYPE_CHECKING:
    from app.hooks.objects import Object

LIVELINESS = "/health/liveliness"
READINESS = "/health/readiness"
LICENSE = "/health/license"
"""Open to admins only and cheap, on every release: how to learn whether a key is the master key."""
CACHE_PING = "/cache/ping"
"""Open to admins only: whether the proxy reaches the Redis behind its cache."""

_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+_-]{0,63}", re.ASCII)
_HOST = re.compile(r"[0-9a-z._:-]{1,253}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Answer:
    """The parts of an HTTP answer that we read."""

    status: int
    content_type: str = ""
    location: str = ""
    body: bytes = b""

    @property
    def web_page(self) -> bool:
        """Whether a browser is meant to show it: a login page or an ingress, not LiteLLM."""
        return "html" in self.content_type.lower() or self.body.lstrip()[:1] == b"<"

    def fields(self) -> Object:
        """The JSON object of the body; empty for anything else."""
        try:
            value: Any = orjson.loads(self.body)
        except orjson.JSONDecodeError:
            return {}
        return cast("Object", value) if isinstance(value, dict) else {}


def liveliness_trouble(answer: Answer) -> str:
    """Why this is not the answer of an alive proxy; empty when it is."""
    if 300 <= answer.status < 400 and answer.location:
        return f"redirects to {_destination(answer.location)}; redirects are not followed"
    if answer.status != 200:
        return f"answered {answer.status} to {LIVELINESS}"
    if answer.web_page:
        return f"answered {LIVELINESS} with a web page"
    return ""


def readiness_trouble(answer: Answer) -> str:
    """Why an alive proxy is not ready; empty when it is, and for answers that tell nothing (401, 404, a redirect).

    The body's ``status`` says "healthy" even without a database, so only the code counts.
    """
    if answer.status < 500:
        return ""
    database = "; its database is disconnected" if answer.fields().get("db") == "disconnected" else ""
    return f"answered {answer.status} to {READINESS}{database}"


def disclosed_version(answer: Answer) -> str:
    """``litellm_version``, or nothing unless the proxy discloses it."""
    version = answer.fields().get("litellm_version") if answer.status == 200 else None
    return version if isinstance(version, str) and _VERSION.fullmatch(version) else ""


def key_verdict(answer: Answer) -> KeyVerdict:
    """What the answer to a keyed read of :data:`LICENSE` says about the key."""
    if answer.status == 200:
        if answer.fields():
            return KeyVerdict(KeyState.ACCEPTED)
        return KeyVerdict(KeyState.UNKNOWN, f"answered {LICENSE} with something other than a JSON object")
    error = answer.fields().get("error")
    message = str(cast("Object", error).get("message", "")) if isinstance(error, dict) else ""
    if "expired key" in message.lower():
        return KeyVerdict(KeyState.REJECTED, "the key has expired")
    if answer.status not in {401, 403}:
        return KeyVerdict(KeyState.UNKNOWN, f"answered {answer.status} to {LICENSE}")
    if "reach database server" in message:
        return KeyVerdict(KeyState.UNKNOWN, "cannot look up keys: its database is unreachable")
    if "proxy admin" in message:
        return KeyVerdict(KeyState.REJECTED, "the proxy knows the key, but it is a virtual key and no admin's")
    if "expected to start with" in message:
        return KeyVerdict(KeyState.REJECTED, "the key does not begin with sk- and is not the master key")
    return KeyVerdict(KeyState.REJECTED, f"the proxy does not know the key ({answer.status})")


def _destination(location: str) -> str:
    """Scheme and host of a ``Location``, without the rest: a query may carry a token."""
    try:
        url = urlsplit(location)
        host = url.hostname or ""
    except ValueError:
        return "a place that cannot be read"
    if not host:
        return "another path of the same host"
    if not _HOST.fullmatch(host):
        return "a place that cannot be read"
    return f"{url.scheme}://{host}" if url.scheme in {"http", "https"} else host


def cache_verdict(answer: Answer) -> CacheVerdict:
    """What the answer to a keyed read of :data:`CACHE_PING` says about the Redis behind the cache."""
    if answer.status != 200:
        return CacheVerdict(connected=False, trouble=f"answered {answer.status} to {CACHE_PING}")
    fields = answer.fields()
    if fields.get("ping_response") is True or fields.get("status") == "healthy":
        return CacheVerdict(connected=True)
    return CacheVerdict(connected=False, trouble=f"answered {CACHE_PING} without a ping from Redis")
