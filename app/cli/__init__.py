"""The ``palena`` command.

``palena serve`` is the container's process: it goes straight to the service and imports nothing of the command line. Every
other command needs the ``cli`` extra and says so when it is missing.
"""

from __future__ import annotations

import sys

EXTRA = frozenset({"jsonschema", "lightkube", "rich", "typer", "yaml"})
"""What the extra brings and the service does without."""


def main() -> None:
    """The entry point. Exit code 0 is success, 1 a finding (a broken rule, a difference), 2 a command that can't be done."""
    if sys.argv[1:] == ["serve"]:
        from app.cli.serve import serve

        sys.exit(serve())
    try:
        from app.cli.application import run
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] not in EXTRA:
            raise
        remedy = "every command but serve needs it: pip install 'palena[cli]'"
        sys.stderr.write(f"palena: {missing.name} is not installed; {remedy}\n")
        sys.exit(2)
    run()
