"""From a LiteLLMInstance to ``proxy_server_config.yaml``: tables to hold against LiteLLM's documentation, and no I/O."""
