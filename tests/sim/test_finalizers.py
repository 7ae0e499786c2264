"""Whose business the children of a parent are, while it lives and while it goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.sim.metacontroller.finalizers import manages_children
from app.sim.metacontroller.manifest import manifest
from tests.sim.stage import CONFIG_MAP, WIDGET, Stage, composite, config_map, desired, widget

if TYPE_CHECKING:
    from app.hooks.objects import Object

OURS = "metacontroller.io/compositecontroller-widgets"


@pytest.mark.parametrize(
    ("hooks", "deleted", "finalizers", "expected", "why"),
    [
        (("sync",), False, [], True, "it lives"),
        (("sync",), True, ["theirs"], False, "without a finalize hook the garbage collector does it"),
        (("sync", "finalize"), True, [OURS], True, "finalize says what has to stay"),
        (("sync", "finalize"), True, ["theirs"], False, "we have let it go already"),
        (("sync", "finalize"), True, [OURS, "foregroundDeletion"], False, "the collector deletes them itself, in its own order"),
        (("sync", "finalize"), True, [OURS, "orphan"], False, "the collector lets them live"),
        (("sync", "finalize"), False, [OURS, "orphan"], True, "a collector's finalizer alone is no deletion"),
    ],
)
def test_whose_the_children_are(hooks: tuple[str, ...], deleted: bool, finalizers: list[str], expected: bool, why: str) -> None:
    metadata: Object = {
        "name": "w",
        "finalizers": finalizers,
        **({"deletionTimestamp": "2030-01-01T00:00:00Z"} if deleted else {}),
    }
    assert manages_children({"metadata": metadata}, manifest(composite(hooks=hooks))) is expected, why


async def test_a_controller_that_has_lost_its_finalize_hook_takes_its_finalizer_off() -> None:
    stage = Stage([composite()], {"widgets/sync": desired(config_map())})
    await stage.create({**widget(), "metadata": {"name": "w", "namespace": "default", "finalizers": [OURS]}})
    await stage.run()
    item = await stage.find(WIDGET, "w")
    assert item is not None
    assert "finalizers" not in item["metadata"]
    assert await stage.find(CONFIG_MAP, "settings")
