"""Claiming by a selector of the parent's own, and switching the apply strategy: both are in no recording."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.hooks.objects import LAST_APPLIED, Object
from app.sim.clock import VirtualClock
from app.sim.loop import Loop
from app.sim.metacontroller.claims import Claim, child_selector, claim
from app.sim.metacontroller.errors import SyncError
from app.sim.metacontroller.ownership import owner_reference
from app.sim.metacontroller.selectors import SelectorError, label_selector
from tests.sim.stage import CONFIG_MAP, Stage, composite, config_map, desired, ok, widget

if TYPE_CHECKING:
    from app.sim.memory import MemoryCluster

PARENT: Object = {"apiVersion": "v1", "kind": "Widget", "metadata": {"name": "w", "uid": "u1"}}
DELETED = {"deletionTimestamp": "2030-01-01T00:00:00Z"}
OURS = {"ownerReferences": [owner_reference(PARENT)]}
THEIRS = {"ownerReferences": [{**owner_reference(PARENT), "uid": "u2"}]}
MATCHING = {"labels": {"controller-uid": "u1"}}


@pytest.mark.parametrize(
    ("parent", "item", "expected", "why"),
    [
        ({}, {**OURS, **MATCHING}, Claim.OURS, "owned and labelled"),
        (DELETED, {**OURS, **MATCHING}, Claim.OURS, "keeping a child takes no write, so a deleted parent may"),
        ({}, {**OURS, **MATCHING, **DELETED}, Claim.OURS, "a terminating child is still a child"),
        ({}, OURS, Claim.TO_RELEASE, "owned, but the label is gone"),
        (DELETED, OURS, Claim.NONE, "a deleted parent releases nothing"),
        ({}, {**THEIRS, **MATCHING}, Claim.NONE, "another controller wins over the label"),
        ({}, MATCHING, Claim.TO_ADOPT, "a label is enough for an orphan"),
        (DELETED, MATCHING, Claim.NONE, "a deleted parent adopts nothing"),
        ({}, {**MATCHING, **DELETED}, Claim.NONE, "a terminating orphan is left to die"),
        ({}, {}, Claim.NONE, "an orphan without the label is nobody's"),
    ],
)
def test_what_an_object_is_to_a_parent(parent: Object, item: Object, expected: Claim, why: str) -> None:
    whole = {**PARENT, "metadata": {**PARENT["metadata"], **parent}}
    child = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", **item}}
    assert claim(child, whole, child_selector(whole, generated=True)) is expected, why


@pytest.mark.parametrize("selector", [None, {}, {"matchLabels": {}}])
def test_an_empty_selector_of_the_parent_is_refused(selector: Any) -> None:
    with pytest.raises(SyncError, match=r"spec\.selector"):
        child_selector({**PARENT, "spec": {"selector": selector}}, generated=False)


@pytest.mark.parametrize(
    ("expression", "matching", "other"),
    [
        ({"key": "a", "operator": "In", "values": ["1", "2"]}, {"a": "1"}, {}),
        ({"key": "a", "operator": "NotIn", "values": ["1"]}, {}, {"a": "1"}),
        ({"key": "a", "operator": "Exists"}, {"a": ""}, {"b": "1"}),
        ({"key": "a", "operator": "DoesNotExist"}, {"b": "1"}, {"a": ""}),
    ],
)
def test_a_selector_picks_by_labels_and_expressions(expression: Object, matching: dict[str, str], other: dict[str, str]) -> None:
    selects = label_selector({"matchExpressions": [expression]})
    assert (selects(matching), selects(other)) == (True, False)


def test_an_unknown_operator_is_named() -> None:
    with pytest.raises(SelectorError, match="Gt"):
        label_selector({"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["1"]}]})


async def test_without_a_selector_in_the_parent_nothing_is_synced() -> None:
    stage = Stage([composite(generateSelector=False)], {"widgets/sync": desired(config_map())})
    await stage.create(widget())
    await stage.run()
    assert stage.calls == []
    assert "spec.selector" in stage.loop.events[-1].message


async def test_from_dynamic_to_server_side_apply_the_record_goes() -> None:
    clock = VirtualClock()
    stage = Stage([composite()], {"widgets/sync": desired(config_map(mode="fast"))})
    await stage.create(widget())
    await stage.run()
    before = await stage.find(CONFIG_MAP, "settings")
    assert before is not None
    assert LAST_APPLIED in before["metadata"]["annotations"]

    async def call(_: str, request: Object) -> Any:
        return ok(desired(config_map(mode="fast"))(request))

    client: MemoryCluster = stage.cluster.client("metacontroller")
    await Loop(client, [composite()], call, clock=clock, strategy="server-side-apply").run_until_quiet()
    after = await stage.find(CONFIG_MAP, "settings")
    assert after is not None
    assert LAST_APPLIED not in after["metadata"].get("annotations", {})
    assert (after["data"], after["metadata"]["uid"]) == ({"mode": "fast"}, before["metadata"]["uid"])
