"""Scalars and references that several kinds share. No reference of the API leaves its namespace."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, WithJsonSchema
from pydantic_core import PydanticKnownError

from app.apis.section import Section

Int32 = Annotated[int, Field(ge=-(2**31), lt=2**31), WithJsonSchema({"type": "integer", "format": "int32"})]
"""An ``int32``. The API server checks the range by the format."""

Int64 = Annotated[int, Field(ge=-(2**63), lt=2**63), WithJsonSchema({"type": "integer", "format": "int64"})]
"""An ``int64``."""

Json = Annotated[Any, WithJsonSchema({"x-kubernetes-preserve-unknown-fields": True})]
"""Any JSON value, kept as it is."""

Time = Annotated[str, WithJsonSchema({"type": "string", "format": "date-time"})]
"""An RFC 3339 time."""

_URL_PATTERN = r"^https?://[^\s/?#]+"
"""A scheme alone is no URL. What else is none but passes (user information, say) is told in status."""

_AS_STORED = re.compile(_URL_PATTERN.replace(r"\s", r"\t\n\f\r "))
"""The pattern as the API server reads it: blanks are those of ASCII. To pydantic every blank of Unicode is one."""


def _with_host(url: str) -> str:
    if _AS_STORED.match(url) is None:
        raise PydanticKnownError("string_pattern_mismatch", {"pattern": _URL_PATTERN})
    return url


HttpUrl = Annotated[str, AfterValidator(_with_host), Field(max_length=2048, json_schema_extra={"pattern": _URL_PATTERN})]
"""A URL of the schemes http or https, with a host."""


class SecretKeyRef(Section):
    """One key of a Secret in the same namespace."""

    name: str
    """Name of the Secret."""
    key: str
    """Key within the Secret."""


class HeaderSecret(Section):
    """A header whose value is secret."""

    header_name: str
    """Name of the header."""
    prefix: str | None = None
    """Text in front of the value, e.g. "Bearer "."""
    secret_ref: SecretKeyRef
    """Secret key with the value."""


class SecretRef(Section):
    """A Secret in the same namespace."""

    name: str
    """Name of the Secret."""


class CASecretRef(Section):
    """A PEM bundle of certificate authorities in a Secret of the same namespace."""

    name: str
    """Name of the Secret."""
    key: str = "ca.crt"
    """Key that holds the bundle."""


class ConfigMapRef(Section):
    """A ConfigMap in the same namespace."""

    name: str
    """Name of the ConfigMap."""


class InstanceRef(Section):
    """The LiteLLMInstance in the same namespace that the object is for."""

    name: str
    """Name of the LiteLLMInstance."""


class OrganizationRef(Section):
    """A LiteLLMOrganization in the same namespace."""

    name: str
    """Name of the LiteLLMOrganization."""


class TeamRef(Section):
    """A LiteLLMTeam in the same namespace."""

    name: str
    """Name of the LiteLLMTeam."""


class UserRef(Section):
    """A LiteLLMUser in the same namespace."""

    name: str
    """Name of the LiteLLMUser."""


class CredentialRef(Section):
    """A LiteLLMCredential in the same namespace."""

    name: str
    """Name of the LiteLLMCredential."""


class Condition(Section):
    """One aspect of the observed state."""

    type: Annotated[str, Field(max_length=316)]
    """Name of the aspect, in CamelCase."""
    status: Literal["True", "False", "Unknown"]
    """Whether it holds."""
    reason: Annotated[str, Field(min_length=1, max_length=1024, pattern=r"^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$")]
    """Why, in one CamelCase word that programs may rely on."""
    message: Annotated[str, Field(max_length=32768)]
    """Why, for people, with what to do next."""
    last_transition_time: Time
    """When the status last changed from one value to another."""
    observed_generation: Annotated[
        int | None, Field(ge=0), WithJsonSchema({"type": "integer", "format": "int64", "minimum": 0})
    ] = None
    """Generation of the spec that this was decided for."""
