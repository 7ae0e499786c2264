"""``tools/venv`` on machines where something is missing: it says what was found and what to do, before anything is made."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[2]
PROGRAMS = ("cat", "dirname", "rm", "sed", "sh")

GOOD = f'exec "{sys.executable}" "$@"'
OLD = 'case "$2" in *print*) echo 3.9.2 ;; *) exit 1 ;; esac'
WITHOUT_VENV = f'case "$2" in *ensurepip*) exit 1 ;; esac\n{GOOD}'
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"

UNUSABLE = [
    ({}, {}, "none was found", "apt-get install python3 python3-venv"),
    ({"python3": OLD}, {}, "python3 is Python 3.9.2, which is too old", "apt-get install python3.11 python3.11-venv"),
    ({"python3": WITHOUT_VENV}, {}, "without its venv module", f"apt-get install python{VERSION}-venv"),
    ({}, {"PYTHON": "no-such-python"}, "PYTHON=no-such-python does not run", "Set it to a Python 3.11 or newer"),
    ({"old": OLD, "python3": GOOD}, {"PYTHON": "old"}, "PYTHON=old is Python 3.9.2", "Set it to a Python 3.11 or newer"),
]


def make(machine: Path, pythons: Mapping[str, str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run the script in a checkout of its own, on a machine that has only these interpreters."""
    programs, checkout = machine / "bin", machine / "checkout"
    programs.mkdir()
    (checkout / "tools").mkdir(parents=True)
    (checkout / "requirements.txt").touch()
    shutil.copy(ROOT / "tools" / "venv", checkout / "tools")
    for program in PROGRAMS:
        (programs / program).symlink_to(shutil.which(program) or program)
    for name, body in pythons.items():
        (programs / name).write_text(f"#!/bin/sh\n{body}\n")
        (programs / name).chmod(0o755)
    command = [checkout / "tools" / "venv", "made", "requirements.txt"]
    return subprocess.run(command, env={"PATH": str(programs), **environment}, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("pythons", "environment", "why", "remedy"), UNUSABLE)
def test_without_a_usable_python_it_says_what_was_found_and_what_to_do(
    pythons: dict[str, str], environment: dict[str, str], why: str, remedy: str, tmp_path: Path
) -> None:
    done = make(tmp_path, pythons, environment)
    assert done.returncode == 1
    assert why in done.stderr
    assert remedy in done.stderr
    assert not (tmp_path / "checkout" / "made").exists()


def test_a_later_candidate_is_taken_when_the_first_has_no_venv_module(tmp_path: Path) -> None:
    makes_nothing = f'case "$1" in -m) echo "made by $0" >&2; exit 1 ;; esac\n{GOOD}'
    done = make(tmp_path, {"python3": WITHOUT_VENV, "python3.12": makes_nothing}, {})
    assert "made by" in done.stderr
    assert "python3.12" in done.stderr
