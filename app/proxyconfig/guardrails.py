"""``guardrails``: one entry a LiteLLMGuardrail, and which of them can have one.

LiteLLM starts *without* a guardrail that it does not understand and only writes that to its log, or does not start at all. So an
object that it would not understand is refused here, where its user sees it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.proxyconfig.secret_names import SecretVariable, guardrail_variable, reference
from app.proxyconfig.table import is_empty

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.apis.litellm.guardrail import LiteLLMGuardrailSpec
    from app.hooks.objects import Object

INTEGRATION = {
    "aporia": "aporia",
    "azure": "azure/prompt_shield",
    "bedrock": "bedrock",
    "generic_guardrail_api": "generic_guardrail_api",
    "guardrails_ai": "guardrails_ai",
    "lakera": "lakera",
    "presidio": "presidio",
}
"""LiteLLM's name of each provider. The API also lists llm_guard, llamaguard and google_text_moderation: LiteLLM has no such
guardrail. Custom guardrails are named by their class."""

MODES = {
    "aporia": ("during_call", "post_call"),
    "azure": ("pre_call", "during_call"),
    "bedrock": ("pre_call", "during_call", "post_call"),
    "generic_guardrail_api": ("pre_call", "during_call", "post_call"),
    "guardrails_ai": ("pre_call", "post_call", "logging_only"),
    "lakera": ("pre_call", "during_call"),
    "presidio": ("pre_call", "during_call", "post_call", "logging_only"),
}
"""When each provider can run: ``supported_event_hooks`` of its class in LiteLLM 1.108. A custom class decides for itself."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A LiteLLMGuardrail of the instance."""

    name: str
    """Name of the object."""
    created: str
    """Its creationTimestamp."""
    spec: LiteLLMGuardrailSpec


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a candidate is not rendered."""

    candidate: Candidate
    reason: str
    """Reason of its Ready condition."""
    message: str


@dataclass(frozen=True, slots=True)
class Choice:
    """What becomes of the candidates."""

    rendered: tuple[Candidate, ...]
    """Oldest first."""
    refused: tuple[Refusal, ...]


def choose(candidates: Iterable[Candidate]) -> Choice:
    """The candidates that are rendered: valid ones, and of two with one variable but different keys the older."""
    rendered: list[Candidate] = []
    refused: list[Refusal] = []
    holders: dict[str, tuple[Candidate, SecretVariable]] = {}
    for candidate in sorted(candidates, key=lambda candidate: (candidate.created, candidate.name)):
        variable = guardrail_variable(candidate.spec)
        if (problem := flaw(candidate.spec)) is not None:
            refused.append(Refusal(candidate, *problem))
        elif variable is not None and holders.setdefault(variable.name, (candidate, variable))[1] != variable:
            holder = holders[variable.name][0].name
            message = (
                f"its API key would be the variable {variable.name}, which has the key of the older LiteLLMGuardrail {holder}; "
                "choose a guardrailName that differs in more than punctuation and case"
            )
            refused.append(Refusal(candidate, "GuardrailNameCollision", message))
        else:
            rendered.append(candidate)
    return Choice(tuple(rendered), tuple(refused))


def flaw(spec: LiteLLMGuardrailSpec) -> tuple[str, str] | None:
    """Reason and message of the first thing that is wrong with a guardrail by itself."""
    custom = spec.provider == "custom_guardrail"
    if custom and not spec.guardrail_class:
        return "GuardrailClassRequired", "spec.guardrailClass is required with provider custom_guardrail"
    if custom and "." not in (spec.guardrail_class or ""):
        return "GuardrailClassRequired", "spec.guardrailClass has to be a dotted path: module.Class"
    if spec.guardrail_class and not custom:
        return "GuardrailClassNotAllowed", "spec.guardrailClass is only for provider custom_guardrail"
    if spec.provider == "generic_guardrail_api" and not spec.api_base:
        return "APIBaseRequired", "spec.apiBase is required with provider generic_guardrail_api"
    if spec.unreachable_fallback and spec.provider != "generic_guardrail_api":
        return "UnreachableFallbackNotAllowed", "spec.unreachableFallback is only for provider generic_guardrail_api"
    if not custom and spec.provider not in INTEGRATION:
        known = ", ".join([*INTEGRATION, "custom_guardrail"])
        return "ProviderNotSupported", f"LiteLLM has no guardrail of this spec.provider; it has {known}"
    if not custom and spec.mode not in MODES[spec.provider]:
        return "ModeNotSupported", f"with this provider spec.mode can be {', '.join(MODES[spec.provider])}"
    return None


def entry(spec: LiteLLMGuardrailSpec) -> Object:
    """The entry of a guardrail without flaws. Parameters never replace what has a field of its own."""
    variable = guardrail_variable(spec)
    settings = {
        "guardrail": spec.guardrail_class if spec.provider == "custom_guardrail" else INTEGRATION[spec.provider],
        "mode": spec.mode,
        "api_key": reference(variable.name) if variable is not None else None,
        "api_base": spec.api_base,
        "default_on": spec.default_on,
        "unreachable_fallback": spec.unreachable_fallback,
    }
    parameters = spec.params or {}
    if spec.provider == "generic_guardrail_api" and parameters:
        parameters = {"additional_provider_specific_params": parameters}
    own = {key: value for key, value in settings.items() if not is_empty(value)}
    return {"guardrail_name": spec.guardrail_name, "litellm_params": {**parameters, **own}}
