"""Kubernetes objects of a managed gateway, one pure builder a module: facts in, one object out."""
