"""Reading manifests as kubectl does, and saying in one line where one is wrong."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest

from app.cli.files import parse, read, read_all
from app.cli.problem import FaultyManifest, Problem

if TYPE_CHECKING:
    from pathlib import Path

CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"


def test_each_object_knows_where_it_is_written(tmp_path: Path) -> None:
    file = tmp_path / "two.yaml"
    file.write_text(f"# a comment\n{CONFIG_MAP}---\n---\n{CONFIG_MAP.replace('name: a', 'name: b')}")
    assert [manifest.origin for manifest in read([str(file)])] == [f"{file}:2", f"{file}:7"]


def test_a_list_is_taken_apart() -> None:
    text = "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n"
    assert [str(manifest) for manifest in parse(text, "list")] == ["ConfigMap a"]


def test_a_folder_is_read_whole_and_in_order(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b.yml").write_text(CONFIG_MAP)
    (tmp_path / "a.json").write_text('{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}')
    (tmp_path / "notes.txt").write_text("no object")
    assert [str(manifest) for manifest in read([str(tmp_path)])] == ["Secret s", "ConfigMap a"]


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(CONFIG_MAP))
    assert [manifest.origin for manifest in read(["-"])] == ["stdin:1"]


def test_a_date_stays_text_as_it_does_for_the_api_server() -> None:
    (manifest,) = parse(CONFIG_MAP + "data: {day: 2030-01-01}\n", "a")
    assert manifest.item["data"] == {"day": "2030-01-01"}


WRONG = [
    ("a tab", "a:\n\t- b\n", "bad.yaml:2: not valid YAML: found character that cannot start any token"),
    ("a key twice would silently lose one of them", "a: 1\na: 2\n", "bad.yaml:2: not valid YAML: the key 'a' stands twice"),
    ("an unquoted yes is a boolean", "yes: 1\n", "bad.yaml:1: not valid YAML: the key 'yes' is no text; quote it"),
    ("a list", "- a\n", "bad.yaml:1: not a Kubernetes object; a document is a map with apiVersion, kind and metadata"),
    ("no kind", "apiVersion: v1\nmetadata: {name: a}\n", "bad.yaml:1: kind is missing or no text"),
    ("no name", "apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n", "bad.yaml:1: metadata.name is missing or no text"),
]


@pytest.mark.parametrize(("why", "text", "message"), WRONG, ids=[row[0] for row in WRONG])
def test_what_is_wrong_is_said_with_its_place(why: str, text: str, message: str) -> None:
    (fault,) = parse(text, "bad.yaml")
    assert isinstance(fault, FaultyManifest)
    assert str(fault) == message, why


def test_a_fault_hides_no_other_object(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(f"kind: ConfigMap\n---\n{CONFIG_MAP}")
    (tmp_path / "b.yaml").write_bytes(b"\xff")
    (tmp_path / "c.yaml").write_text(CONFIG_MAP)
    manifests, faults = read_all([str(tmp_path)])
    assert [manifest.origin for manifest in manifests] == [f"{tmp_path}/a.yaml:3", f"{tmp_path}/c.yaml:1"]
    assert [fault.where for fault in faults] == [f"{tmp_path}/a.yaml:1", f"{tmp_path}/b.yaml"]
    with pytest.raises(FaultyManifest, match="apiVersion is missing or no text"):
        read([str(tmp_path)])


def test_nothing_to_read_is_a_problem_and_not_a_success(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="no Kubernetes object in the given files"):
        read([str(tmp_path)])
    with pytest.raises(Problem, match="no such file or folder"):
        read([str(tmp_path / "absent.yaml")])
