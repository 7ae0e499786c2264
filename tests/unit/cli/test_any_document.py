"""No document, however odd, ends a command otherwise than by one line and an exit code."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.cases.validation_messages import CRD
from tests.unit.cli.command import EXAMPLES, ROOT, palena

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.hooks.objects import Object

COMMANDS = (["lint"], ["render", "--tree"], ["simulate", "--delete"])

SAMPLE: Object = {
    "apiVersion": "toy.example.com/v1",
    "kind": "Sample",
    "metadata": {"name": "s", "labels": {"a": "b"}, "annotations": {"a": "b"}, "finalizers": ["example.com/a"]},
    "spec": {"name": "abc", "replicas": 1, "endpoint": "http://a", "listed": [{"name": "a"}]},
}
PATCHED: Object = {
    "apiVersion": "litellm.palena.ai/v1alpha1",
    "kind": "LiteLLMInstance",
    "metadata": {"name": "gw", "namespace": "ai"},
    "spec": {
        "workload": {"managed": False, "endpoint": "http://litellm.ai.svc:4000"},
        "masterKey": {"secretRef": {"name": "keys", "key": "MASTER"}},
        "database": {},
        "patches": [{"target": {"kind": "Service"}, "patch": [{"op": "add", "path": "/metadata/labels/a", "value": "b"}]}],
    },
}
BUILT_IN: list[Object] = [
    {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "keys", "namespace": "ai"}, "data": {"MASTER": "aGk="}},
    {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "keys"}, "stringData": {"MASTER": "sk-1"}, "type": "Opaque"},
    {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ai", "labels": {"a": "b"}}},
    {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "d", "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}]},
        "spec": {"replicas": 1, "selector": {"matchLabels": {"a": "b"}}},
        "status": {"conditions": [{"type": "Available", "status": "True"}]},
    },
]
EXAMPLE: list[Object] = [item for item in yaml.safe_load_all((ROOT / EXAMPLES / "attach.yaml").read_text("utf-8")) if item]
SOUND: list[Object] = [*EXAMPLE, PATCHED, *BUILT_IN, CRD, SAMPLE]

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8)
values = scalars | st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3), max_leaves=6
)


def places(value: Any) -> list[tuple[str | int, ...]]:
    """The paths of all parts of a value."""
    parts: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        parts = list(value.items())
    elif isinstance(value, list):
        parts = list(enumerate(value))
    return [(), *((step, *place) for step, part in parts for place in places(part))]


def replaced(value: Any, place: tuple[str | int, ...], other: Any) -> Any:
    """A copy with another part at a place."""
    if not place:
        return other
    copy = value.copy()
    copy[place[0]] = replaced(value[place[0]], place[1:], other)
    return copy


@st.composite
def nearly_sound(draw: st.DrawFn) -> str:
    """All sound objects, some of their parts changed, as YAML or as JSON."""
    items: list[Any] = SOUND
    for _ in range(draw(st.integers(1, 2))):
        position = draw(st.integers(0, len(SOUND) - 1))
        place = draw(st.sampled_from(places(items[position])))
        items = replaced(items, (position, *place), draw(values))
    return draw(st.sampled_from(FORMS))(items)


def as_list(items: list[Any]) -> str:
    """A ``List``, which is taken apart."""
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items})


FORMS: tuple[Callable[[list[Any]], str], ...] = (yaml.safe_dump_all, lambda items: "\n".join(map(json.dumps, items)), as_list)

punctuation = st.text("{}[]:,-&*!|>?#'\"%@`\\\n \tab01<=.~", max_size=40)


def look(text: str) -> None:
    """Run every command on the text and hold it to its promise."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "a.yaml").write_text(text, "utf-8", errors="surrogatepass", newline="")
        for command in COMMANDS:
            outcome = palena(*command, "a.yaml", folder=Path(folder))
            said = f"{command}: {outcome.text()}"
            assert outcome.code in (0, 1) or outcome.err.startswith("palena: no Kubernetes object"), said
            assert "Traceback" not in outcome.err, said
            assert "a bug of palena" not in outcome.err, said


@settings(max_examples=20)
@given(nearly_sound())
def test_objects_with_anything_in_the_place_of_a_part(text: str) -> None:
    look(text)


@settings(max_examples=12)
@given(values.map(json.dumps) | values.map(yaml.safe_dump) | st.text(max_size=40) | punctuation)
@example("\x00")
@example("a: \x85")
@example("%YAML 3.0\n---\na: b\n")
@example("- &a\n- *a : b\n")
@example('{"a": "\ud83d"}')
def test_any_text(text: str) -> None:
    look(text)


HEAD = "apiVersion: litellm.palena.ai/v1alpha1\nkind: LiteLLMInstance\n"
FOUND = [
    ("spec: foo", 'spec: Invalid value: "string": spec in body must be of type object: "string"'),
    ("spec: [1]", 'spec: Invalid value: "array": spec in body must be of type object: "array"'),
    ("spec: {patches: 5}", 'spec.patches: Invalid value: "integer": spec.patches in body must be of type array: "integer"'),
    ("spec: {patches: [1]}", 'spec.patches[0]: Invalid value: "integer": spec.patches[0] in body must be of type object'),
    ("spec: {patches: [{patch: 5}]}", 'spec.patches[0].patch: Invalid value: "integer": spec.patches[0].patch in body must be'),
    ("spec: {patches: [{patch: [1]}]}", 'spec.patches[0].patch[0]: Invalid value: "integer": spec.patches[0].patch[0] in body'),
    ("spec: {replicas: 99999999999999999999999999}", 'spec.replicas: Invalid value: "float64": spec.replicas in body must be of'),
]


@pytest.mark.parametrize(("content", "text"), FOUND)
def test_a_part_of_another_type_is_refused_by_the_schema(content: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(f"{HEAD}metadata: {{name: gw}}\n{content}\n")
    outcome = palena("lint", "a.yaml", folder=tmp_path)
    assert outcome.code == 1
    assert text in outcome.out


def test_a_secret_that_is_none_is_told_beside_the_reference_to_it(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(yaml.safe_dump_all([PATCHED, {**BUILT_IN[0], "data": "foo"}]))
    outcome = palena("lint", "a.yaml", folder=tmp_path)
    assert outcome.code == 1
    assert "Go struct field Secret.data of type map[string][]uint8" in outcome.out
    assert "spec.masterKey.secretRef: Secret ai/keys in a.yaml:" in outcome.out


def test_metadata_of_other_types_is_refused_in_the_servers_words_also_for_kinds_that_are_not_ours(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(f"{HEAD}metadata: {{name: gw, namespace: 5}}\n---\n{{{HEAD_OF_ANOTHER}, labels: 5}}}}\n")
    ours, theirs, _ = palena("lint", "a.yaml", folder=tmp_path).out.splitlines()
    assert ours.endswith("json: cannot unmarshal number into Go struct field ObjectMeta.namespace of type string")
    assert theirs.endswith("json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string")


HEAD_OF_ANOTHER = "apiVersion: foo/v1, kind: Foo, metadata: {name: a"
