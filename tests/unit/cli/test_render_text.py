"""What ``palena render`` writes means to kubectl what it meant to the hooks."""

from __future__ import annotations

import pytest

from app.cli.files import Manifest, parse
from app.cli.options import Format
from app.cli.render import text


@pytest.mark.parametrize("output", Format)
def test_what_is_written_is_read_as_what_it_was(output: Format) -> None:
    shared = {"a": "b"}
    data = {
        "yes": "y",
        "number": "1e3",
        "octal": "0o17",
        "time": "1:30",
        "empty": "",
        "long": "a b\n" * 50,
        "one": shared,
        "two": shared,
    }
    child = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": data}
    written = text([child], output)
    assert "&" not in written
    if output is Format.YAML:
        (manifest,) = parse(written, "a")
        assert isinstance(manifest, Manifest)
        assert manifest.item == child
