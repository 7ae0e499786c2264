"""What a LiteLLMGuardrail asks for. What the gateway makes of it is in ``app/proxyconfig/guardrails.py``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.apis.core import EnvVar
from app.apis.section import Section
from app.apis.types import InstanceRef, Json, SecretKeyRef

Provider = Literal[
    "aporia",
    "lakera",
    "bedrock",
    "presidio",
    "guardrails_ai",
    "azure",
    "llm_guard",
    "llamaguard",
    "google_text_moderation",
    "custom_guardrail",
    "generic_guardrail_api",
]

Mode = Literal["pre_call", "post_call", "during_call", "logging_only"]


class LiteLLMGuardrailSpec(Section):
    """A check of what goes into a model or comes out of it."""

    instance_ref: InstanceRef
    guardrail_name: Annotated[str, Field(min_length=1)]
    """Name in LiteLLM, by which requests, keys and teams choose it."""
    provider: Provider
    """Who checks."""
    guardrail_class: str | None = None
    """Dotted path of a Python class in the image; custom_guardrail needs it, and only it may have one."""
    unreachable_fallback: Literal["fail_closed", "fail_open"] | None = None
    """Refuse requests, or let them pass, while the service does not answer; for generic_guardrail_api only."""
    mode: Mode
    """When it runs: before the call, after it, beside it, or only on what is logged."""
    api_key_secret_ref: SecretKeyRef | None = None
    """Secret key with the provider's API key."""
    api_base: str | None = None
    """URL of the provider; generic_guardrail_api needs it."""
    default_on: bool | None = None
    """Run it on every request, asked for or not."""
    params: dict[str, Json] | None = None
    """More parameters of the provider. A parameter that has a field here is ignored."""
    env_vars: list[EnvVar] | None = None
    """More environment variables of the proxy, for what the provider's client reads."""
