"""Status of the objects that LiteLLM keeps in its database: models, teams, keys and their like."""
