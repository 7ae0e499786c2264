"""The commands of guides, as a person types them: each does what its page says it does."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
from typing import TYPE_CHECKING

from app.resources.kinds import CONTROLLER_REVISION
from tests.e2e.driven import until
from tests.e2e.kubectl import ROOT
from tests.e2e.metacontroller import AS_THE_GUIDE_SAYS
from tests.e2e.objects import ready
from tests.e2e.world import INSTANCE

if TYPE_CHECKING:
    from tests.e2e.gateway import Gateway
    from tests.e2e.kubectl import Kubectl

GUIDES = ROOT / "docs" / "guides"
FAILS_AT_ONCE = [{"target": {"kind": "Job"}, "patch": [{"op": "replace", "path": "/spec/backoffLimit", "value": 0}]}]


def blocks(page: str) -> list[str]:
    """The commands of a guide, as its blocks show them."""
    return re.findall(r"^```sh\n(.*?)^```$", (GUIDES / page).read_text("utf-8"), re.DOTALL | re.MULTILINE)


class Person:
    """Types the commands of the guide to upgrades, which name another namespace and instance."""

    def __init__(self, kubectl: Kubectl, namespace: str) -> None:
        self._kubectl = kubectl
        self._namespace = namespace
        self._commands = [line for block in blocks("managed/upgrades.md") for line in block.splitlines()]

    async def types(self, beginning: str, **changes: str) -> str:
        """Run the one command that begins so, with these words exchanged; what it prints."""
        (command,) = (line for line in self._commands if line.startswith(f"kubectl -n ai {beginning}"))
        for word, other in {"team-gateway": "gw", **changes}.items():
            command = command.replace(word, other)
        _, _, _, *words = shlex.split(command)
        return await asyncio.to_thread(self._kubectl, "-n", self._namespace, *words)


async def test_an_upgrade_that_fails_is_seen_mended_and_given_up(gateway: Gateway, kubectl: Kubectl) -> None:
    person = Person(kubectl, gateway.namespace)
    await gateway.begin(image={"tag": "v1.83.14"}, patches=FAILS_AT_ONCE)
    await gateway.come_up()
    (first,) = await gateway.jobs()

    await person.types('patch litellminstance team-gateway --type merge -p \'{"spec": {"image": {"tag": "v1.84.2')
    await gateway.told("DatabaseReady", "MigrationRunning")
    (second,) = await gateway.running_jobs()
    await gateway.end_job(second, succeeded=False)
    await gateway.told("DatabaseReady", "MigrationFailed")
    told = await person.types("get litellminstance team-gateway -o jsonpath='{range .status.conditions")
    assert "\nDatabaseReady=False MigrationFailed: Job " in told
    assert second in await person.types("get jobs,pods")
    # There is no kubelet to read a log from: the same selection, listed.
    pods = await person.types("logs", logs="get pods", **{" --tail=100 --prefix": ""})
    assert second in pods

    await person.types("delete job", **{"gw-migrate-1a2b3c4d": second})
    await gateway.told("DatabaseReady", "MigrationRunning")
    assert first in await gateway.jobs(), "only the failed one was deleted"
    await gateway.end_job(second, succeeded=False)
    await gateway.told("DatabaseReady", "MigrationFailed")
    await person.types('patch litellminstance team-gateway --type merge -p \'{"spec": {"image": {"tag": "v1.83.14')
    await person.types("wait --for=condition=RolloutComplete")
    assert ready(await gateway.get(INSTANCE)) == ("True", "AllResourcesReady")
    assert await gateway.image() == "v1.83.14"


async def test_a_rollback_is_seen_by_its_revision_and_its_reason(gateway: Gateway, kubectl: Kubectl) -> None:
    person = Person(kubectl, gateway.namespace)
    await gateway.begin(upgrade={"autoRollback": True, "maxSurge": 1, "maxUnavailable": 0, "healthCheckTimeout": "3s"})
    await gateway.come_up()
    await gateway.driver.resyncs(2, "gw")
    await gateway.edit({"image": {"tag": "v1.84.2"}})
    await gateway.told("DatabaseReady", "MigrationRunning")
    (running,) = await gateway.running_jobs()
    await gateway.end_job(running, succeeded=True)
    await person.types("wait --for=condition=DatabaseReady")

    async def starts() -> bool:
        return await gateway.image() == "v1.84.2"

    await until(starts, "the new pods never came")
    await gateway.pods_fail("ImagePullBackOff")
    await gateway.told("RolloutComplete", "RolledBack")
    name = (await gateway.get(INSTANCE))["status"]["rollback"]["revision"]
    # The managed database's StatefulSet has a revision of its own.
    assert len(await gateway.user.list(CONTROLLER_REVISION, gateway.namespace)) == 2
    seen = (await person.types("get controllerrevisions")).splitlines()[1:]
    assert [line.split()[0] for line in seen] == [name]
    assert name in await person.types("get litellminstance team-gateway -o jsonpath='{.status.rollback}")


def test_metacontroller_is_told_to_do_more(kubectl: Kubectl) -> None:
    """On a StatefulSet like the one of its own manifests, with arguments of its own."""
    container = {"name": "metacontroller", "image": "example.com/metacontroller", "args": ["--zap-log-level=4"]}
    labels = {"app.kubernetes.io/name": "metacontroller"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    spec = {"serviceName": "", "replicas": 0, "selector": {"matchLabels": labels}, "template": template}
    item = {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "metacontroller"}, "spec": spec}
    (command,) = blocks("scale.md")
    _, namespaced, _, *words = shlex.split(command)
    assert namespaced == "--namespace"
    kubectl("apply", "--namespace=default", "-f", "-", stdin=json.dumps(item))
    try:
        kubectl("--namespace=default", *words)
        (told,) = json.loads(kubectl("--namespace=default", "get", "statefulset", "metacontroller", "-o", "json"))["spec"][
            "template"
        ]["spec"]["containers"]
    finally:
        kubectl("--namespace=default", "delete", "statefulset", "metacontroller")
    assert told["args"] == ["--zap-log-level=4", *AS_THE_GUIDE_SAYS.arguments()]
