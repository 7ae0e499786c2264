"""A composite and decorators on one object: what goes well, and what doesn't."""

from __future__ import annotations

from app.hooks.objects import DECORATOR, Object
from tests.sim.stage import BADGE, CONFIG_MAP, WIDGET, Stage, child_rule, composite, config_map, decorator, desired, widget


def badge(name: str) -> Object:
    return {"apiVersion": BADGE.api_version, "kind": "Badge", "metadata": {"name": name}, "spec": {"text": name}}


async def test_a_composite_and_a_decorator_with_different_kinds_get_along() -> None:
    answers = {"widgets/sync": desired(config_map()), "badges/sync": {"attachments": [badge("b")]}}
    stage = Stage([composite(), decorator()], answers)
    await stage.create(widget())
    await stage.run()
    attached = await stage.find(BADGE, "b")
    assert attached is not None
    assert attached["metadata"]["annotations"][DECORATOR] == "badges"
    assert "controller-uid" not in attached["metadata"].get("labels", {})
    assert await stage.find(CONFIG_MAP, "settings")
    assert await stage.run(100) == []


async def test_a_composite_strips_a_decorators_attachment_of_its_own_child_kind() -> None:
    answers = {"widgets/sync": desired(), "badges/sync": {"attachments": [config_map("attached")]}}
    stage = Stage([composite(), decorator(attachments=(child_rule(CONFIG_MAP),))], answers)
    await stage.create(widget())
    await stage.run()
    attached = await stage.find(CONFIG_MAP, "attached")
    assert attached is not None
    assert "ownerReferences" not in attached["metadata"], "the decorator doesn't see it any more, and nobody collects it"
    last = next(call for call in reversed(stage.calls) if call.hook == "badges/sync")
    assert last.request["attachments"] == {"ConfigMap.v1": {}}


async def test_a_decorator_leaves_status_alone_unless_it_answers_one() -> None:
    stage = Stage([decorator()], {"badges/sync": {"status": None, "attachments": []}})
    await stage.create(widget())
    await stage.cluster.merge_patch(WIDGET, "default", "w", {"status": {"note": "theirs"}}, subresource="status")
    await stage.run()
    assert (await stage.find(WIDGET, "w") or {})["status"] == {"note": "theirs"}
    stage.answers["badges/sync"] = {"status": {"phase": "Ours"}, "labels": {"tier": "gold"}, "attachments": []}
    await stage.cluster.merge_patch(WIDGET, "default", "w", {"spec": {"size": 2}})
    await stage.run()
    item = await stage.find(WIDGET, "w") or {}
    assert item["status"] == {"phase": "Ours"}, "replaced whole, and without an observedGeneration"
    assert item["metadata"]["labels"] == {"tier": "gold"}
