"""The kinds that LiteLLM keeps in its database: each is declared here and brought in step over the admin API."""
