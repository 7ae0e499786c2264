"""What a LiteLLMCredential asks for."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from app.apis.section import Section
from app.apis.types import InstanceRef, Json, SecretKeyRef


class LiteLLMCredentialSpec(Section):
    """A provider's key and address, for several models to use."""

    instance_ref: InstanceRef
    credential_name: Annotated[str, Field(min_length=1)]
    """Name in LiteLLM."""
    api_key_secret_ref: SecretKeyRef
    """Secret key with the provider's API key."""
    api_base: str | None = None
    """Base URL of the provider."""
    api_version: str | None = None
    """Version of the provider's API."""
    params: dict[str, Json] | None = None
    """More values of the credential. One that has a field here is ignored while that field is set."""
