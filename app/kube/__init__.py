"""The service's one window on the cluster: single Secrets by name, and objects of our own kinds. It writes nothing."""
