"""The ScheduledBackup of a CloudNativePG cluster.

CloudNativePG writes cron expressions with seconds in front. One of five fields would be read as seconds, minutes, hours, day
and month: ``0 0 * * *``, meant to be nightly, would be hourly.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.resources import names
from app.resources.checks import object_name
from app.resources.child import child
from app.resources.errors import Unbuildable
from app.resources.kinds import SCHEDULED_BACKUP

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

_FIELD = "spec.database.cloudnativepg"
_METHODS = {"snapshot": "volumeSnapshot", "barmanObjectStore": "barmanObjectStore"}
"""The spec's words, and CloudNativePG's."""
_CRON_FIELD = re.compile(r"[0-9A-Za-z*?/,-]+", re.ASCII)
_WORD = re.compile(r"@(yearly|annually|monthly|weekly|daily|midnight|hourly|every [0-9][0-9a-z.]*)", re.ASCII)


def scheduled_backup(gateway: Gateway) -> Object | None:
    """None while ``spec.database.cloudnativepg.backup`` is off."""
    database = gateway.spec.database.cloudnativepg
    wanted = database.backup if database else None
    if database is None or wanted is None or not wanted.enabled:
        return None
    return child(
        SCHEDULED_BACKUP,
        gateway,
        names.scheduled_backup(gateway.name),
        spec={
            "schedule": _schedule(wanted.schedule, f"{_FIELD}.backup.schedule"),
            "suspend": wanted.suspend is True,
            "immediate": True,
            "method": _METHODS[wanted.method],
            "backupOwnerReference": "self",
            "cluster": {"name": object_name(database.cluster_name, f"{_FIELD}.clusterName")},
        },
    )


def _schedule(given: str, field: str) -> str:
    """With seconds: a usual cron expression runs at second 0."""
    if _WORD.fullmatch(given.strip()):
        return given.strip()
    fields = given.split()
    if len(fields) not in {5, 6} or not all(map(_CRON_FIELD.fullmatch, fields)):
        raise Unbuildable(field, "must be a cron expression of five fields, or of six with the seconds first")
    return " ".join(fields if len(fields) == 6 else ["0", *fields])
