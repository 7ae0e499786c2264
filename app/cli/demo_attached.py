"""The play of the proxies that somebody else runs: attached to, told truthfully, and let go."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.cli.demo_examples import example
from app.cli.demo_outcome import Outcome
from app.cli.local_servers import address, closed_port, serving
from app.hooks.objects import reference
from app.sim.fake_litellm import FakeLiteLLM

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.cli.demo_stage import Stage
    from app.hooks.objects import Object

MASTER_KEY = "sk-replace-me"
"""In the Secret of every example that attaches."""

REACHABLE = {
    "Ready": ("True", "ProxyReachable"),
    "DatabaseReady": ("True", "WorkloadUnmanaged"),
    "MasterKeyAccepted": ("True", "KeyAccepted"),
}


@dataclass(frozen=True)
class Part:
    """One instance: an example under a name, a proxy or none behind it, and what must be seen of it."""

    name: str
    story: str
    example: str
    proxy: FakeLiteLLM | None
    outcome: Outcome


async def play_attached(stage: Stage) -> bool:
    """Everything; says whether all was as it must be."""
    parts, scenery = cast(), stage.scenery()
    async with AsyncExitStack() as stack:
        stage.title("Four proxies, somebody else's")
        endpoints = [await _stand_in(stage, part, stack) for part in parts]
        before = await scenery.before(namesake())
        applied = [item for part, endpoint in zip(parts, endpoints, strict=True) for item in manifests(part, endpoint)]
        # The Secret is in every example.
        items = list({reference(item): item for item in applied}.values())
        attached = await scenery.act("Attach", items, [part.outcome for part in parts])
        gone = await scenery.removal("Let go", items)
    keyed = {call.path for part in parts if part.proxy for call in part.proxy.calls if call.key}
    return stage.tell(
        [
            *((False, difference) for difference in (*attached.differences, *gone.differences)),
            (not attached.differences, "each instance had the status that its proxy deserves"),
            (not gone.differences, "every instance is gone"),
            (gone.objects.get(reference(before)) == before, f"{reference(before)}, somebody else's, is as it was, to the byte"),
            (keyed == {"/health/license"}, "the master key went to /health/license only"),
        ]
    )


def cast() -> list[Part]:
    """The parts, with proxies of their own."""
    return [
        Part(
            name="gateway",
            story="a proxy that is well",
            example="attach.yaml",
            proxy=FakeLiteLLM(master_key=MASTER_KEY),
            outcome=_outcome("gateway", REACHABLE),
        ),
        Part(
            name="shared-gateway",
            story="a proxy that discloses its version",
            example="endpoint.yaml",
            proxy=FakeLiteLLM(master_key=MASTER_KEY, version="1.110.2", public_details=True),
            outcome=_outcome("shared-gateway", REACHABLE, version="1.110.2"),
        ),
        Part(
            name="copied-gateway",
            story="a managed instance, copied and switched",
            example="copied-from-managed.yaml",
            proxy=FakeLiteLLM(master_key=MASTER_KEY),
            outcome=_outcome(
                "copied-gateway",
                {
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
        ),
        Part(
            name="lost-gateway",
            story="nobody there",
            example="attach.yaml",
            proxy=None,
            outcome=_outcome(
                "lost-gateway",
                {
                    "Ready": ("False", "ProxyNotReachable"),
                    "DatabaseReady": ("True", "WorkloadUnmanaged"),
                    "MasterKeyAccepted": ("Unknown", "NotChecked"),
                },
            ),
        ),
    ]


def _outcome(
    name: str, conditions: Mapping[str, tuple[str, str]], *, version: str = "", says: Mapping[str, str] | None = None
) -> Outcome:
    ready = conditions["Ready"][0] == "True"
    return Outcome(
        object=f"LiteLLMInstance ai/{name}",
        status={"ready": ready, "version": version},
        conditions=conditions,
        says=says or {},
    )


async def _stand_in(stage: Stage, part: Part, stack: AsyncExitStack) -> str:
    if part.proxy is None:
        endpoint = address(stack.enter_context(closed_port()))
    else:
        endpoint = await stack.enter_async_context(serving(part.proxy))
    stage.say(part.name, f"{part.story}: {endpoint}")
    return endpoint


def manifests(part: Part, endpoint: str) -> Sequence[Object]:
    """The objects of the part's example, with its name and the endpoint on loopback."""
    return [_placed(item, part.name, endpoint) for item in example(part.example)]


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
