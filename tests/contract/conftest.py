"""Every test that asks for ``proxy`` runs against each release, with and without public readiness details.

Those that are marked for it run against proxies with a configuration that we rendered instead.

Proxies are heavy (half a gigabyte, half a minute), so one runs at a time: all tests of one proxy run together.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from tests.contract.peer import prerequisites
from tests.contract.peer.installation import default_cache, install
from tests.contract.peer.postgres import Postgres
from tests.contract.peer.process import PrerequisiteError
from tests.contract.peer.proxy import running, started
from tests.contract.peer.releases import RELEASES, Release
from tests.contract.rendered import rendered

if TYPE_CHECKING:
    from collections.abc import Generator
    from concurrent.futures import Future

    from tests.contract.peer.installation import Installation
    from tests.contract.peer.proxy import Proxy


PROXIES = {f"{release.name}-{kind}": (release, kind) for release in RELEASES for kind in ("default", "public", "rendered")}
"""By name: the release, and what it is configured with."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "proxies(*names): the proxies that a test runs against; without it all but the rendered ones"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "proxy" in metafunc.fixturenames:
        marker = metafunc.definition.get_closest_marker("proxies")
        names = marker.args if marker else tuple(name for name, (_, kind) in PROXIES.items() if kind != "rendered")
        metafunc.parametrize("proxy", [PROXIES[name] for name in names], ids=names, indirect=True, scope="session")


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
def installations(request: pytest.FixtureRequest, postgres: Postgres) -> Generator[dict[Release, Future[Installation]]]:
    """The releases that this session asks for; while the first is tested the next is installed."""
    calls = [item.callspec for item in request.session.items if isinstance(item, pytest.Function) and hasattr(item, "callspec")]
    wanted = dict.fromkeys(call.params["proxy"][0] for call in calls if "proxy" in call.params)
    with ThreadPoolExecutor(max_workers=1) as executor:
        yield {release: executor.submit(install, release, default_cache()) for release in wanted}
        executor.shutdown(cancel_futures=True)


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
        starting = started(installation, postgres, rendered(release.name))
    else:
        starting = running(installation, postgres, public_details=kind == "public")
    with starting as proxy:
        yield proxy
