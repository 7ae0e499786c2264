"""Who appears in the demo: instances, what stands behind each, and what must be seen of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import app
from app.cli.files import read
from app.cli.problem import Problem
from app.cli.timeline import conditions
from app.sim.fake_litellm import FakeLiteLLM

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.cli.timeline import Condition
    from app.hooks.objects import Object

EXAMPLES = Path(app.__file__).parents[1] / "examples" / "litellm-instance"
MASTER_KEY = "sk-replace-me"
"""In the Secret of every example."""


@dataclass(frozen=True)
class Part:
    """One instance: an example under a name, a proxy or none behind it, and the status that it must come to.

    ``proxy`` and :func:`manifests` are for instances that attach.
    """

    name: str
    story: str
    example: str
    proxy: FakeLiteLLM | None
    ready: bool
    version: str = ""
    conditions: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Status and reason by type. A type that is not here must not be there either."""
    says: Mapping[str, str] = field(default_factory=dict[str, str])
    """A part of a condition's message, by type."""

    def differences(self, item: Object) -> list[str]:
        """What is not as it must be; nothing if all is."""
        status: Object = item.get("status", {})
        shown = {condition.type: condition for condition in conditions(item)}
        facts = [("ready", status.get("ready", False), self.ready), ("version", status.get("version", ""), self.version)]
        found = [f"status.{name} is {is_!r}, not {must!r}" for name, is_, must in facts if is_ != must]
        for kind in sorted({*shown, *self.conditions}):
            is_, must = _state(shown.get(kind)), "=".join(self.conditions[kind]) if kind in self.conditions else "absent"
            if is_ != must:
                found.append(f"{kind} is {is_}, not {must}")
        for kind, text in self.says.items():
            if kind in shown and text not in shown[kind].message:
                found.append(f"{kind} does not mention {text!r}")
        return found


def _state(condition: Condition | None) -> str:
    return f"{condition.status}={condition.reason}" if condition else "absent"


REACHABLE = {
    "Ready": ("True", "ProxyReachable"),
    "DatabaseReady": ("True", "WorkloadUnmanaged"),
    "MasterKeyAccepted": ("True", "KeyAccepted"),
}


def cast() -> list[Part]:
    """The parts, with proxies of their own."""
    return [
        Part(
            name="gateway",
            story="a proxy that is well",
            example="attach.yaml",
            proxy=FakeLiteLLM(master_key=MASTER_KEY),
            ready=True,
            conditions=REACHABLE,
        ),
        Part(
            name="shared-gateway",
            story="a proxy that discloses its version",
            example="endpoint.yaml",
            proxy=FakeLiteLLM(master_key=MASTER_KEY, version="1.110.2", public_details=True),
            ready=True,
            version="1.110.2",
            conditions=REACHABLE,
        ),
        Part(
            name="copied-gateway",
            story="a managed instance, copied and switched",
            example="copied-from-managed.yaml",
            proxy=FakeLiteLLM(master_key=MASTER_KEY),
            ready=True,
            conditions={
                **REACHABLE,
                "WorkloadUnmanaged": ("True", "ConfigSettingsIgnored"),
                "SettingsIgnored": ("True", "ProxyNotManaged"),
            },
            says={
                "WorkloadUnmanaged": "spec.sso, spec.caching and spec.routerSettings are ignored",
                "SettingsIgnored": "spec.redis",
                "DatabaseReady": "migration",
            },
        ),
        Part(
            name="lost-gateway",
            story="nobody there",
            example="attach.yaml",
            proxy=None,
            ready=False,
            conditions={
                "Ready": ("False", "ProxyNotReachable"),
                "DatabaseReady": ("True", "WorkloadUnmanaged"),
                "MasterKeyAccepted": ("Unknown", "NotChecked"),
            },
        ),
    ]


def manifests(part: Part, endpoint: str) -> list[Object]:
    """The objects of the part's example, with its name and the endpoint on loopback."""
    return [_placed(item, part.name, endpoint) for item in example(part.example)]


def example(name: str) -> list[Object]:
    """The objects of an example. Raises :class:`Problem` outside a checkout."""
    path = EXAMPLES / name
    if not path.is_file():
        raise Problem("the demo plays the examples of a checkout", where=str(path), remedy="run `make demo` in a clone")
    return [manifest.item for manifest in read([str(path)])]


def _placed(item: Object, name: str, endpoint: str) -> Object:
    if item["kind"] != "LiteLLMInstance":
        return item
    workload = {**item["spec"]["workload"], "endpoint": endpoint}
    return {**item, "metadata": {**item["metadata"], "name": name}, "spec": {**item["spec"], "workload": workload}}


def namesake() -> Object:
    """A Deployment of somebody else's that has the name of an instance. Nobody may touch it."""
    labels = {"app": "litellm"}
    container = {"name": "litellm", "image": "ghcr.io/berriai/litellm:v1.110.2"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "gateway", "namespace": "ai"},
        "spec": {"replicas": 2, "selector": {"matchLabels": labels}, "template": template},
    }
