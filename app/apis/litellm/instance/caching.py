"""``spec.caching``: answers that are given again without asking the model."""

from __future__ import annotations

from typing import Literal

from app.apis.section import Section
from app.apis.types import SecretKeyRef


class CacheRedis(Section):
    """A Redis of the cache's own."""

    host: str | None = None
    """Host; absent means spec.redis."""
    port: int | None = None
    """Port."""
    password_secret_ref: SecretKeyRef | None = None
    """Secret key with the password."""
    ssl: bool | None = None
    """Use TLS."""


class CacheS3(Section):
    """An S3 bucket."""

    bucket_name: str
    """Name of the bucket."""
    region: str | None = None
    """Region of the bucket."""
    credentials_secret_ref: SecretKeyRef | None = None
    """Secret with aws_access_key_id and aws_secret_access_key; absent means the pod's own identity."""


class CacheGCS(Section):
    """A Google Cloud Storage bucket."""

    bucket_name: str
    """Name of the bucket."""
    credentials_secret_ref: SecretKeyRef | None = None
    """Secret key with the service account's JSON; absent means the pod's own identity."""


class CacheQdrant(Section):
    """A Qdrant server, which finds similar requests."""

    url: str
    """URL of the server."""
    api_key_secret_ref: SecretKeyRef | None = None
    """Secret key with the API key."""
    collection_name: str | None = None
    """Collection."""


class Caching(Section):
    """The proxy's cache of answers."""

    enabled: bool
    """Use the cache."""
    type: Literal["redis", "s3", "gcs", "local", "qdrant", "redis-semantic"] = "redis"
    """Where answers are kept."""
    ttl: int = 600
    """Seconds that an answer is kept."""
    namespace: str | None = None
    """Prefix of the cache's keys."""
    supported_call_types: list[str] | None = None
    """Kinds of calls that are cached; absent means LiteLLM's own choice."""
    mode: Literal["default_on", "default_off"] = "default_on"
    """Whether a request is cached unless it says no, or only if it says yes."""
    redis: CacheRedis | None = None
    s3: CacheS3 | None = None
    gcs: CacheGCS | None = None
    qdrant: CacheQdrant | None = None
