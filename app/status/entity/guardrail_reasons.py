"""Every reason of a LiteLLMGuardrail's ``Ready`` that other kinds do not have: the Go operator's, as far as it has them."""

from __future__ import annotations

from app.status.reason import READY, Reason

VALIDATED = Reason(
    READY,
    "True",
    "Validated",
    "The guardrail is valid, and what it refers to is there; status.configured tells whether the proxy's configuration has it.",
    "Nothing.",
)
GUARDRAIL_CLASS_REQUIRED = Reason(
    READY,
    "False",
    "GuardrailClassRequired",
    "The provider custom_guardrail needs the dotted path of a class.",
    "Set spec.guardrailClass to the module and the class, as in my_guardrails.Check.",
)
GUARDRAIL_CLASS_NOT_ALLOWED = Reason(
    READY,
    "False",
    "GuardrailClassNotAllowed",
    "spec.guardrailClass is set, and the provider is not custom_guardrail.",
    "Take spec.guardrailClass out, or set spec.provider to custom_guardrail.",
)
API_BASE_REQUIRED = Reason(
    READY,
    "False",
    "APIBaseRequired",
    "The provider generic_guardrail_api needs the URL of a service.",
    "Set spec.apiBase.",
)
UNREACHABLE_FALLBACK_NOT_ALLOWED = Reason(
    READY,
    "False",
    "UnreachableFallbackNotAllowed",
    "spec.unreachableFallback is set, and the provider is not generic_guardrail_api.",
    "Take spec.unreachableFallback out.",
)
PROVIDER_NOT_SUPPORTED = Reason(
    READY,
    "False",
    "ProviderNotSupported",
    "LiteLLM has no guardrail of this provider, and would start without it.",
    "Choose a provider that the message names.",
)
MODE_NOT_SUPPORTED = Reason(
    READY,
    "False",
    "ModeNotSupported",
    "The provider's guardrail cannot run in this mode; LiteLLM would start without it, or not at all.",
    "Choose a mode that the message names.",
)
SECRET_REF_INVALID = Reason(
    READY,
    "False",
    "SecretRefInvalid",
    "spec.apiKeySecretRef names what no Secret can be called, or no key of one.",
    "Correct the name or the key.",
)
ENV_VAR_INVALID = Reason(
    READY,
    "False",
    "EnvVarInvalid",
    "An entry of spec.envVars is none that Kubernetes takes for a variable.",
    "Correct the entry that the message names.",
)
INSTANCE_UNMANAGED = Reason(
    READY,
    "False",
    "InstanceUnmanaged",
    "The LiteLLMInstance attaches to a proxy that owns its own configuration, and guardrails are part of that.",
    "Configure the guardrail at the proxy, or name an instance that Palena runs.",
)
GUARDRAIL_NAME_COLLISION = Reason(
    READY,
    "False",
    "GuardrailNameCollision",
    "Its API key would be read from the variable that holds the key of an older guardrail, so it is left out.",
    "Choose a spec.guardrailName that differs from the older one's in more than punctuation and case.",
)
GUARDRAIL_VARIABLE_COLLISION = Reason(
    READY,
    "False",
    "GuardrailVariableCollision",
    "Its spec.envVars sets a variable that an older guardrail of the same gateway sets otherwise, so it is left out.",
    "Give both the same value, or name another instance in one of them.",
)
GUARDRAIL_LEFT_OUT = Reason(
    READY,
    "False",
    "GuardrailLeftOut",
    "The LiteLLMInstance leaves the guardrail out of the proxy's configuration; the message says why.",
    "Do what the message says.",
)

FLAWS = {
    reason.reason: reason
    for reason in (
        GUARDRAIL_CLASS_REQUIRED,
        GUARDRAIL_CLASS_NOT_ALLOWED,
        API_BASE_REQUIRED,
        UNREACHABLE_FALLBACK_NOT_ALLOWED,
        PROVIDER_NOT_SUPPORTED,
        MODE_NOT_SUPPORTED,
        SECRET_REF_INVALID,
        ENV_VAR_INVALID,
    )
}
"""What can be wrong with a guardrail by itself, by the names that its gateway has for it."""

COLLISIONS = {reason.reason: reason for reason in (GUARDRAIL_NAME_COLLISION, GUARDRAIL_VARIABLE_COLLISION)}
"""How it can be at odds with an older one, by the same names."""

GUARDRAIL_REASONS = (VALIDATED, *FLAWS.values(), INSTANCE_UNMANAGED, *COLLISIONS.values(), GUARDRAIL_LEFT_OUT)
