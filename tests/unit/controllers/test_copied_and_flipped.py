"""A managed instance was copied, and the copy flipped to unmanaged: what an engineer sees who attaches that way."""

from __future__ import annotations

import asyncio

import pytest

from app.sim.fake_litellm import Behaviour, FakeLiteLLM
from tests.unit.controllers.exchange import KEY, SPEC, URL, Palena, condition, instance, reason, secret
from tests.unit.litellm.virtual_time import run

COPIED = {
    "workload": {"managed": False, "endpoint": URL},
    "masterKey": {"secretRef": {"name": "lk", "key": "MASTER"}},
    "database": {"migration": {"enabled": True, "timeout": "300s"}},
    "caching": {"enabled": True, "type": "redis"},
    "routerSettings": {"numRetries": 3},
    "callbacks": {},
    "replicas": 1,
}
SECRETS = [secret(MASTER=KEY), secret("gw-license", **{"license-key": "lic"})]


def test_the_sections_that_do_nothing_are_named_and_no_other() -> None:
    async def scenario() -> None:
        answer = await Palena().sync(instance(COPIED), SECRETS)
        assert condition(answer, "WorkloadUnmanaged")["message"] == (
            "spec.caching, spec.routerSettings and license injection are ignored while workload.managed is false; "
            "the proxy owns its own configuration"
        )
        assert reason(answer, "WorkloadUnmanaged") == "True/ConfigSettingsIgnored"
        assert answer["children"] == []

    run(scenario())


def test_without_these_sections_and_the_licence_there_is_no_such_condition() -> None:
    async def scenario() -> None:
        clean = {key: value for key, value in COPIED.items() if key not in {"caching", "routerSettings"}}
        answer = await Palena().sync(instance(clean))
        assert reason(answer, "WorkloadUnmanaged") == ""
        assert answer["status"]["license"] == {"active": False}

    run(scenario())


@pytest.mark.parametrize(
    ("secrets", "license_status"),
    [
        ([secret("gw-license", **{"license-key": "x"})], {"active": True, "secretName": "gw-license"}),
        ([secret("litellm-license", **{"license-key": "x"})], {"active": True, "secretName": "litellm-license"}),
        (
            [secret("gw-license", **{"license-key": "x"}), secret("litellm-license", **{"license-key": "x"})],
            {"active": True, "secretName": "gw-license"},
        ),
        ([secret("gw-license", other="x")], {"active": False}),
    ],
)
def test_the_licence_is_found_in_the_instances_own_secret_first(secrets: list, license_status: dict) -> None:
    async def scenario() -> None:
        answer = await Palena().sync(instance(), [secret(MASTER=KEY), *secrets])
        assert answer["status"]["license"] == license_status

    run(scenario())


@pytest.mark.parametrize(
    ("database", "told", "why"),
    [
        ({}, "", "the section is required and says nothing"),
        ({"migration": {"enabled": True}}, "spec.database.migration is ignored, no migration Job is run", "it was asked for"),
        ({"migration": {"enabled": False, "timeout": "300s"}}, "", "it is switched off"),
        (
            {"cloudnativepg": {"clusterName": "pg"}, "migration": {"enabled": True}},
            "spec.database.cloudnativepg and spec.database.migration are ignored, no migration Job is run",
            "a copied section points at a database that we never use",
        ),
        ({"connectionPool": {"maxConnections": 10}}, "spec.database.connectionPool is ignored", "the pool is the proxy's"),
    ],
)
def test_what_is_ignored_of_the_database_is_told_in_database_ready(database: dict, told: str, why: str) -> None:
    async def scenario() -> None:
        ready = condition(await Palena().sync(instance(SPEC | {"database": database})), "DatabaseReady")
        assert (ready["status"], ready["reason"]) == ("True", "WorkloadUnmanaged")
        assert ("ignored" in ready["message"]) == bool(told), why
        assert told in ready["message"], why

    run(scenario())


@pytest.mark.parametrize(
    ("config_sync", "expected", "why"),
    [
        ({"enabled": True}, "False/SyncErrors", "there is no cluster here whose custom resources could be listed"),
        ({"enabled": False}, "", "it is off, and nothing happens"),
        (None, "", "nobody asked for it"),
    ],
)
def test_config_sync_is_told_of_where_it_is_on(config_sync: dict | None, expected: str, why: str) -> None:
    async def scenario() -> None:
        answer = await Palena().sync(instance(SPEC | ({"configSync": config_sync} if config_sync else {})))
        assert reason(answer, "ConfigSynced") == expected, why

    run(scenario())


def test_what_palena_cannot_know_is_absent_or_empty() -> None:
    async def scenario() -> None:
        answer = await Palena().sync(instance(COPIED), SECRETS)
        status = answer["status"]
        types = [item["type"] for item in status["conditions"]]
        assert types == ["Ready", "DatabaseReady", "MasterKeyAccepted", "WorkloadUnmanaged"]
        assert (status["replicas"], status["readyReplicas"], status["version"]) == (0, 0, "")
        assert not {
            "sso",
            "scim",
            "secretManager",
            "backup",
            "lastSuccessfulRevision",
            "unhealthyPods",
            "configSync",
            "redis",
        } & set(status)

    run(scenario())


def test_a_stale_status_from_the_managed_past_is_replaced_whole() -> None:
    async def scenario() -> None:
        past = {
            "ready": True,
            "version": "v1.80.0",
            "replicas": 3,
            "lastSuccessfulRevision": "4",
            "conditions": [
                {
                    "type": "PodsHealthy",
                    "status": "True",
                    "reason": "AllPodsHealthy",
                    "lastTransitionTime": "2025-01-01T00:00:00Z",
                },
                {"type": "Ready", "status": "True", "reason": "AllResourcesReady", "lastTransitionTime": "2025-01-01T00:00:00Z"},
            ],
        }
        answer = await Palena().sync(instance(status=past))
        assert answer["status"]["version"] == ""
        assert reason(answer, "PodsHealthy") == ""
        assert condition(answer, "Ready")["lastTransitionTime"] == "2025-01-01T00:00:00Z", "it was True and stays True"

    run(scenario())


@pytest.mark.parametrize(
    ("proxy", "version", "why"),
    [
        (FakeLiteLLM(version="1.110.2"), "", "later releases keep it to themselves"),
        (FakeLiteLLM(version="1.110.2", public_details=True), "1.110.2", "unless they are told to disclose it"),
        (FakeLiteLLM(version="1.81.14"), "1.81.14", "the old release tells everyone"),
    ],
)
def test_the_version_is_empty_unless_the_proxy_discloses_it(proxy: FakeLiteLLM, version: str, why: str) -> None:
    async def scenario() -> None:
        spec = {**COPIED, "image": {"tag": "v9"}}
        answer = await Palena({URL: proxy}).sync(instance(spec))
        assert answer["status"]["version"] == version, why

    run(scenario())


def test_ready_follows_the_liveliness_route_both_ways() -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM(public_details=True)
        palena = Palena({URL: proxy})
        parent = instance(COPIED)
        seen: list[tuple[str, bool, str]] = []
        for behaviour in (Behaviour.NORMAL, Behaviour.DEAD, Behaviour.NORMAL):
            proxy.behaviour = behaviour
            answer = await palena.sync(parent)
            seen.append((reason(answer), answer["status"]["ready"], answer["status"]["version"]))
            parent = instance(COPIED, status=answer["status"])
            await asyncio.sleep(60)
        assert seen == [
            ("True/ProxyReachable", True, "1.110.2"),
            ("False/ProxyNotReachable", False, ""),
            ("True/ProxyReachable", True, "1.110.2"),
        ]

    run(scenario())


def test_a_failing_readiness_route_is_told_and_stops_nothing() -> None:
    async def scenario() -> None:
        answer = await Palena({URL: FakeLiteLLM(database_up=False)}).sync(instance(COPIED))
        assert reason(answer) == "False/ReadinessProbeFailed"
        assert answer["status"]["ready"] is True
        assert "503" in condition(answer, "Ready")["message"]

    run(scenario())


@pytest.mark.parametrize("ready_replicas", [0, 3])
def test_a_deployment_that_shares_the_name_changes_nothing(ready_replicas: int) -> None:
    """It is neither owned nor related, so Metacontroller does not even send it; and if it did, nobody would look."""

    async def scenario() -> None:
        foreign = {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "gw", "namespace": "team"},
            "status": {"readyReplicas": ready_replicas},
        }
        dead = Palena({URL: FakeLiteLLM(behaviour=Behaviour.DEAD)})
        answer = await dead.sync(instance(COPIED), [*SECRETS, foreign])
        assert reason(answer) == "False/ProxyNotReachable"
        assert answer["children"] == []

    run(scenario())


@pytest.mark.parametrize(
    "url",
    [
        "http://another-service.team.svc:4000",
        "http://gw.another-namespace.svc:4000",
        "https://llm.example.com",
        "http://statefulset-0.gw.team.svc:4000",
    ],
)
def test_wherever_the_proxy_is_it_is_treated_alike(url: str) -> None:
    async def scenario() -> None:
        spec = {**COPIED, "workload": {"managed": False, "endpoint": url + "/"}}
        answer = await Palena({url: FakeLiteLLM()}).sync(instance(spec))
        assert reason(answer) == "True/ProxyReachable"
        assert answer["status"]["endpoint"] == url, "a trailing slash makes no difference"

    run(scenario())


def test_without_an_endpoint_the_service_of_the_same_name_is_asked() -> None:
    async def scenario() -> None:
        spec = {**COPIED, "workload": {"managed": False}, "service": {"port": 8080}}
        answer = await Palena({"http://gw.team.svc:8080": FakeLiteLLM()}).sync(instance(spec))
        assert reason(answer) == "True/ProxyReachable"
        assert answer["status"]["endpoint"] == "http://gw.team.svc:8080"

    run(scenario())
