"""The customize hook: how long its answers live, what its rules select, and what its failures do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sim.stage import SECRET, WIDGET, Stage, composite, desired, refusal, secret, widget


def related(**rule: Any) -> dict[str, Any]:
    return {"relatedResources": [{"apiVersion": "v1", "resource": "secrets", **rule}]}


def stage_with(answer: Any, **spec: Any) -> Stage:
    hooks = ("sync", "customize")
    return Stage([composite(hooks=hooks, **spec)], {"widgets/sync": desired(), "widgets/customize": answer})


def customized(stage: Stage) -> list[float]:
    """When customize was called."""
    return [call.at for call in stage.calls if call.hook.endswith("customize")]


def seen(stage: Stage) -> list[str]:
    """The Secrets that sync was sent last."""
    return sorted(stage.calls[-1].request["related"].get("Secret.v1", {}))


async def test_an_answer_is_kept_for_twenty_minutes() -> None:
    stage = stage_with(related(names=["token"], namespace="default"), resyncPeriodSeconds=60)
    await stage.create(widget())
    await stage.run(22 * 60)
    assert customized(stage) == [0, 20 * 60], "the first sync after 20 minutes asks again"
    assert len(stage.calls) > 20


async def test_a_new_generation_asks_again_and_a_label_does_not() -> None:
    stage = stage_with(related(names=["token"]))
    await stage.create(widget())
    await stage.run(1)
    await stage.cluster.merge_patch(WIDGET, "default", "w", {"metadata": {"labels": {"touched": "1"}}})
    await stage.run(1)
    await stage.cluster.merge_patch(WIDGET, "default", "w", {"spec": {"size": 2}})
    await stage.run(1)
    assert customized(stage) == [0, 2]


@pytest.mark.parametrize(
    ("rule", "expected", "why"),
    [
        ({"namespace": "default", "names": ["token"]}, ["default/token"], "a name in a namespace"),
        ({"names": ["token"]}, ["default/token", "other/token"], "a name in any namespace"),
        ({"namespace": "default", "names": []}, ["default/plain", "default/token"], "no name at all is every name"),
        ({}, ["default/plain", "default/token", "other/token"], "no restriction is everything"),
        ({"labelSelector": {"matchLabels": {"app": "web"}}}, ["default/token", "other/token"], "labels, everywhere"),
        ({"namespace": "other", "labelSelector": {"matchLabels": {"app": "web"}}}, ["other/token"], "labels, in a namespace"),
        (
            {"namespaceSelector": {"matchLabels": {"team": "a"}}, "labelSelector": {"matchLabels": {"app": "web"}}},
            ["other/token"],
            "labels of the object and of its namespace",
        ),
        (
            {"labelSelector": {"matchExpressions": [{"key": "app", "operator": "DoesNotExist"}]}},
            ["default/plain"],
            "an expression",
        ),
    ],
)
async def test_what_a_rule_selects(rule: dict[str, Any], expected: list[str], why: str) -> None:
    stage = stage_with(related(**rule))
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "other", "labels": {"team": "a"}}}
    web = {"app": "web"}
    await stage.create(namespace, secret("token", labels=web), secret("token", labels=web, namespace="other"), secret("plain"))
    await stage.create(widget())
    await stage.run()
    assert seen(stage) == expected, why


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"names": ["a"], "labelSelector": {"matchLabels": {"app": "web"}}}, "both names and a selector"),
        ({"namespace": "a", "namespaceSelector": {"matchLabels": {"team": "a"}}}, "both namespace and namespaceSelector"),
        ({"resource": "namespaces", "namespaceSelector": {"matchLabels": {"team": "a"}}}, "cluster-scoped"),
        ({"resource": "nothings"}, "can't find related resource nothings"),
        ({"labelSelector": {"app": "web"}}, "unknown fields: app"),
    ],
)
async def test_a_rule_that_can_not_be_followed_stops_the_pass_before_sync(rule: dict[str, Any], message: str) -> None:
    stage = stage_with(related(**rule))
    await stage.create(widget())
    await stage.run()
    assert [call.hook for call in stage.calls] == ["widgets/customize"]
    assert message in stage.loop.events[-1].message


async def test_a_related_object_wakes_its_parent_and_another_one_does_not() -> None:
    stage = stage_with(related(namespace="default", names=["token"]))
    await stage.create(widget())
    await stage.run()
    await stage.create(secret("other"))
    assert await stage.run() == []
    await stage.create(secret("token"))
    assert [call.hook for call in await stage.run()] == ["widgets/sync"]
    await stage.cluster.delete(SECRET, "default", "token")
    await stage.run()
    assert seen(stage) == []


async def test_an_object_that_loses_the_label_wakes_the_parent_once_more() -> None:
    stage = stage_with(related(labelSelector={"matchLabels": {"app": "web"}}))
    await stage.create(widget(), secret("token", labels={"app": "web"}))
    await stage.run()
    await stage.cluster.merge_patch(SECRET, "default", "token", {"metadata": {"labels": None}})
    assert len(await stage.run()) == 1
    assert seen(stage) == []


@pytest.mark.parametrize("code", [429, 500])
async def test_a_failure_for_a_stranger_is_repeated_on_each_related_event_and_harms_nobody(code: int) -> None:
    def customize(request: dict[str, Any]) -> Any:
        ours = request["parent"]["metadata"]["name"] == "w"
        return related(namespace="default", names=["token"]) if ours else refusal(code, headers={"Retry-After": "1"})

    stage = stage_with(customize, parentResource={"labelSelector": {"matchLabels": {"ours": "yes"}}})
    await stage.create(widget(labels={"ours": "yes"}), widget("stranger"))
    await stage.run()
    for number in range(3):
        await stage.create(secret(f"unrelated-{number}"))
        (call,) = await stage.run()
        assert (call.hook, call.request["parent"]["metadata"]["name"]) == ("widgets/customize", "stranger")
    assert stage.loop.events == []


async def test_429_from_customize_inside_a_pass_waits_for_retry_after() -> None:
    stage = stage_with(refusal(429, headers={"Retry-After": "3"}))
    await stage.create(widget())
    await stage.run(3)
    assert customized(stage) == [0, 3]
    assert stage.loop.events == []
