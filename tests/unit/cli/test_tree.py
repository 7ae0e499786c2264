"""The tree as it is printed into a pipe."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from rich.console import Console

from app.cli.terminal import PIPE_WIDTH, THEME, show
from app.cli.tree import tree

if TYPE_CHECKING:
    from app.hooks.objects import Object


def printed(*objects: Object, width: int = PIPE_WIDTH, brief: bool = False, encoding: str = "utf-8") -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True)
    target = Console(file=stream, width=width, theme=THEME)
    show(target, tree(objects, target, brief=brief))
    stream.seek(0)
    return stream.read()


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


MESSAGE = "It is up and will, as far as anybody can tell from here, remain so until it is taken down."
READY = {"type": "Ready", "status": "True", "reason": "Up", "message": MESSAGE}


def test_on_a_narrow_terminal_a_message_has_lines_of_its_own_and_no_word_breaks() -> None:
    assert printed(item("Gateway", "gw", status={"conditions": [READY]}), width=60) == (
        "namespace ai\n"
        "└── Gateway gw\n"
        "    ✔  Ready  Up\n"
        "       It is up and will, as far as anybody can tell from\n"
        "       here, remain so until it is taken down.\n"
    )


def test_in_brief_an_object_has_one_line_however_narrow() -> None:
    gateway = item("Gateway", "gw", status={"conditions": [READY]})
    assert printed(gateway, item("Secret", "key"), brief=True) == "namespace ai\n├── Gateway gw  ✔ Up\n└── Secret key\n"
    assert printed(gateway, width=15, brief=True).count("\n") == 2


def test_objects_of_a_kind_keep_their_order() -> None:
    assert printed(item("Gateway", "z"), item("Secret", "s"), item("Gateway", "a")) == (
        "namespace ai\n├── Gateway z\n├── Gateway a\n└── Secret s\n"
    )


def test_where_only_ascii_can_be_shown_marks_and_lines_are_ascii() -> None:
    gateway = item("Gateway", "gw", status={"conditions": [{**READY, "message": "It is up."}]})
    assert printed(gateway, encoding="ascii") == "namespace ai\n`-- Gateway gw\n    +  Ready  Up  It is up.\n"


def test_a_condition_without_a_message_takes_one_line_of_a_narrow_terminal() -> None:
    done = {"type": "Complete", "status": "True", "reason": "CompletionsReached"}
    assert printed(item("Job", "migrate", status={"conditions": [done]}), width=60) == (
        "namespace ai\n└── Job migrate\n    ✔  Complete  CompletionsReached\n"
    )
