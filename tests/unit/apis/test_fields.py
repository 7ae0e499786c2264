"""The schema of every kind against a table of the API, written from its reference and not from the models.

Manifests in the wild rely on every line of it: a change there is a change of the API.
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


@pytest.mark.parametrize(
    "field", [field for kind in KIND for field in table(kind)], ids=lambda field: f"{field.kind}.{field.part}.{field.path}"
)
def test_a_field_of_the_api_has_its_type_requirement_default_and_validation(field: Field) -> None:
    row = schema_rows(field.kind, field.part).get(field.path)
    assert row is not None, f"{field.part}.{field.path} is missing"
    default = json.dumps(row.schema["default"]) if "default" in row.schema else ""
    valid = validation(row.schema)
    assert (type_name(row.schema), row.required, default, valid) == (field.type, field.required, field.default, field.valid)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("kind", KIND)
def test_no_field_is_added_without_a_line_in_the_table(kind: str, part: str) -> None:
    have = schema_rows(kind, part)
    inner = {path for path in have if any(other.startswith((f"{path}.", f"{path}[", f"{path}{{")) for other in have)}
    assert have.keys() - inner <= {field.path for field in table(kind) if field.part == part}


def test_the_spec_has_the_44_fields_of_the_api_and_patches() -> None:
    fields = LITELLM_INSTANCE.schema()["properties"]["spec"]["properties"]
    assert len(fields) == 45
    assert "patches" in fields
