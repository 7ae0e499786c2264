"""The status of a LiteLLMInstance."""
