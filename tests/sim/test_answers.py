"""How answers are read: what is an error, what is ignored, and what deletes everything."""

from __future__ import annotations

import pytest

from app.sim.loop import ProcessCrash, Reply
from app.sim.metacontroller.answers import composite_answer, customize_answer, decorator_answer
from app.sim.metacontroller.errors import SyncError
from tests.sim.stage import CONFIG_MAP, WIDGET, Stage, composite, config_map, desired, widget


@pytest.mark.parametrize(
    ("body", "strict", "why"),
    [
        (b"", True, "an empty body"),
        (b"<html>", False, "HTML"),
        (b"[]", False, "a list"),
        (b'"text"', False, "a string"),
        (b'{"resyncAfterSeconds": NaN}', False, "NaN is no JSON"),
        (b"{} {}", False, "trailing data"),
        (b'{"status": {}, "childs": []}', True, "a typo, in strict mode"),
        (b'{"status": {}, "Children": []}', True, "the wrong case"),
        (b'{"status": {}, "children": [], "children": []}', True, "a key twice"),
        (b'{"status": {"phase": "a", "phase": "b"}}', True, "a key twice in the status"),
        (b'{"status": "Ready"}', False, "a status that is no object"),
        (b'{"children": {}}', False, "children that are no list"),
        (b'{"resyncAfterSeconds": "1"}', False, "a number as text"),
        (b'{"finalized": "true"}', False, "a flag as text"),
        (b'{"children": [{"apiVersion": "v1"}]}', False, "one child without kind spoils the whole answer"),
        (b'{"children": ["ConfigMap"]}', False, "a child that is no object"),
    ],
)
def test_an_answer_that_can_not_be_read_is_an_error(body: bytes, strict: bool, why: str) -> None:
    with pytest.raises(SyncError):
        composite_answer(body, strict=strict)
    assert why


@pytest.mark.parametrize(
    ("body", "strict", "why"),
    [
        (b"null", True, "null is an empty answer, in strict mode too"),
        (b"{}", True, "so is an empty object"),
        (b'{"status": null, "children": null, "resyncAfterSeconds": null, "finalized": null}', True, "null is missing"),
        (b'{"childs": [{"kind": "ConfigMap"}]}', False, "in loose mode a typo is not seen"),
    ],
)
def test_an_answer_that_is_empty_asks_for_nothing(body: bytes, strict: bool, why: str) -> None:
    answer = composite_answer(body, strict=strict)
    assert (answer.status, answer.children, answer.resync_after_seconds, answer.finalized) == (None, [], 0, False), why


def test_a_key_twice_inside_a_child_goes_unnoticed() -> None:
    answer = composite_answer(b'{"children": [{"kind": "ConfigMap", "data": {"a": "1", "a": "2"}}]}', strict=True)
    assert answer.children[0]["data"] == {"a": "2"}


def test_whole_and_broken_numbers_stay_apart() -> None:
    (child,) = composite_answer(b'{"children": [{"kind": "Gadget", "spec": {"a": 1, "b": 1.0}}]}', strict=True).children
    assert [type(value) for value in child["spec"].values()] == [int, float]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'{"labels": {"tier": 1}}', "a number is no label"),
        (b'{"annotations": {"note": true}}', "nor is a flag an annotation"),
        (b'{"children": []}', "decorators answer attachments"),
        (b'{"spec": {}}', "the spec is not theirs to change"),
    ],
)
def test_a_decorator_answer_that_can_not_be_read(body: bytes, why: str) -> None:
    with pytest.raises(SyncError):
        decorator_answer(body, strict=True)
    assert why


@pytest.mark.parametrize(
    ("read", "body"),
    [
        (composite_answer, b'{"children": [null]}'),
        (decorator_answer, b'{"attachments": [null]}'),
        (customize_answer, b'{"relatedResources": [null]}'),
    ],
)
def test_a_null_in_a_list_of_objects_ends_the_process(read: type, body: bytes) -> None:
    with pytest.raises(ProcessCrash):
        read(body, strict=True)


def test_a_misshapen_selector_is_an_error_or_selects_everything() -> None:
    body = b'{"relatedResources": [{"apiVersion": "v1", "resource": "secrets", "labelSelector": {"app": "web"}}]}'
    with pytest.raises(SyncError, match="app"):
        customize_answer(body, strict=True)
    (rule,) = customize_answer(body, strict=False)
    assert rule.labels is not None
    assert rule.labels({}), "nothing is required of an object any more"


async def test_an_empty_object_deletes_the_children_and_wipes_the_status() -> None:
    stage = Stage([composite()], {"widgets/sync": desired(config_map())})
    await stage.create(widget())
    await stage.run()
    stage.answers["widgets/sync"] = {}
    await stage.cluster.merge_patch(WIDGET, "default", "w", {"spec": {"size": 2}})
    await stage.run()
    assert await stage.find(CONFIG_MAP, "settings") is None
    assert (await stage.find(WIDGET, "w") or {})["status"] == {"observedGeneration": 2}


async def test_a_null_among_the_children_ends_the_loop_and_changes_nothing() -> None:
    stage = Stage([composite()], {"widgets/sync": desired(config_map())})
    await stage.create(widget())
    await stage.run()
    before = await stage.find(CONFIG_MAP, "settings")
    stage.answers["widgets/sync"] = Reply(200, {}, b'{"status": {}, "children": [null]}')
    await stage.cluster.merge_patch(WIDGET, "default", "w", {"spec": {"size": 2}})
    with pytest.raises(ProcessCrash, match="children"):
        await stage.run()
    assert await stage.find(CONFIG_MAP, "settings") == before


@pytest.mark.parametrize(
    ("child", "message", "why"),
    [
        ({"kind": "ConfigMap", "metadata": {"name": "odd"}}, "can't find kind ConfigMap", "no apiVersion"),
        ({"apiVersion": "v1", "kind": "ConfigMap"}, "ConfigMap default/", "no name"),
    ],
)
async def test_a_child_that_can_not_be_made_stops_neither_the_others_nor_status(child: dict, message: str, why: str) -> None:
    stage = Stage([composite()], {"widgets/sync": desired(config_map(), child)})
    await stage.create(widget())
    await stage.run()
    assert await stage.find(CONFIG_MAP, "settings"), why
    assert (await stage.find(WIDGET, "w") or {})["status"]["phase"] == "Made"
    assert message in stage.loop.events[-1].message


@pytest.mark.parametrize("labels", [{"tier": 1}, None, {"controller-uid": "wrong"}])
async def test_one_child_with_bad_labels_stops_the_whole_pass(labels: dict | None) -> None:
    odd = {**config_map("odd"), "metadata": {"name": "odd", "labels": labels}}
    stage = Stage([composite()], {"widgets/sync": desired(config_map(), odd)})
    await stage.create(widget())
    await stage.run()
    assert await stage.find(CONFIG_MAP, "settings") is None
    assert "status" not in (await stage.find(WIDGET, "w") or {})
    assert "labels" in stage.loop.events[-1].message
