"""Environment variables by which the configuration refers to secrets, and the Secret that each is read from.

The configuration says ``os.environ/NAME`` and the pod has the variable NAME: both sides take the names from here, so that they
cannot differ. No value is ever seen.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.apis.litellm.guardrail import LiteLLMGuardrailSpec
    from app.apis.litellm.instance import LiteLLMInstanceSpec
    from app.apis.litellm.instance.pass_through import PassThroughEndpoint
    from app.apis.types import HeaderSecret, SecretKeyRef

REDIS_URL = "REDIS_URL"
REDIS_PASSWORD = "REDIS_PASSWORD"  # noqa: S105 - the name of a variable
CACHE_REDIS_PASSWORD = "CACHE_REDIS_PASSWORD"  # noqa: S105 - the name of a variable
CACHE_S3_ACCESS_KEY_ID = "CACHE_S3_ACCESS_KEY_ID"
CACHE_S3_SECRET_ACCESS_KEY = "CACHE_S3_SECRET_ACCESS_KEY"  # noqa: S105 - the name of a variable
CACHE_GCS_SERVICE_ACCOUNT_JSON = "CACHE_GCS_SERVICE_ACCOUNT_JSON"
CACHE_QDRANT_API_KEY = "CACHE_QDRANT_API_KEY"

S3_ACCESS_KEY_ID = "aws_access_key_id"
S3_SECRET_ACCESS_KEY = "aws_secret_access_key"  # noqa: S105 - the name of a key
"""Keys in the Secret of ``caching.s3``, whatever key its reference names."""

_HASH_LENGTH = 8


@dataclass(frozen=True, slots=True)
class SecretVariable:
    """A variable of the proxy's container whose value is one key of a Secret."""

    name: str
    secret: str
    key: str


@dataclass(frozen=True, slots=True)
class HeaderVariable:
    """A secret header of a pass-through endpoint."""

    header: str
    prefix: str
    """Text in front of the value; empty without one."""
    variable: SecretVariable


def reference(variable: str) -> str:
    """How the configuration refers to a variable."""
    return f"os.environ/{variable}"


def sanitised(text: str) -> str:
    """The text as part of a variable's name: upper case, everything but letters and digits as ``_``."""
    return re.sub(r"[^A-Za-z0-9]", "_", text).upper()


def guardrail_variable(guardrail: LiteLLMGuardrailSpec) -> SecretVariable | None:
    """The variable with a guardrail's API key, where it has one. Two names may give one variable: see ``guardrails.choose``."""
    return _variable(f"GUARDRAIL_{sanitised(guardrail.guardrail_name)}_API_KEY", guardrail.api_key_secret_ref)


def pass_through_variables(endpoints: Sequence[PassThroughEndpoint]) -> list[list[HeaderVariable]]:
    """The secret headers of each endpoint, in the order of the spec.

    Names are ``PASSTHROUGH_<PATH>_<HEADER>``. Where two different headers would share one (``/a-b`` and ``/a/b``), the later gets
    a digest appended: a header must never be sent with the value of another.
    """
    taken: dict[str, tuple[str, ...]] = {}
    return [
        [_header_variable(endpoint.path, secret, taken) for secret in endpoint.header_secrets or ()] for endpoint in endpoints
    ]


def _header_variable(path: str, secret: HeaderSecret, taken: dict[str, tuple[str, ...]]) -> HeaderVariable:
    identity = (path, secret.header_name, secret.secret_ref.name, secret.secret_ref.key)
    name = f"PASSTHROUGH_{sanitised(path.lstrip('/'))}_{sanitised(secret.header_name)}"
    if taken.setdefault(name, identity) != identity:
        digest = hashlib.sha256("\0".join(identity).encode()).hexdigest()
        name = f"{name}_{digest[:_HASH_LENGTH].upper()}"
    variable = SecretVariable(name, secret.secret_ref.name, secret.secret_ref.key)
    return HeaderVariable(secret.header_name, secret.prefix or "", variable)


def caching_variables(spec: LiteLLMInstanceSpec) -> list[SecretVariable]:
    """What the cache needs; nothing while it is off."""
    caching = spec.caching
    if caching is None or not caching.enabled:
        return []
    if caching.type == "s3" and caching.s3 is not None and (reference := caching.s3.credentials_secret_ref) is not None:
        return [
            SecretVariable(CACHE_S3_ACCESS_KEY_ID, reference.name, S3_ACCESS_KEY_ID),
            SecretVariable(CACHE_S3_SECRET_ACCESS_KEY, reference.name, S3_SECRET_ACCESS_KEY),
        ]
    if caching.type == "gcs" and caching.gcs is not None:
        return _present([_variable(CACHE_GCS_SERVICE_ACCOUNT_JSON, caching.gcs.credentials_secret_ref)])
    if caching.type == "qdrant" and caching.qdrant is not None:
        return _present([_variable(CACHE_QDRANT_API_KEY, caching.qdrant.api_key_secret_ref)])
    if caching.type in ("redis", "redis-semantic") and caching.redis is not None:
        return _present([_variable(CACHE_REDIS_PASSWORD, caching.redis.password_secret_ref)])
    return []


def _variable(name: str, reference: SecretKeyRef | None) -> SecretVariable | None:
    return SecretVariable(name, reference.name, reference.key) if reference is not None else None


def _present(variables: Iterable[SecretVariable | None]) -> list[SecretVariable]:
    return [variable for variable in variables if variable is not None]
