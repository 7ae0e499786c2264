"""Whatever comes in: a defined answer, no lost child, and a guard that agrees with itself."""

from __future__ import annotations

from typing import Any

import orjson
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.hooks import Object, Observed, SyncRequest, SyncResponse, replay_all
from app.hooks.canonical.form import canonicalise
from app.hooks.guard import Place, place_breaches
from app.hooks.objects import LAST_APPLIED, object_key, resource_key, terminating
from tests.unit.hooks.toys import RULES, body, post, toy

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(["a", "b", "c.d"])
WORDS = ["metadata", "spec", "name", "env", "ports", "containerPort", "value", "limits", "cpu", "data", "labels", "tty"]
KUBERNETES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.sampled_from(["", "1000m", "1024Mi", "x"]) | st.sampled_from([1.0, 0.5]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    max_leaves=20,
)


@st.composite
def observed_children(draw: st.DrawFn) -> Observed:
    """Children as they may be found, with records and managed fields of any content."""
    groups: dict[str, dict[str, Object]] = {rule.resource.key: {} for rule in RULES}
    for rule in RULES:
        for name in draw(st.sets(NAMES)):
            metadata: Object = {"name": name, "namespace": "play"}
            record = draw(st.none() | JSON.map(lambda value: orjson.dumps(value).decode()) | st.text(max_size=10))
            metadata |= {} if record is None else {"annotations": {LAST_APPLIED: record}}
            metadata |= draw(st.sampled_from([{}, {"deletionTimestamp": "2026-01-01T00:00:00Z"}]))
            trees = [{"manager": "metacontroller", "operation": "Apply", "fieldsV1": draw(JSON)}]
            metadata |= {"managedFields": draw(st.sampled_from([trees, []]))}
            child = {"apiVersion": rule.resource.api_version, "kind": rule.resource.kind, "metadata": metadata}
            groups[rule.resource.key][f"play/{name}"] = child
    return Observed(groups)


def replaying(request: SyncRequest, context: Any) -> SyncResponse:
    return SyncResponse(status={}, children=[], retained=replay_all(request.children))


@given(JSON)
async def test_any_json_gets_a_client_error(content: Any) -> None:
    answer = await post(toy(sync=replaying), orjson.dumps(content))
    assert answer.status_code == 400
    assert len(answer.text.splitlines()) == 1


@given(st.sampled_from(sorted(body())), st.none() | JSON)
async def test_one_wrong_field_never_ends_in_a_server_error(field: str, value: Any) -> None:
    answer = await post(toy(sync=replaying), orjson.dumps(body() | {field: value}))
    assert answer.status_code in (200, 400)


@given(st.binary(max_size=40))
async def test_any_bytes_get_a_client_error(content: bytes) -> None:
    assert (await post(toy(sync=replaying), content)).status_code == 400


@given(observed_children())
def test_replay_never_loses_a_child_and_never_breaks_the_contract(observed: Observed) -> None:
    kept = replay_all(observed)
    wanted = [(resource_key(child), object_key(child)) for child in observed.objects() if not terminating(child)]
    answered = [orjson.loads(child.body) for child in kept]
    assert [(resource_key(child), object_key(child)) for child in answered] == wanted
    declared = {rule.resource.key: rule.resource for rule in RULES}
    place = Place("play", declared, declared.keys())
    assert [breach for child in answered for breach in place_breaches(child, place, retained=True)] == []


@given(observed_children())
@settings(max_examples=30)
async def test_replayed_children_are_answered_over_http(observed: Observed) -> None:
    answer = await post(toy(sync=replaying), body() | {"children": observed.groups})
    assert answer.status_code == 200
    assert len(answer.json()["children"]) == len(replay_all(observed))


@example({"limits": {"tty": False, "spec": None}}, "v1")
@example({"metadata": [None, {"limits": {"metadata": False}}]}, "v1")
@given(st.dictionaries(st.sampled_from(WORDS), KUBERNETES, max_size=5), st.sampled_from(["v1", "apps/v1", "example.com/v1"]))
def test_the_canonical_form_is_canonical(fields: Object, api_version: str) -> None:
    form, _, unreadable = canonicalise(fields | {"apiVersion": api_version, "kind": "Secret"})
    again = canonicalise(form)
    assert (again.form, again.changes) == (form, [])
    # Not their paths: those before tell the place in what was given, where a dropped null still counts.
    assert [change.problem for change in again.unreadable] == [change.problem for change in unreadable]
