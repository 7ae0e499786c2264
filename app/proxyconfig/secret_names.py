"""Environment variables by which the configuration refers to secrets, and the Secret that each is read from.

The configuration says ``os.environ/NAME`` and the pod has the variable NAME: both sides take the names from here, so that they
cannot differ. No value is ever seen.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from app.hooks.canonical.quantities import QuantityError, canonical_quantity
from app.hooks.names import annotation_key_problem, data_key_problem, label_key_problem, reference_problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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

_KEYED = ("secretKeyRef", "configMapKeyRef")
_POD_FIELD = re.compile(
    r"metadata\.(name|namespace|uid|(?P<of>labels|annotations)\['(?P<key>[^']*)'\])|spec\.(nodeName|serviceAccountName)|status\.(hostIPs?|podIPs?)"
)
_AMOUNT = re.compile(r"(limits|requests)\.(?P<of>cpu|memory|ephemeral-storage|hugepages-.*)")
_BYTES = ("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei")


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


def variable_problem(variable: Mapping[str, Any]) -> tuple[str, str] | None:
    """Field and problem of an entry that Kubernetes takes for no variable; None for one that it takes."""
    name = variable.get("name")
    if not isinstance(name, str) or not name or not name.isascii() or not name.isprintable() or "=" in name:
        return "name", "must be printable ASCII without '='"
    value: Any = variable.get("value") or ""
    if not isinstance(value, str):
        return "value", "must be a string"
    if "\0" in value:
        return "value", "must have no NUL in it"
    if variable.get("value") and variable.get("valueFrom"):
        return "", "has both a value and a valueFrom"
    source: Any = variable.get("valueFrom")
    if source is not None and not (isinstance(source, dict) and _given(cast("dict[str, Any]", source)) == 1):
        return "valueFrom", "must have one source"
    return _source_problem(cast("dict[str, Any]", source or {}))


def _source_problem(source: Mapping[str, Any]) -> tuple[str, str] | None:
    """The same of where a variable is read: nothing of that name or key can be, or pods have no such field."""
    for kind, fields in source.items():
        path, given = f"valueFrom.{kind}", cast("dict[str, Any]", fields) if isinstance(fields, dict) else {}
        if kind in _KEYED and (found := reference_flaw(given.get("name"), given.get("key"))):
            return f"{path}.{found[0]}", found[1]
        if kind == "fieldRef" and (found := _field_problem(given)):
            return f"{path}.{found[0]}", found[1]
        if kind == "resourceFieldRef" and (found := _amount_problem(given)):
            return f"{path}.{found[0]}", found[1]
    return None


def _field_problem(given: Mapping[str, Any]) -> tuple[str, str] | None:
    if not _is_pod_field(str(given.get("fieldPath"))):
        return "fieldPath", "is no field of a pod that a variable can have"
    return ("apiVersion", "must be v1") if given.get("apiVersion") not in (None, "", "v1") else None


def _amount_problem(given: Mapping[str, Any]) -> tuple[str, str] | None:
    resource = _AMOUNT.fullmatch(str(given.get("resource")))
    if resource is None:
        return "resource", "is no amount that a container has, such as limits.memory"
    units = ("1m", "1") if resource["of"] == "cpu" else _BYTES
    try:
        divisor = canonical_quantity(str(given.get("divisor") or 0))
    except QuantityError as error:
        return "divisor", str(error)
    return None if divisor in ("0", *units) else ("divisor", f"must be one of {', '.join(units)}")


def _is_pod_field(path: str) -> bool:
    found = _POD_FIELD.fullmatch(path)
    if found is None or found["key"] is None:
        return found is not None
    return not (label_key_problem if found["of"] == "labels" else annotation_key_problem)(found["key"])


def reference_flaw(name: object, key: object) -> tuple[str, str] | None:
    """Field and problem of a reference to what no Secret or ConfigMap can be called, or have as a key."""
    if problem := reference_problem(name):
        return "name", problem
    problem = data_key_problem(key)
    return ("key", problem) if problem else None


def _given(fields: Mapping[str, Any]) -> int:
    return sum(item is not None for item in fields.values())


def variable_content(variable: Mapping[str, Any]) -> dict[str, Any]:
    """What is in a variable, so that two can be compared: an empty field is none."""
    return {field: item for field, item in variable.items() if field != "name" and item}


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
