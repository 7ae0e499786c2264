"""``palena migrate``: make ready what the Go operator left, before our controllers are installed."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from app.cli.migration_plan import ATTACHED_KINDS, CHILD_KINDS, ENTITY_KINDS, Found, Left, Plan, Step, plan
from app.cli.migration_warnings import warnings
from app.cli.options import Kubeconfig, kubeconfig
from app.cli.problem import Problem
from app.cli.terminal import console, line, mark
from app.cli.timeline import Tone
from app.controllers.litellm_instance import LITELLM_INSTANCES
from app.hooks.objects import Resource, reference
from app.resources.kinds import DEPLOYMENT
from app.sim.cluster import ApiError, Conflict, NotFound
from app.sim.cluster_kube import KubeCluster

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from app.hooks.objects import Object
    from app.sim.cluster import Cluster

_COMPOSITE_CONTROLLER = Resource(
    "metacontroller.k8s.io/v1alpha1", "CompositeController", "compositecontrollers", namespaced=False
)


class Unfinished(Problem):
    """Something could not be done; what was done is good."""

    exit_code = 1


def migrate(
    apply: Annotated[bool, typer.Option("--apply", help="Do it. Without, it is only said what would be done.")] = False,
    namespace: Annotated[
        str, typer.Option("-n", "--namespace", help="Only there; otherwise in every namespace.", show_default=False)
    ] = "",
    config: Kubeconfig = None,
) -> None:
    """Make ready what the Go operator left.

    Labels its children, keys' Secrets among them, so that Metacontroller takes them over, and removes its finalizer from
    objects of all kinds. Run it after that operator was stopped and before the controllers are installed. Nothing is deleted,
    no pod restarts, and no key changes.
    """
    asyncio.run(_migrate(kubeconfig(config), namespace, console(), apply=apply))


async def _migrate(path: Path, namespace: str, target: Console, *, apply: bool) -> None:
    async with KubeCluster.from_kubeconfig(path, manager="palena-migrate") as cluster:
        try:
            found = await look(cluster, namespace)
        except ApiError as error:
            raise Unfinished(f"the cluster cannot be read: {error.message}") from error
        wanted = plan(found)
        _tell(wanted, target)
        _warn(warnings(found, datetime.now(UTC)), target)
        if wanted.obstacles:
            for one in wanted.obstacles:
                line(target, Text.assemble(mark(target, Tone.BAD), " "), Text(one))
            raise Unfinished("nothing was changed")
        if apply:
            await carry_out(wanted, cluster)
            done = len(wanted.steps)
            target.print(f"{done} changes were made." if done else "Nothing was left to do.", style="heading")
        elif wanted.steps:
            target.print("Nothing was changed; --apply does it.", style="heading")


async def look(cluster: Cluster, namespace: str = "") -> Found:
    """What there is, in one namespace or in all; children only where there are instances or entities."""
    instances = await cluster.list(LITELLM_INSTANCES.parent, namespace)
    entities = [item for resource in ENTITY_KINDS for item in await _if_served(cluster, resource, namespace)]
    places = sorted({str(owner["metadata"]["namespace"]) for owner in (*instances, *entities)})
    children = [item for place in places for resource in CHILD_KINDS for item in await cluster.list(resource, place)]
    children += [item for place in places for resource in ATTACHED_KINDS for item in await _if_served(cluster, resource, place)]
    return Found(
        instances=instances,
        children=children,
        entities=entities,
        deployments=await cluster.list(DEPLOYMENT),
        controllers=await _if_served(cluster, _COMPOSITE_CONTROLLER),
    )


async def carry_out(wanted: Plan, cluster: Cluster) -> None:
    """Every step in order. Raises :class:`Unfinished` at the first that fails: all before it are good, and stay done."""
    for step in wanted.steps:
        try:
            await _patch(cluster, step)
        except NotFound:
            continue
        except Conflict as error:
            raise Unfinished(f"{reference(step.item)} changed meanwhile", remedy="run the command again") from error
        except ApiError as error:
            raise Unfinished(f"{reference(step.item)}: {error.message}", remedy="run the command again") from error


async def _patch(cluster: Cluster, step: Step) -> None:
    metadata = step.item["metadata"]
    resource = await cluster.resource_of(step.item["apiVersion"], step.item["kind"])
    await cluster.merge_patch(resource, metadata["namespace"], metadata["name"], step.patch)


async def _if_served(cluster: Cluster, resource: Resource, namespace: str = "") -> list[Object]:
    try:
        return await cluster.list(resource, namespace)
    except NotFound:
        return []


def _tell(wanted: Plan, target: Console) -> None:
    for step in wanted.steps:
        _say(target, Tone.GOOD, f"{reference(step.item)}: {step.change}", step.why)
    for left in wanted.left:
        _say(target, Tone.PLAIN, f"{reference(left.item)}: left as it is", left.why)
    if not wanted.steps:
        target.print("Everything is ready for our controllers.")


def _warn(told: tuple[Left, ...], target: Console) -> None:
    for one in told:
        _say(target, Tone.ATTENTION, reference(one.item), one.why)


def _say(target: Console, tone: Tone, what: str, why: str) -> None:
    line(target, Text.assemble(mark(target, tone), " "), Text(f"{what}, {why}" if tone is Tone.GOOD else f"{what}: {why}"))
