"""``palena serve`` with a name service in a file: a control plane without nodes has no DNS that knows its Services.

``python -m tests.e2e.served FILE``: a name in the file, one a line, leads to loopback; every other is looked up as usual.
"""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from typing import Any

from app.cli.serve import serve


def _look_names_up_in(file: Path) -> None:
    system = socket.getaddrinfo

    def getaddrinfo(host: Any, *arguments: Any, **options: Any) -> Any:
        known = file.exists() and host in file.read_text("utf-8").split()
        return system("127.0.0.1" if known else host, *arguments, **options)

    socket.getaddrinfo = getaddrinfo


if __name__ == "__main__":
    _look_names_up_in(Path(sys.argv[1]))
    raise SystemExit(serve())
