"""The schema of every kind against a table of the API, written from its reference and not from the models.

Manifests in the wild rely on every line of it: a change there is a change of the API. Columns are separated by tabs: spec or
status, path, type, ``required`` or nothing, default as JSON, validation; the last four as the reference page writes them.
"""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from app.apis.litellm.instance import LITELLM_INSTANCE
from app.generate.reference import Row, rows, type_name, validation
from app.registry import KINDS

FOLDER = Path(__file__).parent
PARTS = ("spec", "status")
KIND = {kind.singular: kind for kind in KINDS}


@dataclass(frozen=True)
class Field:
    kind: str
    part: str
    path: str
    type: str
    required: bool
    default: str
    valid: str

    def line(self) -> str:
        required = "required" if self.required else ""
        return "\t".join((self.part, self.path, self.type, required, self.default, self.valid))


@cache
def table(kind: str) -> list[Field]:
    with (FOLDER / f"{kind}_fields.tsv").open(encoding="utf-8", newline="") as lines:
        return [
            Field(kind, line["part"], line["path"], line["type"], line["required"] == "required", line["default"], line["valid"])
            for line in csv.DictReader(lines, dialect="excel-tab", quoting=csv.QUOTE_NONE)
        ]


@cache
def schema_rows(kind: str, part: str) -> dict[str, Row]:
    return {row.path: row for row in rows(KIND[kind].schema(expand_core=False)["properties"][part])}


def declared(kind: str, part: str, row: Row) -> Field:
    default = json.dumps(row.schema["default"]) if "default" in row.schema else ""
    return Field(kind, part, row.path, type_name(row.schema), row.required, default, validation(row.schema))


@pytest.mark.parametrize(
    "field", [field for kind in KIND for field in table(kind)], ids=lambda field: f"{field.kind}.{field.part}.{field.path}"
)
def test_a_field_of_the_api_has_its_type_requirement_default_and_validation(field: Field) -> None:
    row = schema_rows(field.kind, field.part).get(field.path)
    assert row is not None, f"{field.part}.{field.path} is in {field.kind}_fields.tsv and no longer in the schema"
    assert declared(field.kind, field.part, row) == field


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("kind", KIND)
def test_no_field_is_added_without_a_line_in_the_table(kind: str, part: str) -> None:
    have = schema_rows(kind, part)
    inner = {path for path in have if any(other.startswith((f"{path}.", f"{path}[", f"{path}{{")) for other in have)}
    new = have.keys() - inner - {field.path for field in table(kind) if field.part == part}
    lines = [declared(kind, part, row).line() for path, row in have.items() if path in new]
    assert not lines, "\n".join([f"fields without a line in {kind}_fields.tsv; check what is declared and add:", *lines])


def test_the_spec_has_the_44_fields_of_the_api_and_patches() -> None:
    fields = LITELLM_INSTANCE.schema()["properties"]["spec"]["properties"]
    assert len(fields) == 45
    assert "patches" in fields
