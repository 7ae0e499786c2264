"""The proxy's pod template. Any change of it starts a rollout, so it holds nothing that changes by itself.

Digests of what the pods read are put on it where that is known: in :mod:`app.controllers.pods`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.hooks.canonical.form import canonicalise
from app.resources import names
from app.resources.client_certificate import client_certificate
from app.resources.container_resources import check_resources
from app.resources.environment.proxy import proxy_environment, proxy_environment_sources
from app.resources.gateway import PROXY_PORT
from app.resources.image import proxy_image, proxy_pull_policy, pull_secrets, runs_as_non_root
from app.resources.kinds import DEPLOYMENT
from app.resources.placement import placement
from app.resources.probes import probes
from app.resources.security_contexts import container_context, proxy_pod_context
from app.resources.service import PORT_NAME
from app.resources.users_own import stored
from app.resources.volumes import proxy_volumes, with_extra_mounts, with_extra_volumes

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

CONTAINER = "litellm"

_DEFAULT_RESOURCES: Object = {
    "requests": {"cpu": "250m", "memory": "512Mi"},
    "limits": {"cpu": "2", "memory": "2Gi"},
}


def pod_template(gateway: Gateway) -> Object:
    """The template in its stored form. Raises :class:`Unbuildable` for fields that make no pod."""
    template = {"metadata": {"labels": gateway.labels}, "spec": _pod(gateway)}
    # In the frame of its Deployment, because the form of some fields depends on the kind they are in.
    frame = {"apiVersion": DEPLOYMENT.api_version, "kind": DEPLOYMENT.kind, "spec": {"template": template}}
    form = canonicalise(frame).form
    return cast("Object", form["spec"]["template"])


def proxy_image_of(deployment: Object) -> str:
    """The proxy's image in a Deployment, as sent or as observed; empty where there is none."""
    spec: Any = deployment.get("spec")
    for field in ("template", "spec", "containers"):
        spec = cast("Object", spec).get(field) if isinstance(spec, dict) else None
    for container in cast("list[Any]", spec) if isinstance(spec, list) else []:
        if isinstance(container, dict) and cast("Object", container).get("name") == CONTAINER:
            return str(cast("Object", container).get("image", ""))
    return ""


def _pod(gateway: Gateway) -> Object:
    ours = proxy_volumes(gateway)
    volumes = with_extra_volumes(gateway, ours)
    container: Object = {
        "name": CONTAINER,
        "image": proxy_image(gateway),
        "imagePullPolicy": proxy_pull_policy(gateway),
        "ports": [{"name": PORT_NAME, "containerPort": PROXY_PORT, "protocol": "TCP"}],
        "env": proxy_environment(gateway),
        "envFrom": proxy_environment_sources(gateway),
        "resources": _resources(gateway),
        "securityContext": container_context(restricted=runs_as_non_root(gateway)),
        "volumeMounts": with_extra_mounts(gateway, ours, volumes),
        **probes(gateway),
    }
    return {
        "serviceAccountName": names.service_account(gateway.name),
        # A Service called "redis" would otherwise set REDIS_PORT to a URL, which LiteLLM reads as its own setting.
        "enableServiceLinks": False,
        "securityContext": proxy_pod_context(gateway),
        "imagePullSecrets": pull_secrets(gateway),
        "initContainers": client_certificate(gateway),
        "containers": [container],
        "volumes": volumes,
        "topologySpreadConstraints": stored(
            gateway.spec.topology_spread_constraints or [], "topologySpreadConstraints", "spec.topologySpreadConstraints"
        ),
        **placement(gateway),
    }


def _resources(gateway: Gateway) -> Object:
    """As given, ``{}`` for none at all; without the section, what LiteLLM needs to start."""
    wanted = gateway.spec.resources
    if wanted is None:
        return _DEFAULT_RESOURCES
    check_resources(wanted, "spec.resources")
    return stored(wanted, "resources", "spec.resources")
