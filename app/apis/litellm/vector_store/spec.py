"""What a LiteLLMVectorStore asks for."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from app.apis.section import Section
from app.apis.types import CredentialRef, InstanceRef, Json, SecretKeyRef, TeamRef, UserRef


class ParamSecret(Section):
    """A parameter of the provider whose value is secret."""

    param_name: Annotated[str, Field(min_length=1)]
    """Name of the parameter, such as api_key."""
    secret_ref: SecretKeyRef
    """Secret key with the value."""


class LiteLLMVectorStoreSpec(Section):
    """A vector store that exists at a provider, registered for searches."""

    instance_ref: InstanceRef
    vector_store_id: Annotated[str, Field(min_length=1)]
    """Id of the store at the provider; an entry that LiteLLM has under it is taken over."""
    provider: Annotated[str, Field(min_length=1)]
    """Who runs the store, such as bedrock or pg_vector; LiteLLM's custom_llm_provider."""
    name: str | None = None
    """Name to show."""
    description: str | None = None
    """What is in the store."""
    metadata: dict[str, Json] | None = None
    """Notes that LiteLLM keeps with the store."""
    credential_ref: CredentialRef | None = None
    """LiteLLMCredential that the store is called with. A change registers the store anew."""
    params: dict[str, Json] | None = None
    """Parameters of the provider; LiteLLM's litellm_params. A change registers the store anew."""
    param_secrets: list[ParamSecret] | None = None
    """Parameters whose values are secret; they win over params."""
    team_ref: TeamRef | None = None
    """LiteLLMTeam that the store belongs to. LiteLLM takes none from an admin: a condition says that it is ignored."""
    user_ref: UserRef | None = None
    """LiteLLMUser that the store belongs to. LiteLLM takes none from an admin: a condition says that it is ignored."""
