"""A database that goes away for a while, and a proxy that has noticed."""

from __future__ import annotations

from contextlib import contextmanager
from time import monotonic, sleep
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

    from tests.contract.peer.postgres import Postgres
    from tests.contract.peer.proxy import Proxy

PATIENCE = 60
"""Seconds for readiness to change; 16 to 18 were seen, and two minutes with the oldest release."""


@contextmanager
def outage(proxy: Proxy, postgres: Postgres) -> Generator[None]:
    """No database inside; inside, readiness has noticed already, and afterwards it has noticed the end."""
    postgres.stop()
    try:
        wait_for_readiness(proxy, 503)
        yield
    finally:
        postgres.start()
    wait_for_readiness(proxy, 200)


def wait_for_readiness(proxy: Proxy, status: int) -> None:
    """Return once readiness is answered with that status."""
    deadline = monotonic() + PATIENCE
    while proxy.get("/health/readiness").status != status:
        assert monotonic() < deadline, f"readiness did not turn {status} in {PATIENCE} s"
        sleep(0.5)
