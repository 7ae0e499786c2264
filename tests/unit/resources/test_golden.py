"""The objects of the sample gateways are those that were reviewed."""

from __future__ import annotations

import pytest

from tests.unit.resources.golden_files import FOLDER, SPECS, texts


@pytest.mark.parametrize("name", SPECS)
def test_the_objects_are_as_reviewed(name: str) -> None:
    file = f"{name}.yaml"
    assert texts()[file] == (FOLDER / file).read_text(encoding="utf-8")
