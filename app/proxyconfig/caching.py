"""``litellm_settings.cache`` and ``cache_params``: the parameters of ``litellm.caching.Cache``, by backend.

Differences to what the names suggest: Google Cloud Storage has keys of its own, Qdrant is ``qdrant-semantic``, and both semantic
caches refuse to start without a ``similarity_threshold``, which the API has no field for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.proxyconfig.findings import Cause, Finding
from app.proxyconfig.secret_names import (
    CACHE_GCS_SERVICE_ACCOUNT_JSON,
    CACHE_QDRANT_API_KEY,
    CACHE_REDIS_PASSWORD,
    CACHE_S3_ACCESS_KEY_ID,
    CACHE_S3_SECRET_ACCESS_KEY,
    REDIS_PASSWORD,
    REDIS_URL,
    reference,
)
from app.proxyconfig.table import Setting, field, filled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object

SIMILARITY_THRESHOLD = 0.8
"""How alike two prompts must be, from 0 to 1, to get one answer. The value of LiteLLM's own examples."""

REDIS_PORT = 6379

QDRANT_COLLECTION = "litellm-cache"
"""Where ``caching.qdrant.collectionName`` names none; LiteLLM demands one."""


def cache_type(name: str) -> str:
    """LiteLLM's name of a backend."""
    return "qdrant-semantic" if name == "qdrant" else name


def opt_in(mode: str) -> str | None:
    """``default_off``, or nothing."""
    return mode if mode == "default_off" else None


COMMON = (
    Setting("caching.type", "type", form=cache_type),
    Setting("caching.ttl", "ttl"),
    Setting("caching.namespace", "namespace"),
    Setting("caching.supportedCallTypes", "supported_call_types"),
    Setting("caching.mode", "mode", form=opt_in),
)

SHARED_REDIS = (
    Setting("redis.host", "host", when="redis.enabled"),
    Setting("redis.port", "port", when="redis.enabled"),
    Setting("redis.passwordSecretRef", "password", when="redis.enabled", form=lambda _: reference(REDIS_PASSWORD)),
)
"""``spec.redis`` by host. By URL nothing is written: the proxy finds REDIS_URL by itself."""

OWN_REDIS = (
    Setting("caching.redis.host", "host"),
    Setting("caching.redis.port", "port"),
    Setting("caching.redis.passwordSecretRef", "password", form=lambda _: reference(CACHE_REDIS_PASSWORD)),
    Setting("caching.redis.ssl", "ssl"),
)

S3 = (
    Setting("caching.s3.bucketName", "s3_bucket_name"),
    Setting("caching.s3.region", "s3_region_name"),
    Setting("caching.s3.credentialsSecretRef", "s3_aws_access_key_id", form=lambda _: reference(CACHE_S3_ACCESS_KEY_ID)),
    Setting("caching.s3.credentialsSecretRef", "s3_aws_secret_access_key", form=lambda _: reference(CACHE_S3_SECRET_ACCESS_KEY)),
)

GCS = (
    Setting("caching.gcs.bucketName", "gcs_bucket_name"),
    # Takes the JSON itself as well as a path.
    Setting(
        "caching.gcs.credentialsSecretRef",
        "gcs_path_service_account",
        form=lambda _: reference(CACHE_GCS_SERVICE_ACCOUNT_JSON),
    ),
)

QDRANT = (
    Setting("caching.qdrant.url", "qdrant_api_base"),
    Setting("caching.qdrant.apiKeySecretRef", "qdrant_api_key", form=lambda _: reference(CACHE_QDRANT_API_KEY)),
    Setting("caching.qdrant.collectionName", "qdrant_collection_name"),
)

_BY_TYPE = {"s3": S3, "gcs": GCS, "qdrant": QDRANT}


def cache(spec: Object) -> Object:
    """The cache's part of ``litellm_settings``; empty while it is off, or where its backend is not told."""
    if field(spec, "caching.enabled") is not True or _lacking(spec):
        return {}
    kind = spec["caching"]["type"]
    if kind in ("redis", "redis-semantic"):
        parameters = filled(spec, COMMON) | _redis(spec, semantic=kind == "redis-semantic")
    else:
        parameters = filled(spec, COMMON, _BY_TYPE.get(kind, ()))
    if kind in ("qdrant", "redis-semantic"):
        parameters["similarity_threshold"] = SIMILARITY_THRESHOLD
    if kind == "qdrant":
        parameters.setdefault("qdrant_collection_name", QDRANT_COLLECTION)
    return {"cache": True, "cache_params": parameters}


def _redis(spec: Object, *, semantic: bool) -> Object:
    # A host of its own is another server: the shared one's password must not be sent there.
    shared = () if field(spec, "caching.redis.host") or not _by_host(spec) else SHARED_REDIS
    connection = filled(spec, shared, OWN_REDIS)
    if "host" in connection:
        connection.setdefault("port", REDIS_PORT)
    if not semantic or "password" in connection:
        return connection
    # The semantic cache demands a password beside a host, but takes a URL without one.
    if "host" not in connection:
        return connection | ({"redis_url": reference(REDIS_URL)} if field(spec, "redis.connectionSecretRef") else {})
    scheme = "rediss" if connection.get("ssl") else "redis"
    return {"redis_url": f"{scheme}://{connection['host']}:{connection['port']}"}


def _by_host(spec: Object) -> bool:
    """Whether the shared Redis is told by host: a URL counts before it."""
    return bool(field(spec, "redis.host")) and field(spec, "redis.connectionSecretRef") is None


def told(spec: Object) -> Iterator[Finding]:
    """A cache that is asked for and can't be had."""
    if field(spec, "caching.enabled") is True and (lacking := _lacking(spec)):
        yield Finding(Cause.LEFT_OUT, "spec.caching", f"is asked for, but {lacking} is not set; the proxy runs without a cache")


def _lacking(spec: Object) -> str:
    kind = spec["caching"]["type"]
    if kind in _BY_TYPE:
        return "" if field(spec, f"caching.{kind}") is not None else f"spec.caching.{kind}"
    if kind == "local" or _has_redis(spec):
        return ""
    return "spec.redis or spec.caching.redis.host"


def _has_redis(spec: Object) -> bool:
    shared = field(spec, "redis.enabled") is True and (field(spec, "redis.host") or field(spec, "redis.connectionSecretRef"))
    variables = {variable.get("name") for variable in field(spec, "extraEnvVars") or ()}
    # What extraEnvFrom brings is not known here: it may well be the address.
    by_user = variables & {"REDIS_HOST", REDIS_URL, "REDIS_CLUSTER_NODES"} or field(spec, "extraEnvFrom")
    return bool(shared or field(spec, "caching.redis.host") or by_user)
