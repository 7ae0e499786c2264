"""Puts a release of LiteLLM on disk: its packages, the generated Prisma client, and the query engine.

Nothing runs that was not pinned: packages are wheels taken by hash and without their dependencies, Node's modules come by
the lock file's digests and without their install scripts, and a start-up file among the packages is refused. An
installation is kept in the cache and made again when what it was made from changes.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.contract.peer.process import PeerError, run
from tests.contract.peer.releases import HERE, Release

if TYPE_CHECKING:
    from collections.abc import Generator

ENGINE = HERE / "engine"


@dataclass(frozen=True)
class Installation:
    """A release on disk."""

    release: Release
    folder: Path
    engine: Path

    @property
    def program(self) -> Path:
        """The proxy's command."""
        return self.folder / "venv/bin/litellm"

    @property
    def python(self) -> Path:
        """The interpreter that has the release's packages."""
        return self.folder / "venv/bin/python"

    @property
    def packages(self) -> Path:
        """The site-packages folder."""
        return next((self.folder / "venv/lib").glob("python3*/site-packages"))

    @property
    def migrations(self) -> list[Path]:
        """LiteLLM's own SQL in its order, then ours."""
        published = sorted((self.packages / "litellm_proxy_extras/migrations").glob("*/migration.sql"))
        return [*published, *([self.release.supplement] if self.release.supplement else [])]


def default_cache() -> Path:
    """Where installations outlive a run, outside the checkout."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "palena/litellm-peer"


def install(release: Release, cache: Path) -> Installation:
    """The release, installed first if the cache has it not. Other sessions wait."""
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        installation = Installation(release, cache / release.version, install_engine(cache / "engine"))
        digest = stamp(release.requirements, ENGINE / "package-lock.json", sys.version, str(installation.folder))
        with filled(installation.folder, digest) as needed:
            if needed:
                install_packages(installation)
                generate_client(installation)
    return installation


def install_engine(folder: Path) -> Path:
    """Prisma's query engine and the bridge to it. ``npm ci`` takes exactly what the lock file names."""
    with filled(folder, stamp(*sorted(path for path in ENGINE.rglob("*") if path.is_file()))) as needed:
        if needed:
            shutil.copytree(ENGINE, folder, dirs_exist_ok=True)
            run("npm ci", ["npm", "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder)
    return folder


def install_packages(installation: Installation) -> None:
    """A virtual environment with the packages of the list, and no start-up file."""
    venv = installation.folder / "venv"
    run("python -m venv", [sys.executable, "-m", "venv", "--without-pip", venv])
    pip = [sys.executable, "-m", "pip", "--python", installation.python, "--quiet", "--disable-pip-version-check"]
    wheels = ["install", "--no-deps", "--only-binary", ":all:", "--require-hashes", "--no-compile"]
    run(f"pip install of LiteLLM {installation.release.version}", [*pip, *wheels, "-r", installation.release.requirements])
    refuse_startup_files(installation.packages)


def refuse_startup_files(packages: Path) -> None:
    """LiteLLM 1.82.8 carried its malware in such a file: Python runs it at every start, imported or not."""
    odd = sorted(path.name for pattern in ("*.pth", "*customize.py") for path in packages.glob(pattern))
    if odd:
        raise PeerError(f"refused: unexpected start-up files among the packages: {', '.join(odd)}")


def generate_client(installation: Installation) -> None:
    """Generate the Prisma client from LiteLLM's own schema, with the engine standing for Prisma's native programs."""
    text = (installation.packages / "litellm/proxy/schema.prisma").read_text()
    # Would make the generator download native engines.
    text = re.sub(r"^\s*binaryTargets.*\n", "", text, flags=re.MULTILINE)
    if "recursive_type_depth" not in text:
        # Smaller generated types: the proxy starts seconds sooner.
        text = re.sub(r'provider\s*=\s*"prisma-client-py"', r"\g<0>\n  recursive_type_depth = -1", text)
    schema = installation.folder / "schema.prisma"
    schema.write_text(text)
    engine = installation.engine
    environment = dict(
        os.environ,
        PATH=f"{installation.folder}/venv/bin:{os.environ['PATH']}",
        CHECKPOINT_DISABLE="1",
        PRISMA_HIDE_UPDATE_MESSAGE="1",
        PRISMA_CLI_QUERY_ENGINE_TYPE="binary",
        PRISMA_QUERY_ENGINE_BINARY=str(engine / "query-engine"),
        PRISMA_SCHEMA_ENGINE_BINARY=str(engine / "query-engine"),
    )
    prisma = engine / "node_modules/prisma/build/index.js"
    run("prisma generate", ["node", prisma, "generate", "--schema", schema], cwd=installation.folder, env=environment)


def stamp(*parts: Path | str) -> str:
    """A digest over files and texts."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.read_bytes() if isinstance(part, Path) else part.encode())
    return digest.hexdigest()


@contextlib.contextmanager
def filled(folder: Path, digest: str) -> Generator[bool]:
    """Yield whether the folder must be filled: it is emptied before, and marked complete after."""
    mark = folder / "complete"
    if mark.exists() and mark.read_text() == digest:
        yield False
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    yield True
    mark.write_text(digest)
