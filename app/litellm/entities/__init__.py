"""What each kind of LiteLLM's objects is made of, and what has to be called to bring one in step. Pure."""
