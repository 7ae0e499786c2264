"""The environment of the proxy container: what the spec gives, in groups, and the user's own on top."""
