"""Every test that asks for ``proxy`` runs against each release, with and without public readiness details.

Proxies are heavy (half a gigabyte, half a minute), so one runs at a time: all tests of one proxy run together.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.contract.peer import prerequisites
from tests.contract.peer.installation import default_cache, install
from tests.contract.peer.postgres import Postgres
from tests.contract.peer.process import PrerequisiteError
from tests.contract.peer.proxy import running
from tests.contract.peer.releases import RELEASES, Release

if TYPE_CHECKING:
    from collections.abc import Generator

    from tests.contract.peer.proxy import Proxy


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "releases(*names): the releases that a test is about; all without it")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "proxy" not in metafunc.fixturenames:
        return
    marker = metafunc.definition.get_closest_marker("releases")
    releases = [release for release in RELEASES if marker is None or release.name in marker.args]
    variants = [(release, public_details) for release in releases for public_details in (False, True)]
    ids = [f"{release.name}-{'public' if public_details else 'default'}" for release, public_details in variants]
    metafunc.parametrize("proxy", variants, ids=ids, indirect=True, scope="session")


@pytest.fixture(scope="session")
def postgres() -> Generator[Postgres]:
    """The database server of all proxies."""
    try:
        programs = prerequisites.require()
    except PrerequisiteError as error:
        # In CI nobody reads why a suite was skipped, and a suite that never runs proves nothing.
        if os.environ.get("CI"):
            pytest.fail(f"the real LiteLLM cannot run here: {error}", pytrace=False)
        pytest.skip(f"THE REAL LITELLM WAS NOT ASKED: {error}")
    server = Postgres(programs)
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture(scope="session")
def proxy(request: pytest.FixtureRequest, postgres: Postgres) -> Generator[Proxy]:
    """A running proxy of one release, with or without public details."""
    release: Release
    public_details: bool
    release, public_details = request.param
    installation = install(release, default_cache())
    with running(installation, postgres, public_details=public_details) as proxy:
        yield proxy
