"""``spec.workload``: whether the proxy is ours to run, or one that runs already."""

from __future__ import annotations

from typing import ClassVar

from app.apis.rules import Rule
from app.apis.section import Section
from app.apis.types import HttpUrl


class Workload(Section):
    """Whether this instance runs the proxy or attaches to one that somebody else runs. Absent means: runs it."""

    managed: bool = True
    """False attaches to a proxy that runs already. Nothing is created, adopted or changed in the cluster; the proxy keeps its own
    configuration, and sections of this spec that would configure it do nothing and are named in a condition."""
    endpoint: HttpUrl | None = None
    """Base URL of the proxy to attach to; only with managed false. Without it the URL is that of a Service named like this
    instance. Trailing slashes do not matter."""

    rules: ClassVar[tuple[Rule[Workload], ...]] = (
        Rule(
            cel="!has(self.endpoint) || (has(self.managed) && !self.managed)",
            message="workload.endpoint is only valid when workload.managed is false",
            holds=lambda workload: workload.endpoint is None or not workload.managed,
        ),
    )
