"""What is made of each sample, held to the reviewed file."""

from __future__ import annotations

import pytest
import yaml

from app.proxyconfig import config, config_text
from tests.unit.proxyconfig.golden_files import FOLDER, texts
from tests.unit.proxyconfig.samples import SAMPLES, instance

TEXTS = texts()


@pytest.mark.parametrize("name", TEXTS)
def test_the_configuration_is_the_reviewed_one(name: str) -> None:
    assert TEXTS[name] == (FOLDER / f"{name}.yaml").read_text("utf-8")


def test_no_reviewed_file_is_left_over() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == TEXTS.keys()


@pytest.mark.parametrize("name", SAMPLES)
def test_the_file_says_what_was_decided(name: str) -> None:
    decided = config(instance(**SAMPLES[name]))
    assert yaml.safe_load(config_text(decided)) == decided
