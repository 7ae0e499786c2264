"""The golden exchanges, and that a second sync changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.apis.litellm.instance import LiteLLMInstanceStatus
from tests.unit.controllers.golden_files import FILES, answer, load

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_answer_is_the_reviewed_one(path: Path) -> None:
    case = load(path)
    assert answer(case) == case["answer"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_second_sync_answers_the_same(path: Path) -> None:
    case = load(path)
    parent = {**case["parent"], "status": case["answer"]["status"]}
    assert answer({**case, "parent": parent}) == case["answer"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_schema_has_every_field_of_the_status(path: Path) -> None:
    """A field outside the schema is pruned, and then written again on every sync."""
    status = load(path)["answer"]["status"]
    assert LiteLLMInstanceStatus.model_validate(status).model_dump(by_alias=True, exclude_none=True) == status
