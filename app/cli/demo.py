"""``palena demo``: gateways attached to and let go, one that is run, and what lives in LiteLLM, without a cluster.

What runs is the product: the hook service as a process of its own, called over HTTP with a bearer token by a loop with
Metacontroller's semantics, the generated CRDs in an API server in memory. Only proxies, pods and the names of Services are
stand-ins (:mod:`app.cli.demo_service`). What comes out is compared with what must come out; the exit code tells.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import typer

from app.cli.demo_attached import play_attached
from app.cli.demo_cluster import ClusterOverHttp, kubeconfig
from app.cli.demo_entities import play_entities
from app.cli.demo_gateway import play_gateway
from app.cli.demo_stage import Stage
from app.cli.local_servers import hook_service, serving
from app.cli.terminal import console
from app.sim.callers import HookClient

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from rich.console import Console

PLAYS: tuple[Callable[[Stage], Awaitable[bool]], ...] = (play_attached, play_gateway, play_entities)
"""In order. Each says whether all was as it must be."""


def demo() -> None:
    """Attach to four proxies, have a gateway run, and hand out a key.

    The four are let go again; the fifth is upgraded in vain and flipped to unmanaged; a team, its user, a model and a key come
    to be in the wrong order and go at once. The hooks are the real service over HTTP; cluster, proxies and pods are stand-ins.
    The exit code is 1 if anything is amiss.
    """
    started = time.monotonic()
    target = console()
    held = asyncio.run(play(target))
    took = f"{time.monotonic() - started:.1f} s"
    if not held:
        target.print(f"\nNot all is as it must be, after {took}.", style="bad")
        raise typer.Exit(1)
    target.print(f"\nAll as it must be, in {took}.", style="heading")


async def play(target: Console, plays: Sequence[Callable[[Stage], Awaitable[bool]]] = PLAYS) -> bool:
    """Have the plays on, each after the other; says whether all was as it must be."""
    token = secrets.token_urlsafe(32)
    headers = {"Authorization": f"Bearer {token}"}
    over_http = ClusterOverHttp()
    with TemporaryDirectory(prefix="palena-demo-") as name:
        folder = Path(name)
        async with (
            serving(over_http) as cluster,
            hook_service(token, folder, kubeconfig(folder / "kubeconfig", cluster)) as url,
            HookClient(base_url=url, headers=headers) as call,
        ):
            stage = Stage(target, call, over_http)
            stage.say("hook service", f"{url}, a process of its own, with a bearer token")
            stage.say("cluster", f"in memory, with Metacontroller's semantics; rules by {stage.scenery().rules}")
            # None is skipped if one before went wrong.
            held = [await one(stage) for one in plays]
    return all(held)
