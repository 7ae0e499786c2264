"""Kinds that are not served: at the start of a controller, and taken away under a running one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.sim.replay import toy_crds
from tests.sim.stage import CONFIG_MAP, CRD, GADGET, SECRET, Stage, child_rule, composite, config_map, desired, webhook, widget

if TYPE_CHECKING:
    from app.hooks.objects import Object


def gadget_crd() -> Object:
    return next(crd for crd in toy_crds() if crd["spec"]["names"]["kind"] == "Gadget")


async def stage_without_gadgets() -> Stage:
    widgets = composite(children=(child_rule(CONFIG_MAP), child_rule(GADGET)))
    others = composite("others", children=(child_rule(SECRET),))
    stage = Stage([widgets, others], {"widgets/sync": desired(config_map()), "others/sync": desired()})
    await stage.cluster.delete(CRD, "", "gadgets.toy.example.com")
    return stage


async def test_one_missing_child_kind_keeps_a_whole_controller_down_and_no_other() -> None:
    stage = await stage_without_gadgets()
    await stage.create(widget())
    await stage.run(5)
    assert {call.hook for call in stage.calls} == {"others/sync"}
    assert {(event.reason, event.regarding) for event in stage.loop.events} == {("CreateError", "CompositeController widgets")}
    assert "can't find child resource 'gadgets' in toy.example.com/v1" in stage.loop.events[0].message


async def test_a_controller_comes_up_by_itself_at_its_next_retry() -> None:
    stage = await stage_without_gadgets()
    await stage.create(widget())
    await stage.run(11)
    assert len(stage.loop.events) == 12, "5 ms, 10 ms… up to 5.12 s, and the next only after 10.24 s"
    await stage.create(gadget_crd())
    assert not [call for call in await stage.run(9) if call.hook == "widgets/sync"]
    assert [call for call in await stage.run(1) if call.hook == "widgets/sync"]


async def test_a_child_kind_that_is_removed_stops_every_pass_before_the_hook() -> None:
    stage = Stage([composite(children=(child_rule(CONFIG_MAP), child_rule(GADGET)))], {"widgets/sync": desired(config_map())})
    await stage.create(widget())
    await stage.run()
    await stage.cluster.delete(CRD, "", "gadgets.toy.example.com")
    await stage.create(widget("late"))
    assert await stage.run(5) == []
    assert "can't find resource gadgets" in stage.loop.events[-1].message
    await stage.create(gadget_crd())
    assert await stage.run(10), "and it recovers by itself"


@pytest.mark.parametrize(
    ("change", "message", "why"),
    [
        ({"childResources": [child_rule(CONFIG_MAP, "RollingInPlace")]}, "RollingInPlace", "rolling updates get stuck"),
        ({"parentResource": {"resource": "widgets"}}, "lacks 'apiVersion'", "the CRD would refuse it"),
        ({"hooks": {}}, "hooks.sync is required", "finalize alone is no supported shape"),
        ({"hooks": {"sync": {**webhook("widgets", "sync"), "version": "v1"}}}, "must be v2", "version 1 drops related objects"),
        ({"hooks": {"sync": webhook("widgets", "sync", etag={"enabled": True})}}, "etag", "no cache of answers"),
        ({"hooks": {"sync": {"version": "v2", "webhook": {"path": "/sync"}}}}, "needs a url", "a path of which service?"),
    ],
)
async def test_a_controller_that_can_not_be_followed_is_refused(change: Object, message: str, why: str) -> None:
    source = composite()
    source["spec"].update(change)
    stage = Stage([source], {})
    await stage.create(widget())
    await stage.run()
    assert stage.loop.events[0].reason == "CreateError", why
    assert message in stage.loop.events[0].message
