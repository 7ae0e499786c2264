"""What the status of a managed gateway says, from facts and from scratch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.resources.kinds import DEPLOYMENT
from app.sim.fake_litellm import Behaviour
from tests.unit.controllers.gateway_world import SPEC, TEAM, instance, running, secret, world

if TYPE_CHECKING:
    from tests.unit.controllers.gateway_world import World

SSO = {
    "enabled": True,
    "provider": "google",
    "clientId": {"name": "sso", "key": "id"},
    "clientSecret": {"name": "sso", "key": "secret"},
}


def pod(name: str, **status: Any) -> dict[str, Any]:
    labels = {
        "app.kubernetes.io/name": "litellm",
        "app.kubernetes.io/managed-by": "litellm-operator",
        "litellm.palena.ai/instance": "gw",
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": TEAM, "labels": labels},
        "spec": {"containers": [{"name": "litellm", "image": "i"}]},
        "status": status,
    }


async def test_a_ready_gateway_is_told_by_its_deployment() -> None:
    async with running({**SPEC, "replicas": 2}) as made:
        status = await made.status()
        told = {key: status[key] for key in ("ready", "replicas", "readyReplicas", "endpoint", "version", "license")}
        assert told == {
            "ready": True,
            "replicas": 2,
            "readyReplicas": 2,
            "endpoint": "http://gw.team.svc:4000",
            "version": "v1.80.0",
            "license": {"active": False},
        }
        assert [item["type"] for item in status["conditions"]] == ["Ready", "DatabaseReady", "PodsHealthy", "RolloutComplete"]
        assert status["masterKey"]["secretName"] == "gw-master-key"


@pytest.mark.parametrize(
    ("behaviour", "database_up", "expected"),
    [
        (Behaviour.DEAD, True, "False/LivenessProbeFailed"),
        (Behaviour.NORMAL, False, "False/ReadinessProbeFailed"),
        (Behaviour.NORMAL, True, "True/AllResourcesReady"),
    ],
)
async def test_the_proxy_itself_is_asked_once_a_pod_is_ready(behaviour: Behaviour, database_up: bool, expected: str) -> None:
    async with running() as made:
        made.proxy.behaviour, made.proxy.database_up = behaviour, database_up
        await made.settle(120)
        assert await made.reason() == expected
        assert (await made.status())["ready"] is True, "entities go on, as with the Go operator"


async def create_pod(made: World, name: str, **container: Any) -> None:
    """A pod that is not running, with such a state of its container."""
    item = await made.cluster.create({key: value for key, value in pod(name).items() if key != "status"})
    statuses = [{"name": "litellm", "restartCount": 0, **container}] if container else []
    await made.cluster.update({**item, "status": {"phase": "Pending", "containerStatuses": statuses}}, subresource="status")
    await made.settle()


UNPULLED = {"state": {"waiting": {"reason": "ImagePullBackOff", "message": "no such image"}}}


async def test_a_pod_that_cannot_start_is_told_in_its_own_words() -> None:
    async with world(secret("pg", url="postgresql://h/d"), instance(SPEC)) as made:
        await made.kubelet.make_ready(DEPLOYMENT, TEAM, "gw", ready=False)
        await create_pod(made, "gw-1", **UNPULLED)
        assert await made.reason("PodsHealthy") == "False/ImagePullBackOff"
        assert (await made.status())["unhealthyPods"] == [
            {"name": "gw-1", "phase": "Pending", "reason": "ImagePullBackOff", "message": "no such image", "restartCount": 0}
        ]
        assert "ImagePullBackOff" in await made.message("Ready")


@pytest.mark.parametrize(
    ("conditions", "reason"),
    [
        ([], "False/RolloutInProgress"),
        ([{"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded"}], "False/ProgressDeadlineExceeded"),
    ],
)
async def test_a_new_pod_that_cannot_start_beside_old_ones_is_told_by_the_rollout(conditions: list[Any], reason: str) -> None:
    async with running() as made:
        await made.edit({"image": {"tag": "v1.81.0"}})
        generation = (await made.get(DEPLOYMENT))["metadata"]["generation"]
        counts = {"replicas": 3, "updatedReplicas": 1, "readyReplicas": 2, "availableReplicas": 2}
        status = {"observedGeneration": generation, **counts, "conditions": conditions}
        await made.cluster.merge_patch(DEPLOYMENT, TEAM, "gw", {"status": status}, subresource="status")
        await create_pod(made, "gw-0")
        assert await made.reason("RolloutComplete") == reason
        assert "gw-0" not in await made.message("RolloutComplete"), "it is on its way"
        await create_pod(made, "gw-1", **UNPULLED)
        assert await made.reason("RolloutComplete") == reason
        assert "pod gw-1: ImagePullBackOff: no such image" in await made.message("RolloutComplete")
        assert await made.reason("PodsHealthy") == "True/AllPodsHealthy"


@pytest.mark.parametrize(
    ("spec", "key", "value"),
    [
        ({"sso": SSO}, "sso", {"configured": True, "provider": "google"}),
        ({"scim": {"enabled": True}}, "scim", {"configured": True, "tokenSecretName": "gw-scim-token"}),
        (
            {"secretManager": {"provider": "aws_kms", "credentialsSecretRef": {"name": "gone"}}},
            "secretManager",
            {"configured": False, "provider": "aws_kms"},
        ),
        ({"redis": {"enabled": True, "host": "r"}}, "redis", {"connected": True}),
    ],
)
async def test_a_section_is_told_while_it_is_on_and_not_after(spec: dict[str, Any], key: str, value: Any) -> None:
    async with running(None, secret("sso", id="i", secret="s")) as made:
        await made.edit(spec)
        assert (await made.status())[key] == value
        await made.edit(dict.fromkeys(spec))
        assert key not in await made.status()


@pytest.mark.parametrize(
    ("spec", "expected", "why"),
    [
        ({}, "", "no Redis, no condition"),
        ({"redis": {"enabled": True, "host": "r"}}, "True/RedisConfigured", "nobody can be asked"),
        (
            {"redis": {"enabled": True, "host": "r"}, "caching": {"enabled": True, "type": "local"}},
            "True/RedisConfigured",
            "the cache is elsewhere",
        ),
    ],
)
async def test_redis_that_is_not_behind_the_cache_is_not_asked_about(spec: dict[str, Any], expected: str, why: str) -> None:
    async with running({**SPEC, **spec}) as made:
        assert await made.reason("RedisReady") == expected, why
        assert not any("/cache/ping" in str(call) for call in made.proxy.calls)


@pytest.mark.parametrize(
    ("spec", "named"),
    [
        ({"jwtAuth": {"enabled": True}}, "spec.jwtAuth"),
        ({"oauth2Auth": {"enabled": True}}, "spec.oauth2Auth"),
    ],
)
async def test_enterprise_features_without_a_licence_are_told_until_there_is_one(spec: dict[str, Any], named: str) -> None:
    async with running({**SPEC, **spec}) as made:
        assert named in await made.message("EnterpriseFeaturesConfigured")
        await made.create(secret("gw-license", **{"license-key": "x"}))
        assert await made.reason("EnterpriseFeaturesConfigured") == ""
        assert (await made.status())["license"] == {"active": True, "secretName": "gw-license"}
        assert await made.reason("RolloutComplete") != "", "the licence goes into the pods"


ADD_ONS = {
    "observability": {"serviceMonitor": {"enabled": True}, "prometheusRule": {"enabled": True}},
    "route": {"enabled": True},
    "gatewayHTTPRoute": {"enabled": True, "parentRefs": [{"name": "g"}]},
}


async def test_apis_that_are_asked_for_and_not_installed_are_named() -> None:
    async with running({**SPEC, **ADD_ONS}, optional_apis=frozenset({"route.openshift.io"})) as made:
        message = await made.message("AddOnsAvailable")
        for words in (
            "spec.observability.serviceMonitor (monitoring.coreos.com)",
            "spec.observability.prometheusRule (monitoring.coreos.com)",
            "spec.gatewayHTTPRoute (gateway.networking.k8s.io)",
        ):
            assert words in message
        assert "route.openshift.io" not in message


async def test_settings_that_do_nothing_or_too_much_are_named() -> None:
    spec = {
        **SPEC,
        "litellmSettings": {"jsonLogs": True, "extra": {"json_logs": False}},
        "extraEnvVars": [{"name": "LITELLM_LOG", "value": "DEBUG"}],
    }
    async with running(spec) as made:
        message = await made.message("SpecWarnings")
        assert "spec.litellmSettings.extra.json_logs" in message
        assert "LITELLM_LOG" in message


async def test_nothing_is_left_of_an_attached_past() -> None:
    async with world(secret("pg", url="postgresql://h/d"), secret("mk", key="sk-x")) as made:
        attached = {**SPEC, "workload": {"managed": False}, "masterKey": {"secretRef": {"name": "mk", "key": "key"}}}
        await made.create(instance(attached))
        await made.edit({"workload": None})
        await made.run_pods()
        types = {item["type"] for item in (await made.status())["conditions"]}
        assert not types & {"MasterKeyAccepted", "WorkloadUnmanaged", "SettingsIgnored"}
