"""Reasons of the condition ``InitialPasswordApplied`` of a LiteLLMUser. Nothing of a password counts for ``Ready``."""

from __future__ import annotations

from app.status.reason import Reason

_PASSWORD = "InitialPasswordApplied"  # noqa: S105 (a condition's type)
PASSWORD_APPLIED = Reason(_PASSWORD, "True", "Applied", "The password in the Secret is the last one that was set.", "Nothing.")
PASSWORD_SECRET_NOT_FOUND = Reason(
    _PASSWORD,
    "False",
    "SecretNotFound",
    "The Secret of spec.initialPasswordSecretRef does not exist; everything else of the user is in LiteLLM.",
    "Create the Secret that the message names; the password is set by itself then.",
)
PASSWORD_SECRET_KEY_MISSING = Reason(
    _PASSWORD,
    "False",
    "SecretKeyMissing",
    "The Secret of spec.initialPasswordSecretRef lacks the key, or holds nothing usable under it.",
    "Put the password under the key that the message names.",
)
PASSWORD_SECRET_FETCH_FAILED = Reason(
    _PASSWORD,
    "False",
    "SecretFetchFailed",
    "The Secret of spec.initialPasswordSecretRef could not be read from the cluster just now.",
    "Wait; if it lasts, see whether Palena may get Secrets in this namespace.",
)
PASSWORD_REJECTED = Reason(
    _PASSWORD,
    "False",
    "PasswordRejected",
    "LiteLLM does not take the password, which stays as it was.",
    "Put a password into the Secret that LiteLLM takes: newer releases want 12 characters of several kinds.",
)
PASSWORD_APPLY_FAILED = Reason(
    _PASSWORD,
    "False",
    "ApplyFailed",
    "LiteLLM could not be told of the password just now.",
    "Wait: it is told again after half a minute. If it lasts, look at the proxy's log.",
)

PASSWORD_REASONS = (
    PASSWORD_APPLIED,
    PASSWORD_SECRET_NOT_FOUND,
    PASSWORD_SECRET_KEY_MISSING,
    PASSWORD_SECRET_FETCH_FAILED,
    PASSWORD_REJECTED,
    PASSWORD_APPLY_FAILED,
)
