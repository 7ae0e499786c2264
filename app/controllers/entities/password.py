"""The first password of a user for the Admin UI: set once, and again only when the value in its Secret changes.

The status keeps a digest of what was set, the Go operator's: bcrypt over the hexadecimal SHA-256, so that no password is too
long. It takes a while on purpose and is made in a thread, and only after something of the user has changed.
"""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import bcrypt

from app.controllers.entities.unsettled import RETRY, Unsettled
from app.litellm.admin.calls import Call
from app.litellm.admin.errors import AdminError, DatabaseDown, KeyRejected, ServerFault, Unreachable
from app.status.entity.password_reasons import (
    PASSWORD_APPLIED,
    PASSWORD_APPLY_FAILED,
    PASSWORD_REJECTED,
    PASSWORD_SECRET_FETCH_FAILED,
    PASSWORD_SECRET_KEY_MISSING,
    PASSWORD_SECRET_NOT_FOUND,
)
from app.status.entity.reasons import SECRET_FETCH_FAILED, SECRET_KEY_MISSING, SECRET_NOT_FOUND

if TYPE_CHECKING:
    from app.apis.litellm.user import LiteLLMUserSpec
    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Object
    from app.litellm.admin.client import Admin
    from app.status.reason import Condition

DIGEST = "initialPasswordDigest"
"""The field of the status."""

_ROUNDS = 10
"""What the Go operator takes: some 50 milliseconds."""

_TROUBLES = {
    SECRET_NOT_FOUND: PASSWORD_SECRET_NOT_FOUND,
    SECRET_KEY_MISSING: PASSWORD_SECRET_KEY_MISSING,
    SECRET_FETCH_FAILED: PASSWORD_SECRET_FETCH_FAILED,
}
_LATER = (Unreachable, DatabaseDown, KeyRejected, ServerFault)


@dataclass(frozen=True, slots=True)
class Found:
    """What the spec's Secret says. Nothing of it counts for ``Synced``."""

    value: str = field(default="", repr=False)
    conditions: tuple[Condition, ...] = ()
    """Why there is no value although the spec names one."""
    again: int = 0
    """Seconds after which to look again for that reason."""


@dataclass(frozen=True, slots=True)
class Applied:
    """What came of setting it."""

    condition: Condition
    fields: Object = field(default_factory=dict[str, Any])
    again: int = 0
    """Seconds after which to set it again."""


async def find(setting: Setting[LiteLLMUserSpec]) -> Found:
    """The password of the spec, or why there is none."""
    reference = setting.spec.initial_password_secret_ref
    if reference is None:
        return Found()
    try:
        return Found(await setting.secret_text(reference.name, reference.key, "spec.initialPasswordSecretRef"))
    except Unsettled as unsettled:
        reason = _TROUBLES[unsettled.reason]
        again = RETRY if reason is PASSWORD_SECRET_FETCH_FAILED else 0
        return Found(conditions=(reason.because(unsettled.message),), again=again)


async def apply(admin: Admin, user: str, password: str, digest: Any) -> Applied:
    """Sets the password unless the digest is of it. It is sent alone: a new user takes none, and an edit is not to repeat it."""
    if isinstance(digest, str) and await asyncio.to_thread(matches, password, digest):
        return Applied(PASSWORD_APPLIED.because("the password in the Secret was set, and is not set again while it is the same"))
    try:
        body = {"user_id": user, "password": password}
        await admin.ask(Call("POST", "/user/update", body=body, secrets=(password,)))
    except _LATER as error:
        return Applied(PASSWORD_APPLY_FAILED.because(f"LiteLLM {error}"), again=RETRY)
    except AdminError as error:
        return Applied(PASSWORD_REJECTED.because(f"LiteLLM {error}"))
    made = await asyncio.to_thread(digest_of, password)
    return Applied(PASSWORD_APPLIED.because("the password in the Secret was set"), {DIGEST: made})


def digest_of(password: str) -> str:
    """A digest of the password, each time another one."""
    return bcrypt.hashpw(_hashed(password), bcrypt.gensalt(_ROUNDS)).decode()


def matches(password: str, digest: str) -> bool:
    """Whether the digest is of the password; not if it is none."""
    try:
        return bcrypt.checkpw(_hashed(password), digest.encode())
    except ValueError:
        return False


def _hashed(password: str) -> bytes:
    return hashlib.sha256(password.encode()).hexdigest().encode()
