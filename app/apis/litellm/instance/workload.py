"""``spec.workload``: whether the proxy is ours to run, or one that runs already."""

from __future__ import annotations

import re
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field
from pydantic_core import PydanticKnownError

from app.apis.rules import Rule
from app.apis.section import Section

ENDPOINT_PATTERN = r"^https?://[^\s/?#]+"
"""A scheme alone is no URL. What else is no endpoint but passes (user information, say) is told in status."""

_AS_STORED = re.compile(ENDPOINT_PATTERN.replace(r"\s", r"\t\n\f\r "))
"""The pattern as the API server reads it: blanks are those of ASCII. To pydantic every blank of Unicode is one."""


def _with_host(endpoint: str) -> str:
    if _AS_STORED.match(endpoint) is None:
        raise PydanticKnownError("string_pattern_mismatch", {"pattern": ENDPOINT_PATTERN})
    return endpoint


Endpoint = Annotated[str, AfterValidator(_with_host), Field(max_length=2048, json_schema_extra={"pattern": ENDPOINT_PATTERN})]


class Workload(Section):
    """Whether this instance runs the proxy or attaches to one that somebody else runs. Absent means: runs it."""

    managed: bool = True
    """False attaches to a proxy that runs already. Nothing is created, adopted or changed in the cluster; the proxy keeps its own
    configuration, and sections of this spec that would configure it do nothing and are named in a condition."""
    endpoint: Endpoint | None = None
    """Base URL of the proxy to attach to; only with managed false. Without it the URL is that of a Service named like this
    instance. Trailing slashes do not matter."""

    rules: ClassVar[tuple[Rule[Workload], ...]] = (
        Rule(
            cel="!has(self.endpoint) || (has(self.managed) && !self.managed)",
            message="workload.endpoint is only valid when workload.managed is false",
            holds=lambda workload: workload.endpoint is None or not workload.managed,
        ),
    )
