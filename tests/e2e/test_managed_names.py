"""Names that somebody else holds: whatever the kind, the object is left as it is, is not even asked for, and is told of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.controllers.litellm_instance import LITELLM_INSTANCES, customize
from app.hooks.request import customize_request
from app.resources.kinds import (
    AUTOSCALER,
    CONFIG_MAP,
    CONTROLLER_REVISION,
    DEPLOYMENT,
    DISRUPTION_BUDGET,
    INGRESS,
    JOB,
    NETWORK_POLICY,
    SECRET,
    SERVICE,
    SERVICE_ACCOUNT,
    STATEFUL_SET,
    VOLUME_CLAIM,
)
from tests.e2e.driven import until
from tests.e2e.gateway import CHILDREN, SPEC, instance
from tests.e2e.objects import b64, condition, deployment, ready, service, stateful_set
from tests.e2e.world import INSTANCE

if TYPE_CHECKING:
    from app.hooks.objects import Object, Resource
    from tests.e2e.gateway import Gateway

TEMPLATE = {"spec": {"containers": [{"name": "theirs", "image": "example.com/theirs:v1"}], "restartPolicy": "Never"}}
CONTENT: dict[Resource, Object] = {
    DEPLOYMENT: {"spec": deployment("theirs")["spec"]},
    STATEFUL_SET: {"spec": stateful_set("theirs")["spec"]},
    SERVICE: {"spec": service("theirs")["spec"]},
    SERVICE_ACCOUNT: {"automountServiceAccountToken": False},
    CONFIG_MAP: {"data": {"a": "b"}},
    SECRET: {"type": "Opaque", "data": {"a": b64("b")}},
    INGRESS: {"spec": {"defaultBackend": {"service": {"name": "theirs", "port": {"number": 80}}}}},
    AUTOSCALER: {"spec": {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "theirs"}, "maxReplicas": 1}},
    DISRUPTION_BUDGET: {"spec": {"minAvailable": 0, "selector": {"matchLabels": {"app": "theirs"}}}},
    NETWORK_POLICY: {"spec": {"podSelector": {"matchLabels": {"app": "theirs"}}}},
    VOLUME_CLAIM: {"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}},
    JOB: {"spec": {"suspend": True, "template": TEMPLATE}},
    CONTROLLER_REVISION: {"revision": 7, "data": {"a": "b"}},
}
"""What somebody else has under that name, by kind."""


@dataclass(frozen=True)
class Taken:
    """A name of a child of the instance ``instance`` that an object of somebody else has."""

    instance: str
    resource: Resource
    name: str

    def __str__(self) -> str:
        return f"{self.resource.kind} {self.name}"


def names_of(namespace: str) -> list[Taken]:
    """Each name that :data:`SPEC` needs, with an instance of its own."""
    count = len(_needed(namespace, "gw"))
    return [_needed(namespace, f"gw{number}")[number] for number in range(count)]


def _needed(namespace: str, name: str) -> list[Taken]:
    """What the customize hook of that instance relates to; some names in it are those of objects that :data:`SPEC` lacks."""
    rules = [{"apiVersion": rule.resource.api_version, "resource": rule.resource.plural} for rule in LITELLM_INSTANCES.children]
    parent = instance(name, SPEC)
    parent["metadata"]["namespace"] = namespace
    answer = customize(customize_request({"controller": {"spec": {"childResources": rules}}, "parent": parent}))
    lacking = (f"{name}-scim-token", f"{name}-database-url", f"{name}-license")
    return [
        Taken(name, rule.resource, one)
        for rule in answer.related
        for one in rule.names
        if rule.resource in CONTENT and one.startswith(name) and one not in lacking
    ]


async def test_what_somebody_holds_is_left_alone_and_told_whatever_its_kind(gateway: Gateway) -> None:
    """One instance for each name, so that nothing which waits for one child hides what is said of another."""
    taken = names_of(gateway.namespace)
    assert {one.resource for one in taken} == {*CHILDREN} - {CONTROLLER_REVISION}
    for one in taken:
        await gateway.create(foreign(one))
    for one in taken:
        await gateway.begin(one.instance)
    untold = {one.instance: one for one in taken}

    async def all_told() -> bool:
        for item in await gateway.user.list(INSTANCE, gateway.namespace):
            said = condition(item, "ChildrenApplied")
            one = untold.get(item["metadata"]["name"])
            if one and said.get("reason") == "NameTaken" and str(one) in said["message"]:
                del untold[one.instance]
        return not untold

    await until(all_told, f"it is not told that these are held: {[*map(str, untold.values())]}")
    await gateway.driver.resyncs(2, *(one.instance for one in taken))
    for one in taken:
        await _assert_untouched(gateway, one)


async def test_a_revision_that_somebody_holds_is_left_alone_and_keeps_the_gateway_from_nothing_else(gateway: Gateway) -> None:
    """Its name follows from the pods, so it is taken once they run; status tells of it a minute after."""
    await gateway.begin(upgrade=None)
    await gateway.come_up()
    digest = (await gateway.get(DEPLOYMENT))["metadata"]["annotations"]["litellm.palena.ai/template-hash"]
    one = Taken("gw", CONTROLLER_REVISION, f"gw-{digest}")
    theirs = await gateway.create(foreign(one))
    await gateway.edit({"upgrade": {"autoRollback": True}, "ingress": None})

    async def follows() -> bool:
        return await gateway.find(INGRESS) is None

    await until(follows, "the rest of the spec is not followed")
    await gateway.driver.resyncs(3, "gw")
    assert await gateway.get(one.resource, one.name) == theirs
    assert ready(await gateway.get(INSTANCE)) == ("True", "AllResourcesReady")


def foreign(one: Taken) -> Object:
    """The object that holds the name."""
    metadata = {"name": one.name, "labels": {"app": "theirs"}}
    return {"apiVersion": one.resource.api_version, "kind": one.resource.kind, "metadata": metadata, **CONTENT[one.resource]}


async def _assert_untouched(gateway: Gateway, one: Taken) -> None:
    item = await gateway.get(one.resource, one.name)
    assert item["metadata"]["labels"] == {"app": "theirs"}
    assert not item["metadata"].get("ownerReferences")
    tried = [str(entry) for entry in gateway.attempts() if (entry.resource, entry.name) == (one.resource.plural, one.name)]
    assert not tried, f"{one} was not left alone"
