"""Tells one request from another without keeping either: a keyed hash, since requests hold provider keys and passwords."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import orjson


def fingerprint(key: str, request: Any) -> str:
    """Of JSON; the same for the same content in whatever order. Keyed with the master key, so that nobody can guess back."""
    body = orjson.dumps(request, option=orjson.OPT_SORT_KEYS)
    return hmac.new(key.encode(), body, hashlib.sha256).hexdigest()[:32]


def with_place(instance: str, uid: str, digest: str) -> str:
    """A fingerprint that tells at which LiteLLMInstance, and for which object, too."""
    return f"{_short(instance)}.{_short(uid)}.{digest}"


def is_of(told: str, uid: str) -> bool:
    """Whether what was told is known to have been told for the object of that uid, and not for one that it was restored from."""
    return told.count(".") > 1 and told.split(".")[1] == _short(uid)


def is_elsewhere(told: str, instance: str) -> bool:
    """Whether what was told is known to have been told at another LiteLLMInstance."""
    place, dot, _ = told.partition(".")
    return bool(dot) and place != _short(instance)


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
