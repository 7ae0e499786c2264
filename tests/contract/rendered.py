"""Configurations that are rendered for a gateway: the file, and the variables of its pod.

``fullest`` needs no service outside and no licence. It is made of the samples whose configurations are reviewed in
``tests/golden/proxyconfig``, without what an unlicensed proxy does not start with or, under ``allowedRoutes``, does not answer.
``with_redis`` has what needs a Redis.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from app.proxyconfig import config, config_text
from app.resources.environment.proxy import proxy_environment
from tests.contract.peer.proxy import Configuration
from tests.unit.proxyconfig.samples import ACCESS, GENERAL, JWT, cache, guardrail, secret
from tests.unit.resources.gateways import MINIMAL, gateway

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.apis.litellm.guardrail import LiteLLMGuardrailSpec
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway
    from tests.contract.peer.provider import Provider
    from tests.contract.peer.redis import Redis

NOWHERE = "http://127.0.0.1:1"
KEY = secret("guardrail")
PRESIDIO = [{"name": f"PRESIDIO_{part}_API_BASE", "value": NOWHERE} for part in ("ANALYZER", "ANONYMIZER")]

GUARDRAILS: tuple[LiteLLMGuardrailSpec, ...] = (
    guardrail(guardrailName="presidio", params={"pii_entities_config": {"CREDIT_CARD": "MASK"}}, envVars=PRESIDIO),
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
    return {"decision": data.key_alias != "refused", "message": "not under this name"}

def validate(token: dict) -> Literal[True]:
    return True
"""
SIGN_IN = "async def user_of(answer):\n    return None\n"

READ_BACK = (
    "/cache/ping",
    "/config/list",
    "/config/pass_through_endpoint",
    "/get/config/callbacks",
    "/get/default_team_settings",
    "/get/internal_user_settings",
    "/guardrails/list",
    "/provider/budgets",
    "/router/settings",
)
"""Routes by which a proxy says what it took in."""

PASS_THROUGH = "/providers/rerank"
"""Not ``/v1/rerank``: before a path of LiteLLM's own the endpoint does not come."""
POOL = 7
"""Database connections of a proxy with Redis."""


def fullest(release: str) -> Configuration:
    """What a release's proxy starts with."""
    chosen: dict[str, Any] = deepcopy({**GENERAL, **ACCESS, **cache("local")})
    chosen["database"] |= MINIMAL["database"]
    chosen["saltKey"] = {"secretRef": secret("salt")}
    # The peer has no package of a logging service.
    chosen["callbacks"] = {"types": ["custom.logged"], "envVars": [{"name": "SLACK_WEBHOOK_URL", "value": NOWHERE}]}
    # The probes' routes are not among them: those are added.
    chosen["rbac"]["allowedRoutes"] = ["/key/generate", "/v1/rerank", *READ_BACK]
    # Without a licence every release refuses to start with an allow-list, and the oldest with authenticated pass-through.
    del chosen["security"], chosen["passThroughEndpoints"][0]["auth"]
    chosen["passThroughEndpoints"][0]["target"] = NOWHERE
    # Without a licence the oldest release answers no request at all once tokens are accepted.
    if release != "oldest":
        chosen |= {"jwtAuth": JWT["jwtAuth"], "oauth2Auth": JWT["oauth2Auth"]}
    made = gateway(chosen, guardrails=GUARDRAILS)
    files = {"custom.py": CUSTOM, "custom_sso_handlers/sign_in.py": SIGN_IN}
    return configuration("rendered", made, {}, files)


def with_redis(redis: Redis, provider: Provider) -> Configuration:
    """With answers, rate limits and spend in Redis, few database connections, and a pass-through endpoint to the provider."""
    spec = {
        "redis": shared(redis),
        "caching": {"enabled": True, "ttl": 60, "namespace": "gw", "supportedCallTypes": ["acompletion"]},
        "routerSettings": {"routingStrategy": "usage-based-routing-v2"},
        "generalSettings": {"proxyBatchWriteAt": 1, "extra": {"use_redis_transaction_buffer": True}},
        "database": {**MINIMAL["database"], "connectionPool": {"maxConnections": POOL}},
        "passThroughEndpoints": [
            {
                "path": PASS_THROUGH,
                "target": f"{provider.address}/v1/rerank",
                "headerSecrets": [{"headerName": "Authorization", "prefix": "Bearer ", "secretRef": secret("provider")}],
                "defaultQueryParams": {"version": "2"},
            }
        ],
    }
    made = gateway(spec)
    secrets = {("redis", "key"): redis.password, ("provider", "key"): provider.key}
    return configuration("redis", made, secrets)


def redis_alone(redis: Redis) -> Configuration:
    """Of a gateway that is told of a Redis and caches nothing."""
    return configuration("redis-alone", gateway({"redis": shared(redis)}), {("redis", "key"): redis.password})


def shared(redis: Redis) -> Object:
    """``spec.redis``."""
    return {"enabled": True, "host": "127.0.0.1", "port": redis.port, "passwordSecretRef": secret("redis")}


def configuration(
    label: str, made: Gateway, secrets: Mapping[tuple[str, str], str], files: Mapping[str, str] | None = None
) -> Configuration:
    """The file and the variables of a gateway's pod. ``secrets`` are values by Secret and key; others are made up."""
    text = config_text(config(made.spec, made.guardrails))
    return Configuration(label, text, variables(made, secrets), dict(files or {}))


def variables(made: Gateway, secrets: Mapping[tuple[str, str], str]) -> dict[str, str]:
    """The variables as a kubelet would resolve them."""
    found: dict[str, str] = {}
    for entry in proxy_environment(made):
        source: Mapping[str, str] | None = entry.get("valueFrom", {}).get("secretKeyRef")
        found[entry["name"]] = entry.get("value", "") if source is None else secrets.get((source["name"], source["key"]), "value")
    return found


def entries(made: Sequence[LiteLLMGuardrailSpec]) -> list[str]:
    """The guardrails' names in LiteLLM, sorted."""
    return sorted(one.guardrail_name for one in made)
