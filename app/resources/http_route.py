"""The Gateway API HTTPRoutes of the proxy: one, unless two parents have the same name.

Metacontroller's dynamic apply tells the items of a list apart by their names, so two listeners of one Gateway do not fit into
one route. Each further parent of a name goes into a further route, to the same end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.resources import names
from app.resources.checks import host, object_name
from app.resources.child import child, user_annotations
from app.resources.errors import Unbuildable
from app.resources.kinds import HTTP_ROUTE
from app.resources.service import service_port

if TYPE_CHECKING:
    from app.apis.litellm.instance.exposure import GatewayHTTPRoute, ParentRef
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

_FIELD = "spec.gatewayHTTPRoute"

MOST_ROUTES = 16
"""So many parents may share a name."""


def http_routes(gateway: Gateway) -> tuple[Object, ...]:
    """Everything below ``/``, for one host or any. Empty while ``spec.gatewayHTTPRoute`` is off."""
    wanted = gateway.spec.gateway_http_route
    if wanted is None or not wanted.enabled:
        return ()
    routes = _parents(wanted)
    if len(routes) > MOST_ROUTES:
        raise Unbuildable(f"{_FIELD}.parentRefs", f"has more than {MOST_ROUTES} parents of one name")
    return tuple(_route(gateway, wanted, index, parents) for index, parents in enumerate(routes))


def _route(gateway: Gateway, wanted: GatewayHTTPRoute, index: int, parents: list[Object]) -> Object:
    # The definition's own defaults are spelled out: a list is compared as a whole.
    backend = {
        "group": "",
        "kind": "Service",
        "name": names.service(gateway.name),
        "port": service_port(gateway),
        "weight": 1,
    }
    rule = {"matches": [{"path": {"type": "PathPrefix", "value": "/"}}], "backendRefs": [backend]}
    spec: Object = {"parentRefs": parents, "rules": [rule]}
    if wanted.host:
        spec["hostnames"] = [host(wanted.host, f"{_FIELD}.host")]
    return child(
        HTTP_ROUTE,
        gateway,
        names.http_route(gateway.name, index),
        annotations=user_annotations(wanted.annotations, f"{_FIELD}.annotations"),
        spec=spec,
    )


def _parents(wanted: GatewayHTTPRoute) -> list[list[Object]]:
    """The parents of each route; within a route no name twice, and over all routes no parent twice."""
    routes: list[list[Object]] = []
    parents = [_parent(given, f"{_FIELD}.parentRefs[{index}]") for index, given in enumerate(wanted.parent_refs)]
    for parent in (one for index, one in enumerate(parents) if one not in parents[:index]):
        free = next((route for route in routes if all(other["name"] != parent["name"] for other in route)), None)
        if free is None:
            routes.append([parent])
        else:
            free.append(parent)
    return routes


def _parent(given: ParentRef, field: str) -> Object:
    parent: Object = {
        "group": "gateway.networking.k8s.io",
        "kind": "Gateway",
        "name": object_name(given.name, f"{field}.name"),
    }
    if given.namespace:
        parent["namespace"] = object_name(given.namespace, f"{field}.namespace")
    if given.section_name:
        parent["sectionName"] = object_name(given.section_name, f"{field}.sectionName")
    return parent
