"""The schema of LiteLLMInstance against a table of the API, written from its reference and not from the models.

Manifests in the wild rely on every line of it: a change there is a change of the API. Columns are separated by tabs: spec or
status, path, type, ``required`` or nothing, default as JSON, validation; the last four as the reference page writes them.
"""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.apis.litellm.instance import LITELLM_INSTANCE
from app.generate.reference import Row, rows, type_name, validation

TABLE = Path(__file__).with_name("litellminstance_fields.tsv")
PARTS = ("spec", "status")


@dataclass(frozen=True)
class Field:
    part: str
    path: str
    type: str
    required: bool
    default: str
    valid: str

    def line(self) -> str:
        required = "required" if self.required else ""
        return "\t".join((self.part, self.path, self.type, required, self.default, self.valid))


def table() -> list[Field]:
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return [
            Field(line["part"], line["path"], line["type"], line["required"] == "required", line["default"], line["valid"])
            for line in csv.DictReader(lines, dialect="excel-tab", quoting=csv.QUOTE_NONE)
        ]


def schema_rows(part: str) -> dict[str, Row]:
    return {row.path: row for row in rows(LITELLM_INSTANCE.schema(expand_core=False)["properties"][part])}


ROWS = {part: schema_rows(part) for part in PARTS}


def declared(part: str, row: Row) -> Field:
    default = json.dumps(row.schema["default"]) if "default" in row.schema else ""
    return Field(part, row.path, type_name(row.schema), row.required, default, validation(row.schema))


@pytest.mark.parametrize("field", table(), ids=lambda field: f"{field.part}.{field.path}")
def test_a_field_of_the_api_has_its_type_requirement_default_and_validation(field: Field) -> None:
    row = ROWS[field.part].get(field.path)
    assert row is not None, f"{field.part}.{field.path} is in {TABLE.name} and no longer in the schema"
    assert declared(field.part, row) == field


@pytest.mark.parametrize("part", PARTS)
def test_no_field_is_added_without_a_line_in_the_table(part: str) -> None:
    have = ROWS[part]
    inner = {path for path in have if any(other.startswith((f"{path}.", f"{path}[", f"{path}{{")) for other in have)}
    new = have.keys() - inner - {field.path for field in table() if field.part == part}
    lines = [declared(part, row).line() for path, row in have.items() if path in new]
    assert not lines, "\n".join([f"fields without a line in {TABLE}; check what is declared and add:", *lines])


def test_the_spec_has_the_44_fields_of_the_api_and_patches() -> None:
    fields = LITELLM_INSTANCE.schema()["properties"]["spec"]["properties"]
    assert len(fields) == 45
    assert "patches" in fields
