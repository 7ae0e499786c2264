"""What may be installed, held against the lists themselves. Needs no proxy."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from tests.contract.peer.installation import ENGINE, refuse_startup_files
from tests.contract.peer.process import PeerError
from tests.contract.peer.releases import RELEASES, Release

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("version", ["1.82.7", "1.82.8", "1.107.0", "1.107.3"])
def test_a_denied_release_cannot_even_be_named(version: str) -> None:
    with pytest.raises(ValueError, match="deny list"):
        Release("newest", version)


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)
def test_every_package_is_pinned_by_hash_and_says_no_address(release: Release) -> None:
    text = release.requirements.read_text()
    statements = re.sub(r"\\\n", " ", text).splitlines()
    packages = [line for line in statements if line and not line.startswith("#")]
    unpinned = [line for line in packages if not re.fullmatch(r"[a-z0-9.-]+==\S+( +--hash=sha256:[0-9a-f]{64})+ *", line)]
    assert unpinned == []
    assert any(line.startswith(f"litellm=={release.version} ") for line in packages)
    assert "://" not in text


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)
def test_the_commercially_licensed_package_is_left_out(release: Release) -> None:
    assert not re.search(r"^litellm-enterprise", release.requirements.read_text(), re.MULTILINE)


def test_every_module_of_the_engine_is_locked_by_digest_and_says_no_address() -> None:
    text = (ENGINE / "package-lock.json").read_text()
    modules = {name: module for name, module in json.loads(text)["packages"].items() if name}
    assert modules
    assert [name for name, module in modules.items() if not module["integrity"].startswith("sha512-")] == []
    assert "://" not in text


@pytest.mark.parametrize("name", ["litellm_init.pth", "sitecustomize.py", "usercustomize.py"])
def test_a_start_up_file_among_the_packages_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    with pytest.raises(PeerError, match=name):
        refuse_startup_files(tmp_path)
