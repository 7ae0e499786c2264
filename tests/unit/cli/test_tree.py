"""The tree as it is printed into a pipe."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from rich.console import Console

from app.cli.terminal import PIPE_WIDTH, THEME, show
from app.cli.tree import tree

if TYPE_CHECKING:
    from app.hooks.objects import Object


def printed(*objects: Object) -> str:
    stream = io.StringIO()
    show(Console(file=stream, width=PIPE_WIDTH, theme=THEME), tree(objects))
    return stream.getvalue()


def item(kind: str, name: str, *, owner: str = "", **fields: Any) -> Object:
    owners = [{"kind": "Gateway", "name": owner, "uid": owner, "controller": True}] if owner else []
    metadata = {"name": name, "namespace": "ai", "uid": name, "ownerReferences": owners}
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata, **fields}


def test_children_stand_below_their_owner_and_conditions_below_each_other() -> None:
    ready = {"type": "Ready", "status": "True", "reason": "Up", "message": "It is up."}
    ignored = {"type": "SettingsIgnored", "status": "True", "reason": "ProxyNotManaged", "message": "spec.image"}
    gateway = item("Gateway", "gw", status={"endpoint": "http://gw:4000", "version": "1.2", "conditions": [ignored, ready]})
    assert printed(item("Secret", "key"), item("Deployment", "gw-proxy", owner="gw"), gateway) == (
        "namespace ai\n"
        "├── Gateway gw  http://gw:4000  version 1.2\n"
        "│   ✔  Ready            Up               It is up.\n"
        "│   !  SettingsIgnored  ProxyNotManaged  spec.image\n"
        "│   └── Deployment gw-proxy\n"
        "└── Secret key\n"
    )


def test_a_child_whose_owner_is_not_shown_is_a_root() -> None:
    assert printed(item("Deployment", "orphan", owner="gone")) == "namespace ai\n└── Deployment orphan\n"


def test_what_is_being_deleted_says_so() -> None:
    held = item("Secret", "key")
    held["metadata"]["deletionTimestamp"] = "2030-01-01T00:00:00Z"
    assert printed(held) == "namespace ai\n└── Secret key  being deleted\n"


def test_an_empty_cluster_says_so() -> None:
    assert printed() == "nothing is left\n"
