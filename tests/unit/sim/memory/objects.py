"""Objects of the tests of the in-memory API server, in few words."""

from __future__ import annotations

from typing import Any

from app.hooks.objects import Object, Resource

SAMPLE = Resource("toy.example.com/v1", "Sample", "samples")
CONFIG_MAP = Resource("v1", "ConfigMap", "configmaps")
DEPLOYMENT = Resource("apps/v1", "Deployment", "deployments")
STATEFUL_SET = Resource("apps/v1", "StatefulSet", "statefulsets")
JOB = Resource("batch/v1", "Job", "jobs")
NAMESPACES = Resource("v1", "Namespace", "namespaces", namespaced=False)
DEFINITIONS = Resource("apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions", namespaced=False)


def item(resource: Resource, name: str, content: Object | None = None, **metadata: Any) -> Object:
    """An object in the namespace alpha; ``content`` is everything beside metadata."""
    head: Object = {"apiVersion": resource.api_version, "kind": resource.kind}
    return {**head, "metadata": {"name": name, "namespace": "alpha", **metadata}, **(content or {})}


def sample(name: str = "s", spec: Object | None = None, **metadata: Any) -> Object:
    return item(SAMPLE, name, {"spec": {"name": "abc", **(spec or {})}}, **metadata)


def config_map(name: str = "c", data: dict[str, str] | None = None, **metadata: Any) -> Object:
    return item(CONFIG_MAP, name, {"data": data} if data is not None else None, **metadata)


def deployment(name: str = "d", *, env: list[str] | None = None, **container: Any) -> Object:
    """One container; ``env`` are ``NAME=value``."""
    variables = [dict(zip(("name", "value"), text.split("="), strict=True)) for text in env or []]
    containers = [{"name": "main", "image": "example/web:1", "env": variables, **container}]
    template = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": containers}}
    return item(DEPLOYMENT, name, {"spec": {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}, "template": template}})


def owner(of: Object, **more: Any) -> Object:
    """An owner reference to this object."""
    metadata = of["metadata"]
    return {"apiVersion": of["apiVersion"], "kind": of["kind"], "name": metadata["name"], "uid": metadata["uid"], **more}
