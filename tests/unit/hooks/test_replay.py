"""Keeping children: by what each one carries, and never by less than that."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from app.hooks import Object, Observed, replay, replay_all
from app.hooks.errors import AnswerRefused
from app.hooks.objects import CONTROLLER_UID, LAST_APPLIED

IDENTITY = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "box", "namespace": "play"}}


def observed(record: str | None = None, managed: list[Object] | None = None, **fields: Any) -> Object:
    metadata: Object = {**IDENTITY["metadata"], "uid": "u", "resourceVersion": "7", "labels": {CONTROLLER_UID: "p"}}  # type: ignore[dict-item]
    if record is not None:
        metadata["annotations"] = {LAST_APPLIED: record, "other": "kept by others"}
    if managed is not None:
        metadata["managedFields"] = managed
    return {**IDENTITY, "metadata": metadata, "data": {"ours": "1", "theirs": "2"}} | fields


def applied(fields: Object, manager: str = "metacontroller", operation: str = "Apply", **more: Any) -> Object:
    return {"manager": manager, "operation": operation, "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": fields} | more


def replayed(child: Object) -> Any:
    return orjson.loads(replay(child).body)


def test_the_last_applied_record_is_returned_as_it_is() -> None:
    text = (
        '{"apiVersion":"v1", "data":{"ours":"\\u003c1\\u003e"},"kind":"ConfigMap","metadata":{"name":"box","namespace":"play"}}'
    )
    assert [replay(observed(text)).body for _ in range(2)] == [text.encode()] * 2, "the first time it is read, then remembered"


def test_a_remembered_record_that_moves_to_another_object_is_not_taken_for_its_own() -> None:
    text = orjson.dumps(IDENTITY | {"data": {"ours": "moved"}}).decode()
    child = observed(text)
    assert replayed(child) == IDENTITY | {"data": {"ours": "moved"}}
    child["metadata"]["name"] = "another"
    assert replayed(child)["metadata"] == {"name": "another", "namespace": "play"}


def test_the_record_wins_over_managed_fields() -> None:
    child = observed(orjson.dumps(IDENTITY | {"data": {"ours": "1"}}).decode(), [applied({"f:data": {"f:theirs": {}}})])
    assert replayed(child)["data"] == {"ours": "1"}


def test_a_record_copied_from_another_object_does_not_change_the_identity() -> None:
    child = observed(orjson.dumps(IDENTITY | {"metadata": {"name": "another", "namespace": "elsewhere"}}).decode())
    assert replayed(child)["metadata"] == {"name": "box", "namespace": "play"}


def test_a_null_in_the_record_stays_since_dropping_it_would_remove_what_others_put_there() -> None:
    record = IDENTITY | {"metadata": {"creationTimestamp": None} | IDENTITY["metadata"], "data": None}  # type: ignore[operator]
    assert replayed(observed(orjson.dumps(record).decode())) == record


def test_an_owner_reference_that_an_answer_gave_stays_in_the_replay() -> None:
    owner = {"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "n"}
    record = IDENTITY | {"metadata": IDENTITY["metadata"] | {"ownerReferences": [owner]}}  # type: ignore[operator]
    assert replayed(observed(orjson.dumps(record).decode())) == record


@pytest.mark.parametrize(
    ("escaped", "read"),
    [
        (r"a\ud800b", "a\ufffdb"),
        (r"\udc00", "\ufffd"),
        (r"\ud83d\ude00 \ud83d", "\U0001f600 \ufffd"),
    ],
)
def test_half_of_a_character_in_the_record_is_read_as_metacontroller_reads_it(escaped: str, read: str) -> None:
    record = orjson.dumps(IDENTITY | {"data": {"ours": "@", "number": 12345678901234567890}}).decode().replace("@", escaped)
    for _ in range(2):
        assert replayed(observed(record))["data"] == {"ours": read, "number": 12345678901234567890}
    assert replayed(observed(record.replace('"ours"', f'"{escaped}"')))["data"][read] == read


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ('{"data":' + "[" * 5000 + "]" * 5000 + "}", "no parser of ours reads it"),
        ('{"data":' + "[" * 500 + "]" * 500 + "}", "it is read, but cannot be written under the child's identity"),
    ],
)
def test_a_record_that_only_we_cannot_handle_fails_the_answer_instead_of_emptying_the_child(record: str, why: str) -> None:
    with pytest.raises(AnswerRefused, match="ConfigMap play/box is nested too deeply"):
        raise AssertionError(f"{why}: {replay(observed(record))}")


@pytest.mark.parametrize("record", ["", "{", "[]", "null", '"text"', '{"data": NaN}', '{"data": 1e999}'])
def test_a_record_that_cannot_be_read_leaves_the_identity(record: str) -> None:
    assert replayed(observed(record)) == IDENTITY


def test_without_a_record_our_applied_fields_are_returned() -> None:
    fields = {"f:data": {"f:ours": {}}, "f:metadata": {"f:labels": {f"f:{CONTROLLER_UID}": {}}, "f:ownerReferences": {}}}
    child = observed(managed=[applied(fields), applied({"f:data": {"f:theirs": {}}}, "kubectl", "Update")])
    assert replayed(child) == {
        **IDENTITY,
        "metadata": {**IDENTITY["metadata"], "labels": {CONTROLLER_UID: "p"}},  # type: ignore[dict-item]
        "data": {"ours": "1"},
    }


def test_fields_that_another_manager_or_an_update_owns_are_not_ours() -> None:
    fields = {"f:data": {"f:ours": {}}}
    child = observed(
        managed=[applied(fields, "argocd"), applied(fields, operation="Update"), applied(fields, subresource="status")]
    )
    assert replayed(child) == IDENTITY


def test_a_child_without_any_trace_of_us_is_returned_by_its_identity() -> None:
    assert replayed(observed()) == IDENTITY


def test_terminating_children_are_not_replayed_and_kinds_are_told_apart() -> None:
    going = observed()
    going["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "box", "namespace": "play"}}
    groups = {"ConfigMap.v1": {"play/box": going, "play/two": observed()}, "Service.v1": {"play/box": service}}
    assert [kept.observed["kind"] for kept in replay_all(Observed(groups))] == ["ConfigMap", "Service"]


def test_the_order_of_what_was_sent_does_not_matter() -> None:
    groups = {"B.v1": {"n/2": observed(), "n/1": observed()}, "A.v1": {"n/1": observed()}}
    turned = {key: dict(reversed(group.items())) for key, group in reversed(groups.items())}
    assert replay_all(Observed(groups)) == replay_all(Observed(turned))


@pytest.mark.parametrize("mark", [None, ""])
def test_a_deletion_time_without_a_value_is_none(mark: Any) -> None:
    child = observed()
    child["metadata"]["deletionTimestamp"] = mark
    assert [kept.observed["metadata"]["name"] for kept in replay_all(Observed({"ConfigMap.v1": {"play/box": child}}))] == ["box"]
