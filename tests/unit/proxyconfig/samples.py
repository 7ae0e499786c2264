"""Specs that set everything the configuration is made of. Some fields exclude each other, so there are several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.apis.checking import check_spec
from app.apis.litellm.guardrail import LiteLLMGuardrailSpec
from app.apis.litellm.instance import LiteLLMInstanceSpec

if TYPE_CHECKING:
    from app.hooks.objects import Object

REQUIRED: Object = {"masterKey": {"autoGenerate": True}, "database": {}}


def instance(**sections: Any) -> LiteLLMInstanceSpec:
    """The checked spec with these sections beside the required ones."""
    spec = check_spec(LiteLLMInstanceSpec, REQUIRED | sections)
    assert isinstance(spec, LiteLLMInstanceSpec), spec
    return spec


def guardrail(**fields: Any) -> LiteLLMGuardrailSpec:
    """A guardrail with these fields: presidio before the call, unless they say otherwise."""
    base = {"instanceRef": {"name": "gw"}, "guardrailName": "pii", "provider": "presidio", "mode": "pre_call"}
    spec = check_spec(LiteLLMGuardrailSpec, base | fields)
    assert isinstance(spec, LiteLLMGuardrailSpec), spec
    return spec


def secret(name: str, key: str = "key") -> Object:
    return {"name": name, "key": key}


GENERAL: Object = {
    "generalSettings": {
        "proxyBatchWriteAt": 60,
        "masterKeyRequired": True,
        "alertTypes": ["llm_exceptions", "budget_alerts"],
        "alerting": ["slack"],
        "alertingThreshold": 300,
        "alertToWebhookUrl": {"budget_alerts": "https://hooks.example/budget"},
        "backgroundHealthChecks": False,
        "healthCheckInterval": 300,
        "healthCheckDetails": True,
        "healthCheckSkipDisabledModels": True,
        "customKeyGenerate": "custom.generate",
        "allowUserAuth": False,
        "maxBudget": "1000.50",
        "budgetDuration": "30d",
        "globalMaxParallelRequests": 100,
        "budgetReschedulerMinTime": 597,
        "budgetReschedulerMaxTime": 605,
        "extra": {"disable_spend_logs": True},
    },
    "litellmSettings": {"jsonLogs": True, "checkProviderEndpoint": True, "extra": {"drop_params": True}},
    "routerSettings": {
        "routingStrategy": "least-busy",
        "numRetries": 0,
        "timeout": 600,
        "streamTimeout": 60,
        "retryAfter": 5,
        "allowedFails": 3,
        "cooldownTime": 30,
        "retryPolicy": {"RateLimitErrorRetries": 3},
        "modelGroupRetryPolicy": {"gpt-4o": {"TimeoutErrorRetries": 2}},
        "enableTagFiltering": True,
        "tagFilteringMatchAny": False,
        "defaultMaxParallelRequests": 20,
        "providerBudgetConfig": {"openai": {"budgetLimit": "100", "timePeriod": "1d"}},
        "enablePreCallChecks": True,
        "modelGroupAlias": {"gpt-4": "gpt-4o"},
    },
    "fallbacks": {
        "defaultFallbacks": ["claude-haiku"],
        "modelFallbacks": [{"model": "gpt-4o", "fallbacks": ["claude-sonnet", "gpt-4o-mini"]}],
        "contentPolicyFallbacks": [{"model": "gpt-4o", "fallbacks": ["claude-sonnet"]}],
        "contextWindowFallbacks": [{"model": "gpt-4o-mini", "fallbacks": ["gpt-4o"]}],
        "maxFallbacks": 2,
    },
    "database": {"connectionPool": {"maxConnections": 20}},
    "callbacks": {"types": ["prometheus"]},
    "defaultCustomerBudget": {"maxBudget": 10.0, "budgetId": "default"},
    "logging": {
        "auditLogs": {"enabled": True, "retentionDays": 90},
        "turnOffMessageLogging": True,
        "redactUserApiKeyInfo": True,
        "spendLogRetention": {"maxRetentionPeriod": "30d", "cleanupInterval": "1d"},
    },
    "adminUI": {"adminOnly": True, "storeModelInDB": True, "defaultTeamDisabled": True},
}

ACCESS: Object = {
    "security": {
        "ipAllowlist": {
            "enabled": True,
            "allowedIPs": ["10.0.0.0/8"],
            "useXForwardedFor": True,
            "maxRequestSizeMB": 8,
            "maxResponseSizeMB": 16,
        }
    },
    "sso": {
        "enabled": True,
        "provider": "okta",
        "clientId": secret("sso", "id"),
        "clientSecret": secret("sso", "secret"),
        "teamIdsJwtField": "teams",
        "defaultUserParams": {
            "maxBudget": 5.0,
            "budgetDuration": "30d",
            "models": ["gpt-4o-mini"],
            "userRole": "internal_user_viewer",
            "teams": [{"teamId": "everyone", "maxBudgetInTeam": 2.5, "role": "admin"}],
        },
        "defaultTeamParams": {
            "maxBudget": 50.0,
            "budgetDuration": "7d",
            "models": ["gpt-4o"],
            "tpmLimit": 1000,
            "rpmLimit": 10,
        },
        "customSsoHandler": {"configMapRef": {"name": "handlers", "fileName": "sign_in.py", "functionName": "user_of"}},
    },
    "rbac": {
        "enabled": True,
        "adminOnlyRoutes": ["/model/new"],
        "allowedRoutes": ["/chat/completions", "/key/info"],
        "keyGeneration": {
            "teamKeyGeneration": {"allowedTeamMemberRoles": ["admin"]},
            "personalKeyGeneration": {"allowedUserRoles": ["proxy_admin"]},
        },
        "rolePermissions": {
            "internal_user": {"routes": ["/key/info"], "models": ["gpt-4o"]},
            "team": {"routes": ["openai_routes"]},
        },
        "defaultTeamDisabled": True,
    },
    "passThroughEndpoints": [
        {
            "path": "/v1/rerank",
            "target": "https://api.cohere.example/v1/rerank",
            "auth": True,
            "forwardHeaders": True,
            "includeSubpath": True,
            "methods": ["POST"],
            "headers": {"content-type": "application/json", "AUTHORIZATION": "replaced"},
            "headerSecrets": [{"headerName": "Authorization", "prefix": "Bearer ", "secretRef": secret("cohere")}],
            "defaultQueryParams": {"version": "2"},
        }
    ],
}

JWT: Object = {
    "jwtAuth": {
        "enabled": True,
        "publicKeyUrl": "https://idp.example/keys",
        "issuer": "https://idp.example",
        "audience": "litellm",
        "adminJwtScope": "litellm_admin",
        "adminAllowedRoutes": ["management_routes"],
        "teamIdJwtField": "team",
        "teamIdsJwtField": "groups",
        "teamAliasJwtField": "team_name",
        "teamIdDefault": "everyone",
        "teamAllowedRoutes": ["openai_routes"],
        "teamIdUpsert": True,
        "teamClaimFallback": True,
        "orgIdJwtField": "org",
        "orgAliasJwtField": "org_name",
        "userIdJwtField": "sub",
        "userIdUpsert": True,
        "userEmailJwtField": "email",
        "userRoleJwtField": "role",
        "userRolesJwtField": "roles",
        "userAllowedRoles": ["engineer"],
        "userAllowedEmailDomain": "example.com",
        "endUserIdJwtField": "customer",
        "objectIdJwtField": "oid",
        "rolesJwtField": "roles",
        "roleMappings": [{"role": "app.admin", "internalRole": "proxy_admin"}],
        "jwtLitellmRoleMap": [{"jwtRole": "ADMIN", "litellmRole": "proxy_admin"}],
        "enforceRbac": True,
        "enforceTeamBasedModelAccess": True,
        "enforceScopeBasedAccess": True,
        "scopeModelMappings": {"small": ["gpt-4o-mini"], "large": ["gpt-4o"]},
        "scopeMappings": [{"scope": "routes", "models": ["o3"], "routes": ["/chat/completions"]}],
        "syncUserRoleAndTeams": True,
        "customValidate": "custom.validate",
        "publicKeyTtl": 600,
        "virtualKeyClaimField": "key",
        "virtualKeyMappingCacheTtl": 60,
        "routingOverrides": [
            {"iss": "https://m2m.example", "clientId": "batch-*", "scope": "batch", "aud": "litellm", "path": "oauth2"}
        ],
        "oidcUserinfoEnabled": True,
        "oidcUserinfoEndpoint": "https://idp.example/userinfo",
        "oidcUserinfoCacheTtl": 120,
    },
    "oauth2Auth": {"enabled": True, "configMappings": [{"name": "team", "jwtField": "team", "litellmAttribute": "team_id"}]},
    "secretManager": {
        "provider": "aws_secret_manager",
        "hostedKeys": ["OPENAI_API_KEY"],
        "storeVirtualKeys": True,
        "prefixForStoredVirtualKeys": "litellm/",
        "accessMode": "read_and_write",
        "primarySecretName": "litellm",
        "aws": {
            "region": "eu-central-1",
            "roleARN": "arn:aws:iam::1:role/litellm",
            "sessionName": "litellm",
            "webIdentityTokenPath": "/var/run/token",
            "stsEndpoint": "https://sts.example",
        },
    },
}


def cache(kind: str, **more: Any) -> Object:
    """Sections with the cache on."""
    backend = {key: value for key, value in more.items() if key != "shared"}
    shared = {"redis": more["shared"]} if "shared" in more else {}
    caching = {
        "enabled": True,
        "type": kind,
        "ttl": 60,
        "namespace": "gw",
        "supportedCallTypes": ["acompletion"],
        "mode": "default_off",
    }
    return {"caching": caching | backend, **shared}


SHARED_REDIS: Object = {"enabled": True, "host": "redis.db.svc", "port": 6380, "passwordSecretRef": secret("redis")}

CACHES: dict[str, Object] = {
    "cache-redis-own": cache(
        "redis", redis={"host": "cache.db.svc", "port": 6381, "passwordSecretRef": secret("cache"), "ssl": True}
    ),
    "cache-redis-shared": cache("redis", shared=SHARED_REDIS),
    "cache-s3": cache("s3", s3={"bucketName": "answers", "region": "eu-central-1", "credentialsSecretRef": secret("aws")}),
    "cache-gcs": cache("gcs", gcs={"bucketName": "answers", "credentialsSecretRef": secret("gcs")}),
    "cache-qdrant": cache(
        "qdrant", qdrant={"url": "http://qdrant:6333", "apiKeySecretRef": secret("qdrant"), "collectionName": "answers"}
    ),
}

SAMPLES: dict[str, Object] = {"general": GENERAL, "access": ACCESS, "tokens": JWT, **CACHES}
"""By name; ``tests/golden/proxyconfig/<name>.yaml`` is what is made of each."""
