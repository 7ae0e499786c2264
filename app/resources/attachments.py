"""Objects of APIs that a cluster may lack: what asks for each, how it is called, and who builds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.resources import names
from app.resources.http_route import MOST_ROUTES, http_routes
from app.resources.kinds import HTTP_ROUTE, PROMETHEUS_RULE, ROUTE, SCHEDULED_BACKUP, SERVICE_MONITOR
from app.resources.prometheus_rule import prometheus_rule
from app.resources.route import route
from app.resources.scheduled_backup import scheduled_backup
from app.resources.service_monitor import service_monitor

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.hooks.objects import Object, Resource
    from app.resources.gateway import Gateway


@dataclass(frozen=True, slots=True)
class Attachment:
    """A kind of object that an add-on attaches to an instance."""

    field: str
    """What asks for it."""
    resource: Resource
    names: Callable[[str], tuple[str, ...]]
    """Every name that it may have, from the instance's."""
    build: Callable[[Gateway], tuple[Object, ...]]
    """Raises :class:`~app.resources.errors.Unbuildable`."""


def _one(build: Callable[[Gateway], Object | None]) -> Callable[[Gateway], tuple[Object, ...]]:
    def built(gateway: Gateway) -> tuple[Object, ...]:
        item = build(gateway)
        return () if item is None else (item,)

    return built


ATTACHMENTS: tuple[Attachment, ...] = (
    Attachment(
        "spec.observability.serviceMonitor",
        SERVICE_MONITOR,
        lambda name: (name,),
        _one(service_monitor),
    ),
    Attachment(
        "spec.observability.prometheusRule",
        PROMETHEUS_RULE,
        lambda name: (names.alerts(name),),
        _one(prometheus_rule),
    ),
    Attachment(
        "spec.route",
        ROUTE,
        lambda name: (name,),
        _one(route),
    ),
    Attachment(
        "spec.gatewayHTTPRoute",
        HTTP_ROUTE,
        lambda name: tuple(names.http_route(name, index) for index in range(MOST_ROUTES)),
        http_routes,
    ),
    Attachment(
        "spec.database.cloudnativepg.backup",
        SCHEDULED_BACKUP,
        lambda name: (names.scheduled_backup(name),),
        _one(scheduled_backup),
    ),
)


def of_api(group: str) -> tuple[Attachment, ...]:
    """What the add-on of one API attaches."""
    return tuple(attachment for attachment in ATTACHMENTS if attachment.resource.group == group)
