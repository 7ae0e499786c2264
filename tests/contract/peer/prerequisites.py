"""What the machine itself must bring. Under root on Debian it is installed, else asked for."""

from __future__ import annotations

import os
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.contract.peer.process import PrerequisiteError, run

OLDEST_NODE = 18
POLICY = Path("/usr/sbin/policy-rc.d")
"""Debian asks it before a package starts a service; 101 is no."""


@dataclass(frozen=True)
class Programs:
    """What was found."""

    postgres: Path
    """The folder of PostgreSQL's programs."""
    redis: Path
    """``redis-server``, or ``valkey-server``, which is the same under another name."""


def require() -> Programs:
    """Make sure that everything is there."""
    if not sys.platform.startswith("linux"):
        raise PrerequisiteError("the peer runs on Linux only; use a Linux machine or container")
    packages = []
    if not shutil.which("setpriv"):
        packages.append("util-linux")
    if not postgres_programs():
        packages.append("postgresql")
    if not redis_program():
        packages.append("redis-server")
    if not shutil.which("node") or not shutil.which("npm"):
        packages += ["nodejs", "npm"]
    if packages:
        apt_install(packages)
    found = re.match(r"v(\d+)", run("node --version", ["node", "--version"]))
    if not found or int(found[1]) < OLDEST_NODE:
        raise PrerequisiteError(f"node is older than {OLDEST_NODE}; install a newer one")
    postgres, redis = postgres_programs(), redis_program()
    if not postgres:
        raise PrerequisiteError("initdb was not found after PostgreSQL was installed; put PostgreSQL's bin folder on PATH")
    if not redis:
        raise PrerequisiteError("redis-server was not found after it was installed; put it on PATH")
    return Programs(postgres, redis)


def apt_install(packages: list[str]) -> None:
    """Install Debian packages without what Debian would start on its own: a cluster of PostgreSQL, and Redis."""
    if os.geteuid() or not shutil.which("apt-get"):
        raise PrerequisiteError(f"missing: {', '.join(packages)}; install them, or run as root where there is apt-get")
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    install = ["apt-get", "install", "-yq", "--no-install-recommends"]
    run("apt-get update", ["apt-get", "update", "-q"], env=environment)
    setting = Path("/etc/postgresql-common/createcluster.d/palena-contract.conf")
    policy = None if POLICY.exists() else POLICY
    if "postgresql" in packages:
        run("apt-get install", [*install, "postgresql-common"], env=environment)
        setting.parent.mkdir(exist_ok=True)
        setting.write_text("create_main_cluster = false\n")
    if policy:
        policy.write_text("#!/bin/sh\nexit 101\n")
        policy.chmod(0o755)
    try:
        run("apt-get install", [*install, *packages], env=environment)
    finally:
        setting.unlink(missing_ok=True)
        if policy:
            policy.unlink()


def postgres_programs() -> Path | None:
    """The folder with initdb, postgres and psql: Debian keeps it off PATH."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    found = installed[-1] if installed else shutil.which("initdb")
    return Path(found).resolve().parent if found else None


def redis_program() -> Path | None:
    """Redis under either of its names."""
    found = shutil.which("redis-server") or shutil.which("valkey-server")
    return Path(found) if found else None
