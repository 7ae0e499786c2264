"""``spec.configSync``: comparing what the proxy has with what the custom resources say."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal

from app.apis.durations import go_duration
from app.apis.section import Section

SHORTEST = timedelta(seconds=10)
USUAL = timedelta(seconds=30)


class ConfigSync(Section):
    """A periodic comparison of the proxy's models, teams, users, keys, organizations and customers with the custom resources."""

    enabled: bool
    """Compare."""
    interval: str = "30s"
    """Time between comparisons; less than 10s, or what is no duration, counts as 30s."""
    unmanaged_resource_policy: Literal["preserve", "prune", "adopt"] = "preserve"
    """What happens to objects of the proxy that no custom resource describes."""
    conflict_resolution: Literal["crd-wins", "api-wins", "manual"] = "crd-wins"
    """Who wins when the two differ; manual only reports it."""
    audit_changes: bool | None = None
    """Report each change."""

    @property
    def every(self) -> timedelta:
        """The interval as it counts."""
        given = go_duration(self.interval)
        return USUAL if given is None or given < SHORTEST else given
