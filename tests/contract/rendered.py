"""The fullest configuration that needs no service outside and no licence, as it is rendered for a gateway.

Made of the samples whose configurations are reviewed in ``tests/golden/proxyconfig``, without what an unlicensed proxy does not
start with or, under ``allowedRoutes``, does not answer.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from app.proxyconfig import config, config_text
from app.proxyconfig.secret_names import guardrail_variable, pass_through_variables
from tests.contract.peer.proxy import Configuration
from tests.unit.proxyconfig.samples import ACCESS, GENERAL, JWT, cache, guardrail, instance, secret

if TYPE_CHECKING:
    from app.apis.litellm.guardrail import LiteLLMGuardrailSpec

NOWHERE = "http://127.0.0.1:1"
KEY = secret("guardrail")

GUARDRAILS: tuple[LiteLLMGuardrailSpec, ...] = (
    guardrail(guardrailName="presidio", params={"pii_entities_config": {"CREDIT_CARD": "MASK"}}),
    guardrail(
        guardrailName="own-service",
        provider="generic_guardrail_api",
        mode="post_call",
        apiBase=NOWHERE,
        apiKeySecretRef=KEY,
        unreachableFallback="fail_open",
        params={"level": 3},
    ),
    guardrail(guardrailName="own-class", provider="custom_guardrail", guardrailClass="custom.Words", mode="during_call"),
    guardrail(guardrailName="azure", provider="azure", apiBase=NOWHERE, apiKeySecretRef=KEY),
    guardrail(guardrailName="bedrock", provider="bedrock", params={"guardrailIdentifier": "id", "guardrailVersion": "1"}),
    guardrail(guardrailName="aporia", provider="aporia", mode="during_call", apiBase=NOWHERE, apiKeySecretRef=KEY),
    guardrail(guardrailName="lakera", provider="lakera", apiBase=NOWHERE, apiKeySecretRef=KEY),
    guardrail(guardrailName="guardrails-ai", provider="guardrails_ai", apiBase=NOWHERE, params={"guard_name": "g"}),
)

CUSTOM = """
from typing import Literal
from litellm.integrations.custom_guardrail import CustomGuardrail
from litellm.integrations.custom_logger import CustomLogger

class Words(CustomGuardrail):
    pass

logged = CustomLogger()

async def generate(data):
    return {"decision": True}

def validate(token: dict) -> Literal[True]:
    return True
"""
SIGN_IN = "async def user_of(answer):\n    return None\n"


def sections(release: str) -> dict[str, Any]:
    """The spec's sections for a release."""
    chosen = deepcopy({**GENERAL, **ACCESS, **cache("local")})
    # The peer has no package of a logging service.
    chosen["callbacks"] = {"types": ["custom.logged"]}
    # The probes' routes are not among them: those are added.
    chosen["rbac"]["allowedRoutes"] = ["/key/generate", "/guardrails/list", "/cache/ping", "/router/settings", "/v1/rerank"]
    # Without a licence every release refuses to start with an allow-list, and the oldest with authenticated pass-through.
    del chosen["security"], chosen["passThroughEndpoints"][0]["auth"]
    chosen["passThroughEndpoints"][0]["target"] = NOWHERE
    # Without a licence the oldest release answers no request at all once tokens are accepted.
    return chosen if release == "oldest" else {**chosen, "jwtAuth": JWT["jwtAuth"], "oauth2Auth": JWT["oauth2Auth"]}


def rendered(release: str) -> Configuration:
    """The configuration, and the variables that the pod would have."""
    spec = instance(**sections(release))
    keys = [variable.name for one in GUARDRAILS if (variable := guardrail_variable(one)) is not None]
    headers = [header.variable.name for one in pass_through_variables(spec.pass_through_endpoints or []) for header in one]
    presidio = {"PRESIDIO_ANALYZER_API_BASE": NOWHERE, "PRESIDIO_ANONYMIZER_API_BASE": NOWHERE}
    return Configuration(
        "rendered",
        config_text(config(spec, GUARDRAILS)),
        dict.fromkeys([*keys, *headers], "value") | presidio | {"SLACK_WEBHOOK_URL": NOWHERE, "STORE_MODEL_IN_DB": "True"},
        {"custom.py": CUSTOM, "custom_sso_handlers/sign_in.py": SIGN_IN},
    )
