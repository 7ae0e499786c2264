"""What a LiteLLMModel asks for."""

from __future__ import annotations

from app.apis.section import Section
from app.apis.types import CredentialRef, InstanceRef, SecretKeyRef


class LiteLLMParams(Section):
    """How the provider is called; LiteLLM's litellm_params."""

    model: str
    """Provider and model, such as openai/gpt-4o."""
    api_base: str | None = None
    """Base URL of the provider; ignored with credentialRef."""
    api_version: str | None = None
    """Version of the provider's API; ignored with credentialRef."""
    api_key_secret_ref: SecretKeyRef | None = None
    """Secret key with the provider's API key; ignored with credentialRef."""
    credential_ref: CredentialRef | None = None
    """Credential that the key, base URL and API version come from."""
    rpm: int | None = None
    """Requests per minute that this deployment of the model takes."""
    tpm: int | None = None
    """Tokens per minute that this deployment of the model takes."""
    timeout: int | None = None
    """Seconds after which a request fails."""
    stream_timeout: int | None = None
    """Seconds after which a streamed request fails."""
    max_retries: int | None = None
    """Times that a failed request is tried again."""
    weight: int | None = None
    """Share of requests among models of the same name."""
    order: int | None = None
    """Priority among models of the same name; lower comes first."""
    max_input_tokens: int | None = None
    """Tokens of the context window, for routing."""
    temperature: float | None = None
    """Sampling temperature where a request has none."""
    top_p: float | None = None
    """Nucleus sampling where a request has none."""
    max_tokens: int | None = None
    """Limit of tokens in an answer where a request has none."""
    seed: int | None = None
    """Seed where a request has none."""
    organization: str | None = None
    """Id of the organization at the provider."""
    aws_region_name: str | None = None
    """AWS region of Bedrock or SageMaker."""
    extra_headers: dict[str, str] | None = None
    """Headers that are sent to the provider."""
    drop_params: bool | None = None
    """Leave out what the provider does not support, instead of failing."""
    vertex_project: str | None = None
    """Google Cloud project of Vertex AI."""
    vertex_location: str | None = None
    """Google Cloud region of Vertex AI."""
    vertex_credentials_secret_ref: SecretKeyRef | None = None
    """Secret key with the service account of Vertex AI, as JSON; ignored with credentialRef."""


class ModelHealthCheck(Section):
    """How the model is probed."""

    disable_background_health_check: bool | None = None
    """Leave the model out of background health checks."""
    timeout_seconds: int | None = None
    """Seconds after which a probe fails."""
    max_tokens: int | None = None
    """Limit of tokens in the answer to a probe."""
    max_tokens_reasoning: int | None = None
    """The same for a model that reasons."""
    max_tokens_non_reasoning: int | None = None
    """The same for a model that does not reason."""
    reasoning_effort: str | None = None
    """Effort of reasoning that a probe asks for."""
    voice: str | None = None
    """Voice that a probe of a speech model asks for."""
    model: str | None = None
    """Model that is probed where the model's own name is a wildcard."""


class ModelInfo(Section):
    """What LiteLLM should know of the model; its model_info."""

    max_tokens: int | None = None
    """Tokens that the model can answer with."""
    input_cost_per_token: float | None = None
    """US dollars for a token of the request."""
    output_cost_per_token: float | None = None
    """US dollars for a token of the answer."""
    mode: str | None = None
    """Kind of model, such as chat or embedding."""
    base_model: str | None = None
    """Model whose prices apply, such as azure/gpt-4o."""
    tier: str | None = None
    """Tier for routing: free or paid."""
    region_name: str | None = None
    """Region that the model runs in."""
    access_groups: list[str] | None = None
    """Groups by which keys and teams get access to the model."""
    supported_environments: list[str] | None = None
    """Environments that serve the model, such as production."""
    use_in_pass_through: bool | None = None
    """Use the model's credentials for pass-through routes."""
    input_cost_per_pixel: float | None = None
    """US dollars for a pixel of the request."""
    input_cost_per_second: float | None = None
    """US dollars for a second of the request's audio or video."""
    cache_read_input_token_cost: float | None = None
    """US dollars for a token read from the provider's prompt cache."""
    cache_creation_input_token_cost: float | None = None
    """US dollars for a token written to the provider's prompt cache."""
    health_check: ModelHealthCheck | None = None


class LiteLLMModelSpec(Section):
    """A deployment of a model under the name that clients use. Several of one name share its requests."""

    instance_ref: InstanceRef
    model_name: str
    """Name that clients use."""
    tags: list[str] | None = None
    """Tags of requests that are routed here."""
    litellm_params: LiteLLMParams
    model_info: ModelInfo | None = None
