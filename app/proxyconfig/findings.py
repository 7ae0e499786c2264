"""What a user should know about the rendering of a spec: facts, from which conditions are made."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Cause(StrEnum):
    """Why a setting is not simply rendered."""

    EXTRA_IGNORED = "extra key ignored"
    """A raw key of an ``extra`` map that the spec sets otherwise."""
    OVERRIDDEN = "overridden"
    """Another field sets the same thing differently, and wins."""
    NOT_READ = "not read by LiteLLM"
    """No release of LiteLLM that we know reads the setting."""
    LEFT_OUT = "left out"
    """LiteLLM would not start with the value, so the proxy is run without it."""
    PREVENTS_START = "prevents the start"
    """LiteLLM will not start with the value. It is rendered all the same: it is a restriction, and must not vanish."""
    REFUSES_REQUESTS = "refuses requests"
    """LiteLLM starts, and then refuses requests because of the value."""
    NOT_ENFORCED = "not enforced"
    """LiteLLM starts, and lets pass what the value is to hold back."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One such fact."""

    cause: Cause
    field: str
    """Where it is in the object: ``spec.generalSettings.extra.max_budget``."""
    text: str
    """Why, and what to do, as the rest of a sentence after the field. Never quotes a value of the spec."""
