"""Every test that asks for ``proxy`` runs against each release, with and without public readiness details.

Those that are marked for it run against proxies with a configuration that we rendered instead.

Proxies are heavy (half a gigabyte, half a minute), so one runs at a time: all tests of one proxy run together.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from tests.contract import rendered
from tests.contract.peer import prerequisites
from tests.contract.peer.installation import default_cache, install
from tests.contract.peer.postgres import Postgres
from tests.contract.peer.process import PrerequisiteError
from tests.contract.peer.provider import Provider
from tests.contract.peer.proxy import running, started
from tests.contract.peer.redis import Redis
from tests.contract.peer.releases import RELEASES, Release

if TYPE_CHECKING:
    from collections.abc import Generator
    from concurrent.futures import Future

    import httpx2

    from tests.contract.peer.installation import Installation
    from tests.contract.peer.prerequisites import Programs
    from tests.contract.peer.proxy import Proxy

KINDS = ("default", "public", "rendered", "redis")
PROXIES = {f"{release.name}-{kind}": (release, kind) for release in RELEASES for kind in KINDS}
"""By name: the release, and what it is configured with."""
ATTACHED = tuple(name for name, (_, kind) in PROXIES.items() if kind in ("default", "public"))
"""Those that somebody else configured."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "proxies(*names): the proxies that a test runs against; without it all that Palena did not configure"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "proxy" in metafunc.fixturenames:
        marker = metafunc.definition.get_closest_marker("proxies")
        names = marker.args if marker else ATTACHED
        metafunc.parametrize("proxy", [PROXIES[name] for name in names], ids=names, indirect=True, scope="session")
    elif "installation" in metafunc.fixturenames:
        names = [release.name for release in RELEASES]
        metafunc.parametrize("installation", [(release, "") for release in RELEASES], ids=names, indirect=True, scope="session")


@pytest.fixture(scope="session")
def programs() -> Programs:
    """What the machine must bring; without it nothing here runs, loudly."""
    try:
        return prerequisites.require()
    except PrerequisiteError as error:
        # In CI nobody reads why a suite was skipped, and a suite that never runs proves nothing.
        if os.environ.get("CI"):
            pytest.fail(f"the real LiteLLM cannot run here: {error}", pytrace=False)
        pytest.skip(f"THE REAL LITELLM WAS NOT ASKED: {error}")


@pytest.fixture(scope="session")
def postgres(programs: Programs) -> Generator[Postgres]:
    """The database server of all proxies."""
    server = Postgres(programs.postgres)
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture(scope="session")
def redis(programs: Programs) -> Generator[Redis]:
    """The Redis of the proxies that are told of one."""
    server = Redis(programs.redis)
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture(scope="session")
def provider() -> Generator[Provider]:
    """Where models are, and what pass-through endpoints lead to."""
    server = Provider()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def installations(request: pytest.FixtureRequest, programs: Programs) -> Generator[dict[Release, Future[Installation]]]:
    """The releases that this session asks for; while the first is tested the next is installed."""
    calls = [item.callspec for item in request.session.items if isinstance(item, pytest.Function) and hasattr(item, "callspec")]
    wanted = dict.fromkeys(call.params[name][0] for call in calls for name in ("proxy", "installation") if name in call.params)
    with ThreadPoolExecutor(max_workers=1) as executor:
        yield {release: executor.submit(install, release, default_cache()) for release in wanted}
        executor.shutdown(cancel_futures=True)


@pytest.fixture(scope="session")
def installation(request: pytest.FixtureRequest, installations: dict[Release, Future[Installation]]) -> Installation:
    """A release on disk, for tests that start no proxy."""
    return installations[request.param[0]].result()


@pytest.fixture(scope="session")
def proxy(
    request: pytest.FixtureRequest, postgres: Postgres, installations: dict[Release, Future[Installation]]
) -> Generator[Proxy]:
    """A running proxy of one release, with or without public details, or with a configuration that we rendered."""
    release: Release
    kind: str
    release, kind = request.param
    installation = installations[release].result()
    if kind == "rendered":
        starting = started(installation, postgres, rendered.fullest(release.name))
    elif kind == "redis":
        stores = request.getfixturevalue("redis"), request.getfixturevalue("provider")
        starting = started(installation, postgres, rendered.with_redis(*stores))
    else:
        starting = running(installation, postgres, public_details=kind == "public")
    with starting as proxy:
        yield proxy


@pytest.fixture
def admin(proxy: Proxy) -> Generator[httpx2.Client]:
    """A client of the proxy with the master key."""
    with proxy.admin() as client:
        yield client
