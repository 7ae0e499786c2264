"""Coming from the Go operator, on a real API server: what it leaves, the command as a user runs it, then the takeover."""

from __future__ import annotations

import asyncio
import os
from subprocess import PIPE
from typing import TYPE_CHECKING

import httpx2

from app.controllers.entities import ENTITIES
from app.hooks.objects import CONTROLLER_UID, DECORATOR, Object, Resource
from app.resources.kinds import CONFIG_MAP, DEPLOYMENT, INGRESS, JOB, ROUTE, SECRET, SERVICE, SERVICE_ACCOUNT
from app.sim.cluster import NotFound
from tests.cases import go_operator
from tests.e2e.command import palena
from tests.e2e.controlplane.plane import METACONTROLLER, USER
from tests.e2e.driven import ROOT, Way, driving, in_every_way, overlay, serve_add_on_apis, until, user_namespace
from tests.e2e.installation import rendered
from tests.e2e.objects import condition, ready
from tests.e2e.stage import proxy_on_loopback
from tests.e2e.world import INSTANCE

if TYPE_CHECKING:
    from pathlib import Path

    from app.sim.cluster import Cluster
    from tests.e2e.controlplane.plane import ControlPlane
    from tests.e2e.kubectl import Kubectl
    from tests.e2e.proxy import Proxy

ENTITY_KINDS = {controller.parent.kind: controller.parent for controller in ENTITIES}
REPLICA_SET = Resource("apps/v1", "ReplicaSet", "replicasets")
KINDS = (INSTANCE, SERVICE_ACCOUNT, SECRET, CONFIG_MAP, DEPLOYMENT, SERVICE, INGRESS, JOB, ROUTE)


async def leave_a_gateway(user: Cluster, namespace: str, **spec: object) -> None:
    """What the Go operator leaves, and what it never made."""
    placed = {"namespace": namespace}
    database = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "pg", **placed}, "data": {"url": "eA=="}}
    await user.create(database)
    item = go_operator.instance(route={"enabled": True}, **spec)
    owner = await user.create({**item, "metadata": {**item["metadata"], **placed}})
    for child in (*go_operator.children(owner), go_operator.route(owner)):
        await user.create(child)

    async def rolled_out() -> bool:
        status = (await user.get(DEPLOYMENT, namespace, "gw")).get("status", {})
        return status.get("replicas") == status.get("unavailableReplicas") == 1

    await until(rolled_out, "the controller-manager made no pod")


async def everything(user: Cluster, namespace: str) -> dict[str, Object]:
    found = [item for resource in KINDS for item in await user.list(resource, namespace)]
    return {f"{item['kind']} {item['metadata']['name']}": item for item in found}


def stripped(item: Object) -> Object:
    """An object without what the command may change, and what changes by itself."""
    metadata = {key: value for key, value in item["metadata"].items() if key not in ("resourceVersion", "managedFields")}
    metadata.pop("finalizers", None)
    for field, entry in (("labels", CONTROLLER_UID), ("annotations", DECORATOR)):
        entries = {key: value for key, value in metadata.pop(field, {}).items() if key != entry}
        metadata |= {field: entries} if entries else {}
    return {**item, "metadata": metadata}


async def test_migrate_says_then_does_then_has_nothing_to_do(plane: ControlPlane, kubectl: Kubectl) -> None:
    serve_add_on_apis(kubectl)
    kubeconfig = str(plane.kubeconfig(USER))
    async with user_namespace(plane) as (user, namespace):
        await leave_a_gateway(user, namespace, configSync={"enabled": True, "unmanagedResourcePolicy": "prune"})
        before = await everything(user, namespace)
        command = ("migrate", "--kubeconfig", kubeconfig, "-n", namespace)

        labels, pod = {"app": "op"}, {"containers": [{"name": "op", "image": "example/litellm-operator:1"}]}
        spec = {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": pod}}
        metadata = {"name": "op", "namespace": namespace}
        await user.create({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec})
        refused = (await palena(*command, "--apply", code=1)).splitlines()
        assert any(line.endswith(f": kubectl -n {namespace} scale deployment op --replicas=0") for line in refused)
        await user.delete(DEPLOYMENT, namespace, "op")
        assert await everything(user, namespace) == before

        said = await palena(*command)
        assert f"Deployment {namespace}/gw: label controller-uid=" in said
        assert f"Ingress {namespace}/gw: left as it is" in said
        assert f"LiteLLMInstance {namespace}/gw: spec.configSync.unmanagedResourcePolicy is prune" in said
        assert "Nothing was changed; --apply does it." in said
        assert await everything(user, namespace) == before

        assert "changes were made" in await palena(*command, "--apply")
        after = await everything(user, namespace)
        assert {key: stripped(item) for key, item in after.items()} == {key: stripped(item) for key, item in before.items()}
        assert "finalizers" not in after["LiteLLMInstance gw"]["metadata"]
        assert after["Route gw"]["metadata"]["annotations"][DECORATOR] == "litellminstances-openshift-route"
        assert CONTROLLER_UID not in after["Ingress gw"]["metadata"]["labels"]

        assert "Nothing was left to do." in await palena(*command, "--apply")
        assert await everything(user, namespace) == after


@in_every_way
async def test_after_it_our_controllers_take_over_and_delete_nothing(
    plane: ControlPlane, kubectl: Kubectl, tmp_path: Path, way: Way
) -> None:
    serve_add_on_apis(kubectl)
    installation = overlay(kubectl, tmp_path, ["openshift-route"])
    async with user_namespace(plane) as (user, namespace):
        await leave_a_gateway(user, namespace)
        await palena("migrate", "--kubeconfig", str(plane.kubeconfig(USER)), "-n", namespace, "--apply")
        before = await everything(user, namespace)
        audit = plane.audit()
        async with driving(plane, kubectl, installation, tmp_path / "service", namespace, way) as at_work:
            await at_work.resyncs(5, "gw")
            after = await everything(user, namespace)
            assert after.keys() == before.keys()
            written = audit.writes(user=METACONTROLLER.user, namespace=namespace)
            assert not [str(entry) for entry in written if entry.verb in ("delete", "create")]
            for key in ("Secret gw-master-key", "Secret litellm-scim-token"):
                assert after[key]["data"] == before[key]["data"], "a key that is in use never changes"
            assert after["Deployment gw"]["spec"]["selector"] == before["Deployment gw"]["spec"]["selector"]
            assert after["Route gw"]["spec"]["port"] == {"targetPort": "http"}
            assert "ownerReferences" not in after["Ingress gw"]["metadata"]
            conditions = {one["type"]: one for one in after["LiteLLMInstance gw"]["status"]["conditions"]}
            assert "ChildrenApplied" not in conditions or conditions["ChildrenApplied"]["status"] == "True"
            assert "litellm-scim-token" in condition(after["LiteLLMInstance gw"], "ChildrenRetained")["message"]
            for key in ("Deployment gw", "ConfigMap gw-config"):
                assert [after[key].get(field) for field in ("spec", "data")] == [
                    before[key].get(field) for field in ("spec", "data")
                ]
            assert len(await user.list(REPLICA_SET, namespace)) == 1, "no pod is replaced by a takeover"
            assert "replace-pods=true" in condition(after["LiteLLMInstance gw"], "TemplateHeld")["message"]

            await user.merge_patch(INSTANCE, namespace, "gw", {"spec": {"image": {"tag": "v1.82.3"}}})

            async def rolls() -> bool:
                return len(await user.list(REPLICA_SET, namespace)) == 2

            await until(rolls, "an edit of the spec did not replace the pods")

            await user.delete(INSTANCE, namespace, "gw")

            async def gone() -> bool:
                left = await everything(user, namespace)
                return not left.keys() & {"LiteLLMInstance gw", "Deployment gw", "Secret gw-master-key", "Route gw"}

            await until(gone, "the instance's deletion did not end")
            assert await _exists(user, INGRESS, namespace, "gw")


async def go_back(user: Cluster, namespace: str) -> None:
    """The Go operator is there again: it replaces what it makes, and of the Deployment the spec alone."""
    owner = await user.merge_patch(INSTANCE, namespace, "gw", {"metadata": {"finalizers": [go_operator.FINALIZER]}})
    await user.update({**owner, "status": {"ready": True}}, subresource="status")
    for child in go_operator.children(owner):
        if child["kind"] == "ConfigMap":
            await user.update(child)
        elif child["kind"] == "Deployment":
            live = await user.get(DEPLOYMENT, namespace, "gw")
            await user.update({**live, "spec": {**live["spec"], "template": child["spec"]["template"]}})


@in_every_way
async def test_after_a_way_back_the_pods_are_held_again(plane: ControlPlane, kubectl: Kubectl, tmp_path: Path, way: Way) -> None:
    """What we applied before the user went back is no reason to take the pods of the Go operator for ours."""
    installation = rendered(kubectl, "full")
    migrate = ("migrate", "--kubeconfig", str(plane.kubeconfig(USER)), "--apply", "-n")
    async with user_namespace(plane) as (user, namespace):

        async def replicated(count: int) -> bool:
            return len(await user.list(REPLICA_SET, namespace)) == count

        serve_add_on_apis(kubectl)
        await leave_a_gateway(user, namespace)
        await palena(*migrate, namespace)
        async with driving(plane, kubectl, installation, tmp_path / "once", namespace, way) as driver:
            await driver.resyncs(3, "gw")
            await user.merge_patch(INSTANCE, namespace, "gw", {"spec": {"image": {"tag": "v1.82.3"}}})
            await until(lambda: replicated(2), "an edit of the spec did not replace the pods")

        await go_back(user, namespace)
        assert "forget what was applied before" in await palena(*migrate, namespace)
        before = await everything(user, namespace)
        async with driving(plane, kubectl, installation, tmp_path / "again", namespace, way) as driver:
            await driver.resyncs(5, "gw")
            after = await everything(user, namespace)
            assert after["Deployment gw"]["spec"] == before["Deployment gw"]["spec"]
            assert after["ConfigMap gw-config"]["data"] == before["ConfigMap gw-config"]["data"]
            assert "replace-pods=true" in condition(after["LiteLLMInstance gw"], "TemplateHeld")["message"]

            await user.merge_patch(INSTANCE, namespace, "gw", {"spec": {"image": {"tag": "v1.82.4"}}})
            await until(lambda: replicated(3), "an edit of the spec did not replace the pods that were held again")
            await user.delete(INSTANCE, namespace, "gw")


async def test_attached_first_no_pod_is_rolled(plane: ControlPlane, kubectl: Kubectl, tmp_path: Path) -> None:
    """Whoever wants to choose the moment attaches the instance to its own proxy, and flips it back when the time has come."""
    serve_add_on_apis(kubectl)
    installation = overlay(kubectl, tmp_path, ["openshift-route"])
    key = {"secretRef": {"name": "gw-master-key", "key": "master-key"}}
    async with user_namespace(plane) as (user, namespace):
        await leave_a_gateway(user, namespace, workload={"managed": False}, masterKey=key)
        await palena("migrate", "--kubeconfig", str(plane.kubeconfig(USER)), "-n", namespace, "--apply")
        before = await everything(user, namespace)
        async with driving(plane, kubectl, installation, tmp_path / "service", namespace, Way()) as driver:
            await driver.resyncs(5, "gw")
            after = await everything(user, namespace)
            assert after.keys() == before.keys()
            for name in before.keys() - {"LiteLLMInstance gw", "Job gw-migrate-0a1b2c3d"}:
                assert after[name].get("spec") == before[name].get("spec")
                assert after[name].get("data") == before[name].get("data")
            assert len(await user.list(REPLICA_SET, namespace)) == 1
            assert "Deployment gw" in condition(after["LiteLLMInstance gw"], "ChildrenRetained")["message"]


async def leave_what_lives_in_litellm(user: Cluster, namespace: str, proxy: Proxy) -> None:
    """An instance that attaches, and objects that the Go operator has in its proxy."""
    placed = {"namespace": namespace}
    key: Object = {"apiVersion": "v1", "kind": "Secret", "stringData": {"key": proxy.fake.master_key}}
    await user.create({**key, "metadata": {"name": "lk", **placed}})
    await user.create({**key, "metadata": {"name": "provider", **placed}})
    workload = {"managed": False, "endpoint": proxy.url}
    item = go_operator.instance(workload=workload, masterKey={"secretRef": {"name": "lk", "key": "key"}})
    await user.create({**item, "metadata": {**item["metadata"], **placed}})
    headers = {"Authorization": f"Bearer {proxy.fake.master_key}"}
    async with httpx2.AsyncClient(base_url=proxy.url, headers=headers, trust_env=False) as litellm:
        for path, body in go_operator.rows().items():
            (await litellm.post(path, json=body)).raise_for_status()
    for name, entity in go_operator.entities().items():
        owner = await user.create({**entity, "metadata": {**entity["metadata"], **placed}})
        await user.update({**owner, "status": go_operator.status(name)}, subresource="status")
        if name == "ci":
            await user.create(go_operator.key_secret(owner))


@in_every_way
async def test_what_lives_in_litellm_is_taken_over_as_it_is_and_no_key_changes(
    plane: ControlPlane, kubectl: Kubectl, tmp_path: Path, way: Way
) -> None:
    with proxy_on_loopback() as proxy:
        async with user_namespace(plane) as (user, namespace):
            await leave_what_lives_in_litellm(user, namespace, proxy)
            await palena("migrate", "--kubeconfig", str(plane.kubeconfig(USER)), "-n", namespace, "--apply")
            before, proxy.fake.calls[:] = await user.get(SECRET, namespace, "ci-key"), []
            entities = {name: ENTITY_KINDS[item["kind"]] for name, item in go_operator.entities().items()}
            async with driving(plane, kubectl, rendered(kubectl, "full"), tmp_path, namespace, way) as driver:

                async def accepted() -> bool:
                    return all([ready(await user.get(kind, namespace, name))[0] == "True" for name, kind in entities.items()])

                await until(accepted, "not every object was taken over")
                await driver.resyncs(3, *entities)
                after = await user.get(SECRET, namespace, "ci-key")
                for field in ("uid", "ownerReferences"):
                    assert after["metadata"][field] == before["metadata"][field]
                assert after["data"] == dict.fromkeys(("api_key", "api-key"), before["data"]["api_key"])
                ended = ("new", "generate", "regenerate", "delete")
                assert [call for call in proxy.fake.admin_calls if call.rpartition("/")[2] in ended] == []

                for name, kind in entities.items():
                    await user.delete(kind, namespace, name)
                await user.delete(INSTANCE, namespace, "gw")

                async def gone() -> bool:
                    kinds = (*entities.values(), INSTANCE)
                    return not any([await user.list(kind, namespace) for kind in kinds])

                await until(gone, "the deletion of what the Go operator made did not end")
                assert not await _exists(user, SECRET, namespace, "ci-key")
                left = {table: [*rows] for table, rows in proxy.fake.database.tables.items() if rows and table != "deleted keys"}
                assert left == {"users": ["bob"]}, "what was adopted stays"


async def test_the_way_back_leaves_no_finalizer_of_ours(plane: ControlPlane, kubectl: Kubectl, tmp_path: Path) -> None:
    """With our controllers gone nobody would ever take Metacontroller's finalizers away."""
    blocks = (ROOT / "docs" / "guides" / "migrate.md").read_text("utf-8").split("```sh\n")
    commands = blocks[-1].partition("```")[0]
    with proxy_on_loopback() as proxy:
        async with user_namespace(plane) as (user, namespace):
            await leave_what_lives_in_litellm(user, namespace, proxy)
            await palena("migrate", "--kubeconfig", str(plane.kubeconfig(USER)), "-n", namespace, "--apply")
            objects = [(INSTANCE, "gw"), *((ENTITY_KINDS[item["kind"]], name) for name, item in go_operator.entities().items())]

            async def held(*finalizers: bool) -> bool:
                items = [await user.get(kind, namespace, name) for kind, name in objects]
                return {bool(item["metadata"].get("finalizers")) for item in items} == {*finalizers}

            async with driving(plane, kubectl, rendered(kubectl, "full"), tmp_path, namespace, Way()):
                await until(lambda: held(True), "not every object has a finalizer")
            environment = {**os.environ, "KUBECONFIG": str(plane.kubeconfig(USER))}
            shell = await asyncio.create_subprocess_exec("sh", "-ec", commands, env=environment, stdout=PIPE, stderr=PIPE)
            _, err = await shell.communicate()
            assert shell.returncode == 0, err.decode()
            assert await held(False)


async def _exists(user: Cluster, resource: Resource, namespace: str, name: str) -> bool:
    try:
        await user.get(resource, namespace, name)
    except NotFound:
        return False
    return True
