"""What the machine itself must bring: PostgreSQL, Node, setpriv. Under root on Debian they are installed, else asked for."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

from tests.contract.peer.process import PrerequisiteError, run

OLDEST_NODE = 18


def require() -> Path:
    """Make sure that everything is there. Returns the folder of PostgreSQL's programs."""
    if not sys.platform.startswith("linux"):
        raise PrerequisiteError("the peer runs on Linux only; use a Linux machine or container")
    packages = []
    if not shutil.which("setpriv"):
        packages.append("util-linux")
    if not postgres_programs():
        packages.append("postgresql")
    if not shutil.which("node") or not shutil.which("npm"):
        packages += ["nodejs", "npm"]
    if packages:
        apt_install(packages)
    found = re.match(r"v(\d+)", run("node --version", ["node", "--version"]))
    if not found or int(found[1]) < OLDEST_NODE:
        raise PrerequisiteError(f"node is older than {OLDEST_NODE}; install a newer one")
    programs = postgres_programs()
    if not programs:
        raise PrerequisiteError("initdb was not found after PostgreSQL was installed; put PostgreSQL's bin folder on PATH")
    return programs


def apt_install(packages: list[str]) -> None:
    """Install Debian packages; PostgreSQL without the cluster that Debian would create and start."""
    if os.geteuid() or not shutil.which("apt-get"):
        raise PrerequisiteError(f"missing: {', '.join(packages)}; install them, or run as root where there is apt-get")
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    install = ["apt-get", "install", "-yq", "--no-install-recommends"]
    run("apt-get update", ["apt-get", "update", "-q"], env=environment)
    setting = Path("/etc/postgresql-common/createcluster.d/palena-contract.conf")
    if "postgresql" in packages:
        run("apt-get install", [*install, "postgresql-common"], env=environment)
        setting.parent.mkdir(exist_ok=True)
        setting.write_text("create_main_cluster = false\n")
    try:
        run("apt-get install", [*install, *packages], env=environment)
    finally:
        setting.unlink(missing_ok=True)


def postgres_programs() -> Path | None:
    """The folder with initdb, postgres and psql: Debian keeps it off PATH."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    found = installed[-1] if installed else shutil.which("initdb")
    return Path(found).resolve().parent if found else None
