"""Commands as a user runs them, in this process, and their reviewed output.

``make golden`` writes the outputs again; review the difference like code. A command that ends with another exit code than
its file is not written: put the new code into the file first, if it is meant.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from app.cli import main

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "golden" / "cli"

EXAMPLES = "examples/litellm-instance"
COMMANDS = {
    "help": ["--help"],
    "simulate": ["simulate", "-f", f"{EXAMPLES}/copied-from-managed.yaml", "--delete"],
    "simulate-managed": ["simulate", "-f", f"{EXAMPLES}/managed.yaml"],
    "simulate-json": ["simulate", "-f", f"{EXAMPLES}/attach.yaml", "-o", "json"],
    "lint": ["lint", "-f", "examples"],
    "lint-broken": ["lint", "-f", "tests/golden/cli/broken.yaml"],
    "lint-broken-json": ["lint", "-f", "tests/golden/cli/broken.yaml", "-o", "json"],
    "render": ["render", "-f", f"{EXAMPLES}/attach.yaml"],
    "render-managed-tree": ["render", "-f", f"{EXAMPLES}/managed.yaml", "--tree"],
    "render-tree": ["render", "-f", f"{EXAMPLES}/attach.yaml", "--tree"],
}
"""The commands with a reviewed output, run from the root of the checkout."""


@dataclass(frozen=True)
class Outcome:
    """What a shell sees."""

    code: int
    out: str
    err: str

    def text(self) -> str:
        """All of it, as a golden file has it."""
        errors = "".join(f"stderr: {line}\n" for line in self.err.splitlines())
        return f"{self.out}{errors}{self.ending}"

    @property
    def ending(self) -> str:
        """The last line of a golden file."""
        return f"exit code {self.code}\n"


def palena(*arguments: str, folder: Path = ROOT) -> Outcome:
    """Run ``palena`` with these arguments in a folder."""
    out, err, argv = io.StringIO(), io.StringIO(), sys.argv
    code: int | str | None = 0
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        sys.argv = ["palena", *arguments]
        try:
            main()
        except SystemExit as end:
            code = end.code
        finally:
            sys.argv = argv
    assert isinstance(code, int), code
    return Outcome(code, out.getvalue(), err.getvalue())


def write() -> None:
    """Write every output again, or none when one command ends otherwise than its file says."""
    os.environ["COLUMNS"] = "100"
    outcomes = {GOLDEN / f"{name}.txt": palena(*arguments) for name, arguments in COMMANDS.items()}
    for path, outcome in outcomes.items():
        if path.exists() and not path.read_text("utf-8").endswith(outcome.ending):
            sys.exit(f"{path.relative_to(ROOT)}: the command ended with exit code {outcome.code}\n{outcome.err}")
    for path, outcome in outcomes.items():
        path.write_text(outcome.text(), "utf-8")


if __name__ == "__main__":
    write()
