"""One module per kind: what it owns, what it relates to, and its hooks."""
