"""Children of a proxy that is not, or cannot be, run by us: kept as they are, whatever else is wrong."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest
from jsonpatch import JsonPatch

from app.hooks.objects import LAST_APPLIED
from app.sim.fake_litellm import Behaviour, FakeLiteLLM
from tests.unit.controllers.exchange import ATTACH_ONLY, FULL, KEY, SPEC, URL, Palena, condition, instance, reason, secret
from tests.unit.litellm.virtual_time import run

UID = "11111111-2222-3333-4444-555555555555"


def child(api_version: str, kind: str, name: str = "gw", **content: Any) -> dict[str, Any]:
    """An owned child as the API server has it: owner reference, label, last-applied record, and what others added."""
    metadata = {"name": name, "namespace": "team", "labels": {"controller-uid": UID}}
    applied = {"apiVersion": api_version, "kind": kind, "metadata": metadata, **content}
    return {
        **applied,
        "metadata": {
            **metadata,
            "uid": "u",
            "resourceVersion": "9",
            "annotations": {LAST_APPLIED: json.dumps(applied), "deployment.kubernetes.io/revision": "3"},
            "ownerReferences": [
                {"apiVersion": "litellm.palena.ai/v1alpha1", "kind": "LiteLLMInstance", "name": "gw", "uid": UID}
            ],
        },
        "status": {"anything": 1},
    }


CHILDREN = [
    child("apps/v1", "Deployment", spec={"replicas": 3}),
    child("v1", "Service", spec={"ports": [{"port": 4000}]}),
    child("v1", "Secret", "gw-master-key", data={"master-key": "c2stMQ=="}),
]


def applied(answer: Any) -> list[Any]:
    """The answered children in the order of :data:`CHILDREN`."""
    return sorted(answer["children"], key=lambda item: ["Deployment", "Service", "Secret"].index(item["kind"]))


RECORDS = [json.loads(item["metadata"]["annotations"][LAST_APPLIED]) for item in CHILDREN]


def test_a_flip_to_unmanaged_replays_every_child_and_says_what_to_do() -> None:
    async def scenario() -> None:
        answer = await Palena().sync(instance(), children=CHILDREN)
        assert applied(answer) == RECORDS
        message = condition(answer, "ChildrenRetained")["message"]
        assert reason(answer, "ChildrenRetained") == "True/ManagedBefore"
        assert "Deployment gw, Secret gw-master-key, Service gw" in message
        for advice in ("controller-uid label", "kubectl delete", "--cascade=orphan", "no Secret that the spec refers to"):
            assert advice in message
        assert reason(answer) == "True/ProxyReachable"

    run(scenario())


def test_without_children_nothing_is_said_of_them() -> None:
    async def scenario() -> None:
        assert reason(await Palena().sync(instance()), "ChildrenRetained") == ""

    run(scenario())


def test_a_child_that_is_being_deleted_is_neither_replayed_nor_named() -> None:
    async def scenario() -> None:
        going = child("v1", "ConfigMap", data={"a": "b"})
        going["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
        answer = await Palena().sync(instance(), children=[going])
        assert answer["children"] == []
        assert reason(answer, "ChildrenRetained") == ""

    run(scenario())


def test_a_long_list_of_children_is_cut_and_counted_and_the_advice_stays() -> None:
    async def scenario() -> None:
        many = [child("v1", "ConfigMap", f"{'long-' * 20}{number:02}", data={"a": "b"}) for number in range(40)]
        answer = await Palena().sync(instance(), children=many)
        message = condition(answer, "ChildrenRetained")["message"]
        assert len(answer["children"]) == 40
        assert " and 37 more. To hand one over" in message
        assert "--cascade=orphan" in message

    run(scenario())


@pytest.mark.parametrize("behaviour", list(Behaviour))
@pytest.mark.parametrize("related", [[secret(MASTER=KEY)], []])
def test_a_dead_proxy_or_a_missing_secret_never_deletes_a_child(behaviour: Behaviour, related: list[Any]) -> None:
    async def scenario() -> None:
        answer = await Palena({URL: FakeLiteLLM(behaviour=behaviour)}).sync(instance(), related, CHILDREN)
        assert applied(answer) == RECORDS

    run(scenario())


@pytest.mark.parametrize(
    ("workload", "why"),
    [
        (None, "absent means managed"),
        ({}, "empty means managed"),
        ({"managed": True}, "said outright"),
        ({"managed": None}, "null"),
    ],
)
def test_whoever_does_not_say_unmanaged_is_managed(workload: Any, why: str) -> None:
    async def scenario() -> None:
        spec = {**SPEC, "workload": workload} if workload is not None else {k: v for k, v in SPEC.items() if k != "workload"}
        answer = await Palena().sync(instance(spec), children=CHILDREN)
        assert reason(answer, "RolloutComplete"), why
        assert {item["kind"] for item in answer["children"]} >= {"Deployment", "Secret", "Service", "ServiceAccount"}, why

    run(scenario())


def test_an_attach_only_installation_says_that_it_is_one() -> None:
    async def scenario() -> None:
        palena = Palena(controller=ATTACH_ONLY)
        managed = await palena.sync(instance({**SPEC, "workload": {}}))
        attached = await palena.sync(instance())
        assert reason(managed) == "False/ManagedModeNotInstalled"
        assert reason(attached) == "True/ProxyReachable"

    run(scenario())


@pytest.mark.parametrize(
    ("spec", "words", "why"),
    [
        ({"workload": {"managed": False}, "masterKey": {}, "database": {}}, "masterKey.secretRef is required", "no key"),
        (
            {"workload": {"managed": False}, "masterKey": {"autoGenerate": True}, "database": {}},
            "masterKey.secretRef is required when workload.managed is false",
            "nobody generates it",
        ),
        ({**SPEC, "workload": {"endpoint": URL}}, "workload.endpoint is only valid when workload.managed is false", "managed"),
        ({**SPEC, "workload": {"managed": False, "endpoint": "http://"}}, "spec.workload.endpoint", "no host"),
        ({**SPEC, "replicas": "three"}, "spec.replicas: must be an integer", "a wrong type"),
        ({"workload": {"managed": False}}, "spec.masterKey: required", "stored before it was required"),
        ("text", "spec: must be an object", "not an object at all"),
    ],
)
def test_an_invalid_spec_is_told_by_field_and_keeps_every_child(spec: Any, words: str, why: str) -> None:
    async def scenario() -> None:
        answer = await Palena().sync(instance(spec), children=CHILDREN)
        assert reason(answer) == "False/InvalidSpec", why
        assert words in condition(answer, "Ready")["message"]
        assert applied(answer) == RECORDS
        assert answer["status"]["ready"] is False
        assert answer["resyncAfterSeconds"] == 0

    run(scenario())


AUTOSCALER = child("autoscaling/v2", "HorizontalPodAutoscaler", spec={"scaleTargetRef": {"kind": "Deployment", "name": "gw"}})


@pytest.mark.parametrize(
    ("recorded", "autoscalers", "expected", "why"),
    [
        ({"replicas": 3}, [AUTOSCALER], {"replicas": 5}, "the autoscaler's number counts"),
        ({"replicas": 3}, [], {"replicas": 3}, "nobody but us decides it"),
        ({"paused": False}, [AUTOSCALER], {"paused": False}, "the number was never ours"),
    ],
)
@pytest.mark.parametrize("spec", [SPEC, {**SPEC, "replicas": "three"}], ids=["attached", "refused"])
def test_an_autoscaler_goes_on_deciding_how_many_pods_there_are(
    spec: Any, recorded: Any, autoscalers: list[Any], expected: Any, why: str
) -> None:
    async def scenario() -> None:
        deployment = {**child("apps/v1", "Deployment", spec=recorded), "spec": {**recorded, "replicas": 5}}
        answer = await Palena().sync(instance(spec), children=[deployment, *autoscalers])
        assert next(item["spec"] for item in answer["children"] if item["kind"] == "Deployment") == expected, why

    run(scenario())


def test_an_object_without_spec_is_invalid_and_keeps_every_child() -> None:
    async def scenario() -> None:
        parent = instance()
        del parent["spec"]
        answer = await Palena().sync(parent, children=CHILDREN)
        assert reason(answer) == "False/InvalidSpec"
        assert applied(answer) == RECORDS

    run(scenario())


REMEMBERED = {"migration": {"finished": "0a1b2c3d"}, "rollback": {"failed": "11112222", "revision": "gw-33334444"}}


@pytest.mark.parametrize(
    ("spec", "controller", "kept", "why"),
    [
        (SPEC, FULL, REMEMBERED, "attached: lastSuccessfulRevision speaks of pods that are not ours"),
        ({**SPEC, "replicas": "three"}, FULL, {**REMEMBERED, "lastSuccessfulRevision": "3"}, "refused"),
        ({**SPEC, "workload": {}}, ATTACH_ONLY, {**REMEMBERED, "lastSuccessfulRevision": "3"}, "no right to run it"),
    ],
)
def test_what_the_next_rollout_needs_is_remembered_meanwhile(spec: Any, controller: Any, kept: Any, why: str) -> None:
    async def scenario() -> None:
        status = {**REMEMBERED, "lastSuccessfulRevision": "3", "sso": {"configured": True}}
        answered = (await Palena(controller=controller).sync(instance(spec, status=status)))["status"]
        found = {key: answered[key] for key in (*REMEMBERED, "lastSuccessfulRevision", "sso") if key in answered}
        assert found == kept, why

    run(scenario())


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        (SPEC, "attached"),
        ({**SPEC, "workload": {}}, "managed"),
        ({**SPEC, "replicas": "three"}, "refused"),
    ],
)
def test_a_finalizer_of_the_go_operator_is_named_with_the_command_that_removes_it(spec: Any, why: str) -> None:
    async def scenario() -> None:
        parent = instance(spec)
        assert reason(await Palena().sync(parent), "StaleFinalizer") == "", why
        parent["metadata"]["finalizers"] = ["metacontroller.io/x", "litellm.palena.ai/finalizer"]
        answer = await Palena().sync(parent)
        assert reason(answer, "StaleFinalizer") == "True/LeftByGoOperator", why
        command = shlex.split(condition(answer, "StaleFinalizer")["message"].partition("kubectl ")[2].rpartition(" (see ")[0])
        assert command[:-1] == ["-n", "team", "patch", "litellminstance", "gw", "--type=json", "-p"]
        assert JsonPatch.from_string(command[-1]).apply(parent)["metadata"]["finalizers"] == ["metacontroller.io/x"]

    run(scenario())


@pytest.mark.parametrize(
    "status", [None, "text", {"migration": "x"}, {"migration": {"finished": 3}}, {"rollback": {"failed": "x"}}]
)
def test_a_status_of_another_shape_is_remembered_as_nothing(status: Any) -> None:
    async def scenario() -> None:
        answered = (await Palena().sync(instance(status=status)))["status"]
        assert not answered.keys() & REMEMBERED.keys()

    run(scenario())
