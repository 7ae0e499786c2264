"""LiteLLM's admin API: calls as data, the client that makes them, and one tree of errors for all its dialects."""
