"""What leaves as an answer: the keys, their order, and what is never sent."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from app.hooks import (
    ChildRule,
    CustomizeResponse,
    DecoratorController,
    DecoratorResponse,
    Object,
    RelatedRule,
    Resource,
    SyncResponse,
    Update,
    replay,
)
from tests.unit.hooks.toys import CONFIG_MAP, SECRET, TOY, answering, body, client, config_map, parent, post, toy

NO_RULE = {"children": {}}
INSTALLED_WITHOUT_GROUPS = body() | {
    "children": {},
    "controller": {"spec": {"childResources": [{"apiVersion": "v1", "resource": "configmaps"}]}},
}


def response(**fields: Any) -> SyncResponse:
    return SyncResponse(**{"status": {}, "children": [], "retained": []} | fields)


async def test_a_composite_answers_exactly_the_keys_that_strict_mode_knows() -> None:
    answer = (await post(answering(response(children=[config_map()])))).json()
    assert sorted(answer) == ["children", "finalized", "resyncAfterSeconds", "status"]


async def test_built_and_retained_children_are_one_list_in_a_fixed_order() -> None:
    one, two = (
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "play"}} for name in ("one", "two")
    )
    there = await post(answering(response(children=[two], retained=[replay(one)])))
    back = await post(answering(response(children=[one], retained=[replay(two)])))
    assert there.content == back.content
    assert [child["metadata"]["name"] for child in there.json()["children"]] == ["one", "two"]


@pytest.mark.parametrize(
    ("fields", "problem", "why"),
    [
        ({"children": [None]}, "metadata", "a null among the children ends Metacontroller's process"),
        ({"children": [config_map(), config_map()]}, "answered twice", "the later of two would win unseen"),
        ({"children": [config_map()], "retained": [replay(config_map())]}, "answered twice", "built and kept is once too often"),
        ({"retained": [replay(config_map() | {"kind": "Pod"})]}, "kind", "what is kept is of an installed kind, too"),
        ({"children": [config_map("Box")]}, "metadata.name", "the API server refuses capitals in names"),
        ({"children": [config_map() | {"data": {"a": None}}]}, "data.a is null", "a null differs on every sync"),
        ({"children": [config_map() | {"kind": "Pod"}]}, "kind", "a child of an undeclared kind is never seen again"),
        ({"status": None}, "status", "a null status wipes the parent's"),
        ({"status": {"conditions": [None]}}, "conditions[0] is null", "a null is no condition"),
        ({"status": {"ratio": float("nan")}}, "ratio is no JSON number", "NaN would leave as null"),
        ({"status": {"count": 1.0}}, "count must be written as an integer", "Metacontroller takes 1.0 and 1 for different"),
        ({"resync_after_seconds": -1}, "resyncAfterSeconds", "a negative delay means never"),
        ({"resync_after_seconds": float("inf")}, "resyncAfterSeconds", "infinity is no JSON"),
        ({"finalized": True}, "finalized", "from sync it adds and removes the finalizer in a loop"),
        ({"status": {"when": object()}}, "status is no JSON", "only JSON can be answered"),
    ],
)
async def test_an_answer_that_breaks_the_contract_is_not_sent(fields: Object, problem: str, why: str) -> None:
    answer = await post(answering(response(**fields)))
    assert answer.status_code == 500, why
    assert problem in answer.text


async def test_a_kind_that_metacontroller_was_not_installed_with_is_not_answered() -> None:
    attach_only = body() | NO_RULE
    answer = await post(answering(response(children=[config_map()])), attach_only)
    assert (answer.status_code, "installed with" in answer.text) == (500, True)


async def test_a_child_that_was_good_in_one_place_is_judged_anew_in_another() -> None:
    elsewhere = body(parent=parent(metadata={"name": "bear", "namespace": "elsewhere"}))
    async with client(answering(response(children=[config_map()]))) as hooks:
        answers = [await hooks.post("/hooks/toys/sync", json=content) for content in (body(), elsewhere, body() | NO_RULE)]
    assert [answer.status_code for answer in answers] == [200, 500, 500]
    assert "metadata.namespace must be the parent's namespace" in answers[1].text
    assert "installed with" in answers[2].text


async def test_finalize_may_say_finalized() -> None:
    answer = await post(answering(response(finalized=True)), body(finalizing=True), hook="finalize")
    assert answer.json()["finalized"] is True


async def test_the_same_facts_give_the_same_bytes() -> None:
    controller = toy()
    assert (await post(controller)).content == (await post(controller)).content


async def customize(*rules: RelatedRule, related: tuple[Resource, ...] = (SECRET,)) -> Any:
    controller = toy(related=related, customize=lambda request: CustomizeResponse(related=list(rules)))
    return await post(controller, {"controller": {}, "parent": parent()}, hook="customize")


async def test_related_objects_are_asked_for_by_name() -> None:
    answer = await customize(RelatedRule(resource=SECRET, namespace="play", names=("key",)))
    assert answer.json() == {
        "relatedResources": [{"apiVersion": "v1", "resource": "secrets", "namespace": "play", "names": ["key"]}]
    }


@pytest.mark.parametrize(
    ("rule", "form", "why"),
    [
        (RelatedRule(resource=SECRET, namespace="play"), None, "no names would select every Secret of the namespace"),
        (RelatedRule(resource=SECRET, namespace="", whole_namespace=True), None, "no namespace would select the cluster"),
        (
            RelatedRule(resource=SECRET, namespace="play", whole_namespace=True),
            {"namespace": "play"},
            "a whole namespace is possible where it is said",
        ),
        (
            RelatedRule(resource=SECRET, namespace="play", match_labels={"a": "b"}),
            {"namespace": "play", "labelSelector": {"matchLabels": {"a": "b"}}},
            "a selector must be a real LabelSelector, a bare map is an error",
        ),
    ],
)
async def test_a_rule_is_never_wider_than_it_says(rule: RelatedRule, form: Object | None, why: str) -> None:
    rules = (await customize(rule)).json()["relatedResources"]
    assert rules == ([] if form is None else [{"apiVersion": "v1", "resource": "secrets"} | form]), why


async def test_a_related_kind_that_was_not_declared_is_refused() -> None:
    answer = await customize(RelatedRule(resource=CONFIG_MAP, namespace="play", names=("a",)))
    assert (answer.status_code, "related resources" in answer.text) == (500, True)


async def test_a_decorator_may_answer_null_labels_and_never_a_status() -> None:
    decorator = DecoratorController[None](
        name="tags",
        target=TOY,
        attachments=(ChildRule(SECRET, Update.IN_PLACE),),
        sync=lambda request, _: DecoratorResponse(attachments=[], retained=[], labels={"old": None, "new": "yes"}),
    )
    request = {"controller": {}, "object": parent(), "attachments": {SECRET.key: {}}, "related": {}, "finalizing": False}
    answer = orjson.loads((await post(decorator, request)).content)
    assert answer["labels"] == {"old": None, "new": "yes"}
    assert "status" not in answer


async def test_a_child_of_a_rule_that_was_installed_is_sent_though_its_group_is_missing() -> None:
    answer = await post(answering(response(children=[config_map()])), INSTALLED_WITHOUT_GROUPS)
    assert [child["kind"] for child in answer.json()["children"]] == ["ConfigMap"]


@pytest.mark.parametrize("spec", [None, "x", {"childResources": "x"}, {"childResources": [None]}, {"childResources": [{}]}])
async def test_a_controller_object_that_is_no_such_thing_installs_nothing(spec: Any) -> None:
    answer = await post(answering(response(children=[config_map()])), INSTALLED_WITHOUT_GROUPS | {"controller": {"spec": spec}})
    assert answer.status_code == 500
    assert "is not among the child rules" in answer.text
