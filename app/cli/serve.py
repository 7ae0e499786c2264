"""``palena serve``: the hook service. Imports the service alone; see :mod:`app.cli`."""

from __future__ import annotations

import os
import sys


def serve() -> int:
    """Serve until SIGTERM. A wrong setting is one line on standard error and exit code 2."""
    from app.main import run
    from app.settings import Settings, SettingsError

    try:
        run(Settings.from_environment(os.environ))
    except SettingsError as error:
        sys.stderr.write(f"palena: {error}\n")
        return 2
    return 0
