"""Fields of one manager, read back from the tree of paths that server-side apply keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.hooks.managed_fields import applied_fields

if TYPE_CHECKING:
    from app.hooks import Object

LIVE: Object = {
    "spec": {
        "replicas": 2,
        "nodeSelector": {"disk": "ssd"},
        "emptyDir": {},
        "containers": [
            {"name": "side", "image": "s"},
            {"name": "main", "image": "m", "ports": [{"containerPort": 80, "protocol": "TCP", "name": "web"}], "tty": True},
        ],
        "finalizers": ["a", "b", "c"],
        "args": ["x", "y"],
    },
    "status": {"ready": 1},
}


def project(fields: Object, *others: Object) -> Any:
    entries = [
        {"manager": "us", "operation": "Apply", "apiVersion": "v1", "fieldsV1": fields},
        *({"manager": f"other{index}", "operation": "Update", "fieldsV1": tree} for index, tree in enumerate(others)),
    ]
    item = {**LIVE, "apiVersion": "v1", "metadata": {"name": "x", "managedFields": entries}}
    return applied_fields(item, "us")


@pytest.mark.parametrize(
    ("fields", "owned", "why"),
    [
        ({"f:spec": {"f:replicas": {}}}, {"spec": {"replicas": 2}}, "a scalar"),
        ({"f:spec": {"f:nodeSelector": {}}}, {"spec": {"nodeSelector": {"disk": "ssd"}}}, "an atomic map is owned whole"),
        ({"f:spec": {"f:emptyDir": {}}}, {"spec": {"emptyDir": {}}}, "an empty map"),
        ({"f:spec": {"f:args": {}}}, {"spec": {"args": ["x", "y"]}}, "an atomic list is owned whole"),
        ({"f:spec": {"f:gone": {}}}, {"spec": {}}, "a field that somebody removed meanwhile"),
        ({"f:status": {"f:ready": {}}}, {}, "status is never a parent's to give"),
        ({"f:spec": {"f:finalizers": {'v:"c"': {}, 'v:"a"': {}}}}, {"spec": {"finalizers": ["a", "c"]}}, "a set, in live order"),
        ({"f:spec": {"f:args": {"i:1": {}}}}, {"spec": {"args": ["y"]}}, "an item by its position"),
        (
            {"f:spec": {"f:containers": {'k:{"name":"main"}': {".": {}, "f:image": {}}}}},
            {"spec": {"containers": [{"name": "main", "image": "m"}]}},
            "an item of a keyed list, with its key, without the fields and items of others",
        ),
        (
            {
                "f:spec": {
                    "f:containers": {
                        'k:{"name":"main"}': {
                            ".": {},
                            "f:name": {},
                            "f:ports": {'k:{"containerPort":80,"protocol":"TCP"}': {".": {}, "f:containerPort": {}}},
                        },
                    }
                }
            },
            {"spec": {"containers": [{"name": "main", "ports": [{"containerPort": 80, "protocol": "TCP"}]}]}},
            "a key of two fields, nested",
        ),
        ({"f:spec": {"f:containers": {'k:{"name":"x"}': {"f:image": {}}}}}, {"spec": {"containers": []}}, "an item that is gone"),
        ({"f:spec": {"f:containers": {"k:{": {}}}}, {"spec": {"containers": []}}, "a key that cannot be read selects nothing"),
    ],
)
def test_owned_fields_are_read_back(fields: Object, owned: Object, why: str) -> None:
    assert project(fields) == owned, why


def test_of_a_map_that_others_fill_only_the_existence_is_ours() -> None:
    assert project({"f:spec": {"f:nodeSelector": {}}}, {"f:spec": {"f:nodeSelector": {"f:disk": {}}}}) == {
        "spec": {"nodeSelector": {}}
    }
    assert project({"f:spec": {"f:nodeSelector": {".": {}}}}) == {"spec": {"nodeSelector": {}}}


@pytest.mark.parametrize("entries", [None, [], "x", [None], [{"manager": "us", "operation": "Apply"}]])
def test_missing_or_broken_entries_own_nothing(entries: Any) -> None:
    item = {**LIVE, "apiVersion": "v1", "metadata": {"name": "x", "managedFields": entries}}
    assert not applied_fields(item, "us")
