"""Reading manifests as kubectl does, and saying in one line where one is wrong."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING

import pytest

from app.cli.files import Manifest, parse, read, read_all
from app.cli.problem import FaultyManifest, Problem

if TYPE_CHECKING:
    from pathlib import Path

CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
JSON_HEAD = '"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}'


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
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(CONFIG_MAP.encode())))
    assert [manifest.origin for manifest in read(["-"])] == ["stdin:1"]


def test_a_date_stays_text_as_it_does_for_the_api_server() -> None:
    (manifest,) = parse(CONFIG_MAP + "data: {day: 2030-01-01}\n", "a")
    assert manifest.item["data"] == {"day": "2030-01-01"}


WRONG = [
    ("a tab", "a:\n\t- b\n", "bad.yaml:2: not valid YAML: found character that cannot start any token"),
    ("a key twice would silently lose one of them", "a: 1\na: 2\n", "bad.yaml:2: the key 'a' stands twice"),
    ("an unquoted yes is a boolean", "yes: 1\n", "bad.yaml:1: the key 'yes' is no text; quote it"),
    ("a list", "- a\n", "bad.yaml:1: not a Kubernetes object; a document is a map with apiVersion, kind and metadata"),
    (
        "no kind",
        "apiVersion: v1\nmetadata: {name: a}\n",
        "bad.yaml:1: kind is missing or no text; each needs apiVersion, kind and metadata.name",
    ),
    (
        "no name",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n",
        "bad.yaml:1: metadata.name is missing or no text; each needs apiVersion, kind and metadata.name",
    ),
    ("bytes", "a: !!binary aGk=\n", "bad.yaml:1: the tag !!binary is none that JSON has; leave it out"),
    ("a set", "a: !!set {b}\n", "bad.yaml:1: the tag !!set is none that JSON has; leave it out"),
    ("a type of one's own", "- !mine {b: c}\n", "bad.yaml:1: the tag !mine is none that JSON has; leave it out"),
    ("a number that is none", "a: !!int b\n", "bad.yaml:1: 'b' is no !!int"),
    ("JSON has no infinity", "a:\n  b: .inf\n", "bad.yaml:2: .inf is no number of JSON; write a number, or quote it"),
    ("no end to it", "a: &a {b: *a}\n", "bad.yaml:1: the anchor &a contains itself; write out what is meant"),
    ("an alias of nothing", "a: *b\n", "bad.yaml:1: the alias *b has no anchor before it"),
    ("a merge of no map", "a: {<<: 5}\n", "bad.yaml:1: << merges maps only"),
    ("a list as a key", "? [a]\n: b\n", "bad.yaml:1: a key is no text; keys are texts"),
    (
        "more levels than anything has",
        f"a: {'[' * 200}{']' * 200}\n",
        "bad.yaml:1: maps and lists are nested deeper than 100 levels; write less deeply",
    ),
    (
        "JSON of as many",
        f'{{"a": {"[" * 200}{"]" * 200}}}\n',
        "bad.yaml:1: maps and lists are nested deeper than 100 levels; write less deeply",
    ),
    (
        "a few hundred bytes that are a terabyte",
        "a: &a [x]\n"
        + "".join(f"{letter}: &{letter} [{', '.join(['*' + chr(ord(letter) - 1)] * 9)}]\n" for letter in "bcdefghijklm"),
        "bad.yaml:7: the aliases of the document stand for too much; kubectl refuses it too; write it out",
    ),
    ("half a character", '{"a": "\\ud83d"}', "bad.yaml:1: not valid YAML: found invalid Unicode character escape code"),
    ("a key twice in JSON", '{"a": 1,\n"a": 2}', "bad.yaml:2: the key 'a' stands twice"),
    (
        "a list of more than objects",
        "kind: List\nitems:\n- null\n",
        "bad.yaml:1: items[0] is no Kubernetes object; a document is a map with apiVersion, kind and metadata",
    ),
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


def test_after_a_document_that_is_no_json_the_next_one_is_read() -> None:
    fault, manifest = parse(f"a: !!set {{b}}\nc: [1, {{}}]\n---\n{CONFIG_MAP}", "a")
    assert isinstance(fault, FaultyManifest)
    assert str(manifest) == "ConfigMap a"


READABLE = [
    ("JSON beyond 16 bits", f'{{{JSON_HEAD}, "data": {{"a": "\\ud83d\\ude00"}}}}', {"a": "\U0001f600"}),
    ("JSON with tabs", f'{{\n\t{JSON_HEAD},\n\t"data":\t{{"a": "b\\/c"}}\n}}', {"a": "b/c"}),
    (
        "a map of YAML that begins as JSON does",
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: b}}",
        {"a": "b"},
    ),
    ("aliases", f"{CONFIG_MAP}data: {{a: &x b, c: *x}}\n", {"a": "b", "c": "b"}),
    ("what is merged gives way", f"{CONFIG_MAP}x: &x {{a: 1, b: 2}}\ndata: {{b: 3, <<: *x}}\n", {"a": 1, "b": 3}),
    ("the first of several merged", f"{CONFIG_MAP}data:\n  <<: [{{a: 1}}, {{a: 2, b: 2}}]\n", {"a": 1, "b": 2}),
    (
        "a tag that says what is there",
        f"{CONFIG_MAP}data: !!map {{a: !!str 5, b: !!int '7', c: !!seq []}}\n",
        {"a": "5", "b": 7, "c": []},
    ),
    ("a number beyond 64 bits", f"{CONFIG_MAP}data: {{a: {'9' * 26}}}\n", {"a": 1e26}),
    ("and in JSON", f'{{{JSON_HEAD}, "data": {{"a": {"9" * 26}, "b": 1e3}}}}', {"a": 1e26, "b": 1000}),
]


@pytest.mark.parametrize(("why", "text", "data"), READABLE, ids=[row[0] for row in READABLE])
def test_what_kubectl_reads_is_read(why: str, text: str, data: object) -> None:
    (manifest,) = parse(text, "a")
    assert isinstance(manifest, Manifest), manifest
    assert manifest.item["data"] == data, why


def test_two_documents_of_json_know_their_lines() -> None:
    first, second = parse(f"{{{JSON_HEAD}}}\n\n{{{JSON_HEAD}}}", "a")
    assert isinstance(first, Manifest)
    assert isinstance(second, Manifest)
    assert (first.origin, second.origin) == ("a:1", "a:3")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_part_of_the_text(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(CONFIG_MAP, encoding=encoding)
    assert [str(manifest) for manifest in read([str(tmp_path)])] == ["ConfigMap a"]


def test_what_is_no_file_in_a_folder_hides_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "link.yaml").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "z.yaml").write_text(CONFIG_MAP)
    manifests, faults = read_all([str(tmp_path)])
    assert [str(manifest) for manifest in manifests] == ["ConfigMap a"]
    assert [str(fault) for fault in faults] == [
        f"{tmp_path}/link.yaml: can't be read: No such file or directory; the link leads nowhere",
        f"{tmp_path}/pipe.yaml: not a regular file; name it itself if it is meant to be read",
    ]


def test_a_file_without_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("app.cli.files.MAX_MEBIBYTES", 1)
    (tmp_path / "a.yaml").write_bytes(b"#" * (2**20 + 1))
    with pytest.raises(FaultyManifest, match="more than 1 MiB; split the file"):
        read([str(tmp_path)])


@pytest.mark.parametrize("name", ["", "a" * 5000])
def test_a_name_that_no_file_can_have_is_a_wrong_call_in_one_short_line(name: str) -> None:
    with pytest.raises(Problem) as problem:
        read([name])
    assert problem.value.exit_code == 2
    assert len(str(problem.value)) < 300


def test_closed_standard_input_is_a_wrong_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(Problem, match="standard input is closed"):
        read(["-"])
