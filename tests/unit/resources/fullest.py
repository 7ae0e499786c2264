"""Two gateways that between them ask for every object and use every field that reaches a pod."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.hooks.objects import Object


def _key(name: str) -> Object:
    return {"name": name, "key": "value"}


FULLEST: Object = {
    "image": {"tag": "v1.108.14", "pullSecrets": [{"name": "registry"}]},
    "replicas": 3,
    "autoscaling": {"enabled": True, "maxReplicas": 5, "targetCPUUtilization": 70, "targetMemoryUtilization": 80},
    "masterKey": {"autoGenerate": True},
    "saltKey": {"autoGenerate": True},
    "database": {
        "managed": {"enabled": True, "storageSize": "1024Mi", "storageClassName": "fast"},
        "migration": {"enabled": True, "timeout": "5m"},
        "tls": {"caSecretRef": {"name": "db-ca"}, "clientCertSecretRef": {"name": "db-client"}},
    },
    "redis": {"enabled": True, "host": "redis.db.svc", "passwordSecretRef": _key("redis")},
    "service": {"type": "LoadBalancer", "port": 80},
    "serviceAccount": {"annotations": {"eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/gw"}, "labels": {"team": "ml"}},
    "deployment": {"annotations": {"reloader.stakater.com/auto": "true"}},
    "podScheduling": {
        "nodeSelector": {"pool": "cpu"},
        "tolerations": [{"key": "dedicated", "operator": "Equal", "value": "llm", "effect": "NoSchedule"}],
        "affinity": {
            "podAntiAffinity": {
                "preferredDuringSchedulingIgnoredDuringExecution": [
                    {
                        "weight": 100,
                        "podAffinityTerm": {
                            "topologyKey": "kubernetes.io/hostname",
                            "labelSelector": {"matchLabels": {"app.kubernetes.io/name": "litellm"}},
                        },
                    }
                ]
            }
        },
    },
    "ingress": {
        "enabled": True,
        "host": "llm.example.com",
        "ingressClassName": "nginx",
        "tls": {"enabled": True, "secretName": "llm-tls"},
        "annotations": {"nginx.ingress.kubernetes.io/proxy-read-timeout": "600"},
    },
    "security": {
        "runAsNonRoot": True,
        "networkPolicy": {"enabled": True, "allowedNamespaces": ["apps", "monitoring"]},
    },
    "healthCheck": {"livenessInitialDelay": 20, "readinessInitialDelay": 0, "startupFailureThreshold": 60},
    "resources": {"requests": {"cpu": "1000m", "memory": "1024Mi"}, "limits": {"memory": "2Gi"}},
    "podDisruptionBudget": {"enabled": True, "maxUnavailable": 1},
    "topologySpreadConstraints": [
        {
            "maxSkew": 1,
            "topologyKey": "topology.kubernetes.io/zone",
            "whenUnsatisfiable": "ScheduleAnyway",
            "labelSelector": {"matchLabels": {"app.kubernetes.io/name": "litellm"}},
        }
    ],
    "extraEnvVars": [{"name": "LITELLM_LOG", "value": "INFO"}, {"name": "NO_PROXY", "value": ""}],
    "extraEnvFrom": [{"configMapRef": {"name": "more"}}],
    "extraVolumes": [{"name": "plugins", "configMap": {"name": "plugins"}}],
    "extraVolumeMounts": [{"name": "plugins", "mountPath": "/app/plugins", "readOnly": True}],
    "callbacks": {"types": ["langfuse"], "envVars": [{"name": "LANGFUSE_HOST", "value": "http://langfuse"}]},
    "observability": {"grafanaDashboard": {"enabled": True, "labels": {"dashboards": "team"}}},
    "upgrade": {"strategy": "rolling", "maxUnavailable": 0, "maxSurge": 1, "healthCheckTimeout": "10m"},
    "sso": {
        "enabled": True,
        "provider": "generic-oidc",
        "clientId": _key("sso"),
        "clientSecret": _key("sso"),
        "authorizationEndpoint": "https://idp/auth",
        "tokenEndpoint": "https://idp/token",
        "userinfoEndpoint": "https://idp/userinfo",
        "userAttributeMappings": {
            "userId": "sub",
            "email": "email",
            "displayName": "name",
            "firstName": "given_name",
            "lastName": "family_name",
            "role": "role",
        },
        "customSsoHandler": {"configMapRef": {"name": "handler", "functionName": "handle"}},
        "logoutUrl": "https://idp/logout",
    },
    "scim": {"enabled": True},
    "jwtAuth": {"enabled": True, "publicKeyUrl": "https://idp/keys", "issuer": "https://idp", "audience": "llm"},
    "caching": {"enabled": True, "type": "redis", "redis": {"host": "cache", "passwordSecretRef": _key("cache")}},
    "passThroughEndpoints": [
        {"path": "/v1/x", "target": "https://x", "headerSecrets": [{"headerName": "Authorization", "secretRef": _key("x")}]}
    ],
    "secretManager": {
        "provider": "hashicorp_vault",
        "credentialsSecretRef": {"name": "vault"},
        "aws": {
            "region": "eu-west-1",
            "roleARN": "arn:aws:iam::1:role/x",
            "sessionName": "llm",
            "webIdentityTokenPath": "/var/run/secrets/token",
            "stsEndpoint": "https://sts.eu-west-1.amazonaws.com",
        },
        "azure": {"vaultURI": "https://v.vault.azure.net", "tenantID": "t"},
        "vault": {
            "address": "https://vault",
            "namespace": "ns",
            "authMethod": "token",
            "appRoleMountPath": "roles",
            "mountName": "kv",
            "pathPrefix": "llm",
            "refreshInterval": 60,
        },
    },
    "adminUI": {
        "disabled": True,
        "apiDocBaseURL": "https://docs",
        "docsURL": "/docs",
        "rootRedirectURL": "/ui",
        "logoURL": "https://logo",
        "emailLogoURL": "https://mail-logo",
        "emailSupportContact": "help@example.com",
        "colorThemeConfigMapRef": {"name": "colours"},
    },
    "tls": {
        "serverCertSecretRef": {"name": "server"},
        "trustedCASecretRef": {"name": "ca"},
        "clientCertSecretRef": {"name": "client"},
    },
}
"""Everything on: a managed database, an autoscaler, every credential from a Secret."""

ANOTHER: Object = {
    "image": {"repository": "registry.example.com/litellm", "tag": "sha256:" + "0" * 64, "pullPolicy": "Always"},
    "replicas": 0,
    "database": {
        "cloudnativepg": {"clusterName": "pg"},
        "migration": {
            "enabled": True,
            "useDatabaseImage": True,
            "databaseImage": {"repository": "registry.example.com/migrations", "tag": "v1", "pullPolicy": "Never"},
        },
    },
    "saltKey": {"secretRef": _key("salt")},
    "redis": {"enabled": True, "connectionSecretRef": _key("redis")},
    "ingress": {"enabled": True, "tls": {"enabled": True}},
    "security": {"networkPolicy": {"enabled": True}},
    "podDisruptionBudget": {"enabled": True},
    "upgrade": {"strategy": "recreate"},
    "sso": {
        "enabled": True,
        "provider": "azure-entra",
        "clientId": _key("sso"),
        "clientSecret": _key("sso"),
        "tenantId": "t",
    },
    "scim": {"enabled": True, "tokenSecretRef": _key("scim")},
    "resources": {},
}
"""The other branch of most choices."""
