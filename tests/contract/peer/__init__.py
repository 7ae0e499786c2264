"""The real LiteLLM proxy with PostgreSQL, on this machine's loopback, for as long as a test session. See README.md."""
