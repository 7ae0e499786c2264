"""The ``palena`` command.

``palena serve`` is the container's process: it goes straight to the service and imports nothing of the command line. Every
other command needs the ``cli`` extra and says so when it is missing.
"""

from __future__ import annotations

import io
import signal
import sys

EXTRA = frozenset({"jsonschema", "lightkube", "rich", "typer", "yaml"})
"""What the extra brings and the service does without."""

INTERRUPTED = 130
"""The exit code of a command that Ctrl-C ended: 128 and the number of the signal."""


def main() -> None:
    """The entry point.

    Exit code 0 is success, 1 a finding (a broken rule, a difference), 2 a command that can't be done, 3 a comparison that is
    not over.
    """
    try:
        _main()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _main() -> None:
    if sys.argv[1:] == ["serve"]:
        from app.cli.serve import serve

        sys.exit(serve())
    # A stream that the shell has closed is none.
    sys.stdout, sys.stderr = sys.stdout or io.StringIO(), sys.stderr or io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        # A terminal that can't show a character shows a question mark; it is no reason to fail.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    # Ctrl-C while modules load just ends the process: an exception might rise where Python can only report it.
    handler = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from app.cli.application import run
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] not in EXTRA:
            raise
        remedy = "every command but serve needs it: pip install 'palena[cli]'"
        sys.stderr.write(f"palena: {missing.name} is not installed; {remedy}\n")
        sys.exit(2)
    finally:
        signal.signal(signal.SIGINT, handler)
    run()
