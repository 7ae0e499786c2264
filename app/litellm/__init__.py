"""LiteLLM's admin API as Palena uses it: where a proxy is, whether it answers, and what it says of itself."""
