"""``guardrails``: one entry a LiteLLMGuardrail, and which of them can have one.

LiteLLM starts *without* a guardrail that it does not understand and only writes that to its log, or does not start at all. So an
object that it would not understand is refused here, where its user sees it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from app.proxyconfig.secret_names import guardrail_variable, reference
from app.proxyconfig.table import is_empty
from app.proxyconfig.variables import reference_flaw, variable_content, variable_problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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
    """The candidates that are rendered: valid ones, and of two that set one variable to different things the older."""
    rendered: list[Candidate] = []
    refused: list[Refusal] = []
    holders: dict[str, _Holder] = {}
    for candidate in sorted(candidates, key=lambda candidate: (candidate.created, candidate.name)):
        variables = _variables(candidate.spec)
        problem = flaw(candidate.spec) or _collision(candidate.spec, variables, holders)
        if problem is not None:
            refused.append(Refusal(candidate, *problem))
        else:
            rendered.append(candidate)
            holders = {name: _Holder(candidate.name, content) for name, content in variables.items()} | holders
    return Choice(tuple(rendered), tuple(refused))


class _Holder(NamedTuple):
    """Who has a variable, and what is in it."""

    name: str
    content: Object


def _variables(spec: LiteLLMGuardrailSpec) -> dict[str, Object]:
    """What a guardrail has in the proxy's environment, by name; of two entries of one name the first counts."""
    found: dict[str, Object] = {}
    if (key := guardrail_variable(spec)) is not None:
        found[key.name] = {"valueFrom": {"secretKeyRef": {"name": key.secret, "key": key.key}}}
    for entry in spec.env_vars or ():
        found.setdefault(str(entry.get("name")), variable_content(entry))
    return found


def _collision(spec: LiteLLMGuardrailSpec, variables: dict[str, Object], holders: dict[str, _Holder]) -> tuple[str, str] | None:
    """Reason and message of the first variable that an older guardrail has set otherwise."""
    key = guardrail_variable(spec)
    for name, content in variables.items():
        holder = holders.get(name)
        if holder is None or holder.content == content:
            continue
        if key is not None and key.name == name:
            return "GuardrailNameCollision", (
                f"its API key would be the variable {name}, which has the key of the older LiteLLMGuardrail {holder.name}; "
                "choose a guardrailName that differs in more than punctuation and case"
            )
        return "GuardrailVariableCollision", (
            f"spec.envVars sets the variable {name} otherwise than the older LiteLLMGuardrail {holder.name} does, and the proxy "
            "has one environment for all; give both the same, or have them checked by two instances"
        )
    return None


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
    if (key := spec.api_key_secret_ref) and (found := reference_flaw(key.name, key.key)):
        return "SecretRefInvalid", f"spec.apiKeySecretRef.{found[0]} {found[1]}"
    for index, variable in enumerate(spec.env_vars or ()):
        if (found := variable_problem(variable) or _of_a_volume(variable)) is not None:
            place, problem = found
            return "EnvVarInvalid", f"{f'spec.envVars[{index}].{place}'.removesuffix('.')} {problem}"
    return None


def _of_a_volume(variable: Mapping[str, Any]) -> tuple[str, str] | None:
    """The API server takes no pod with a variable from a volume that the pod lacks, and only the gateway brings volumes."""
    source: dict[str, Any] = variable.get("valueFrom") or {}
    if source.get("fileKeyRef"):
        return "valueFrom.fileKeyRef", "is of a volume, and a guardrail brings none; set the variable in the gateway"
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
