"""``palena render``: the children that custom resources ask for, without a cluster."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer
import yaml

from app.cli.difference import applied, difference, without_owner
from app.cli.files import read
from app.cli.offline import (
    BEGINNING,
    IMAGINED,
    IMAGINED_PODS,
    SECONDS,
    apply,
    offline_simulation,
    run_everything,
    say_what_is_imagined,
)
from app.cli.options import Files, Format, Kubeconfig, Named, kubeconfig, paths
from app.cli.problem import one_line
from app.cli.terminal import console, show
from app.cli.timeline import conditions
from app.cli.tree import tree
from app.cli.yaml_scalars import plain
from app.hooks.objects import Object, object_key, reference, resource_key
from app.registry import CONTROLLERS
from app.sim.clock import VirtualClock
from app.sim.cluster_kube import KubeCluster
from app.status.instance.gateway_reasons import ROLLOUT_HELD, ROLLOUT_WAITING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from app.cli.files import Manifest
    from app.sim.loop import Exchange

_WAITING = {(reason.type, reason.reason) for reason in (ROLLOUT_WAITING, ROLLOUT_HELD)}


def render(
    files: Files = None,
    named: Named = None,
    output: Annotated[Format, typer.Option("-o", "--output", help="How objects are written.")] = Format.YAML,
    as_tree: Annotated[bool, typer.Option("--tree", help="Show owners and children as a tree instead.")] = False,
    settled: Annotated[
        bool, typer.Option("--settled", help="As they are once all pods are ready and all Jobs have succeeded.")
    ] = False,
    against: Annotated[
        str, typer.Option("--diff", metavar="FILE", help="Show how they differ from a file or folder instead.")
    ] = "",
    against_cluster: Annotated[
        bool, typer.Option("--diff-cluster", help="Show how they differ from what is applied in the cluster.")
    ] = False,
    config: Kubeconfig = None,
) -> None:
    """Print the children that resources ask for.

    They are what the service would have Metacontroller make: what comes first, or, with --settled, all that is there in the
    end. Resources that ask for none, or for more later, are named on standard error.

    A comparison ends with exit code 0 if nothing differs, 1 if something does, and 3 if nothing does in the part that could
    be compared, but more is to come.
    """
    manifests = read(paths(files, named))
    rendering = asyncio.run(_render(manifests, settled=settled))
    rendering.explain()
    if as_tree or settled:
        say_what_is_imagined(IMAGINED_PODS if settled else IMAGINED)
    if as_tree:
        target = console()
        show(target, tree(rendering.objects, target))
    elif against or against_cluster:
        children = rendering.children
        there = [manifest.item for manifest in read([against])] if against else asyncio.run(_applied(config, children))
        found = difference(children, there, _yaml)
        lacking = rendering.lacking(settled=settled)
        typer.echo("\n".join([*(found or _equal(children, partly=bool(lacking))), *lacking]))
        if found or lacking:
            raise typer.Exit(1 if found else PARTLY_COMPARED)
    else:
        typer.echo(text(rendering.children, output), nl=False)


PARTLY_COMPARED = 3
"""The exit code of a comparison that found no difference, but not in all that will be."""


def _equal(children: Sequence[Object], *, partly: bool) -> list[str]:
    if not partly:
        return ["no difference"]
    names = ", ".join(one_line(reference(child)) for child in children)
    return [f"no difference in the part that was compared: {names or 'nothing'}"]


class Rendering:
    """What the hooks answered last for each parent, and what came of it."""

    def __init__(self) -> None:
        self.answers: dict[tuple[str, str], tuple[Object, list[Object]]] = {}
        self.objects: list[Object] = []

    def note(self, exchange: Exchange) -> None:
        """Keep the children of a sync."""
        if exchange.reply is None or exchange.reply.code != 200 or "children" not in exchange.request:
            return
        parent: Object = exchange.request["parent"]
        answer: Object = orjson.loads(exchange.reply.body)
        self.answers[resource_key(parent), object_key(parent)] = parent, answer["children"]

    @property
    def children(self) -> list[Object]:
        """All desired children, by parent, kind and name."""
        return [without_owner(child) for _, (_, children) in sorted(self.answers.items()) for child in children]

    def explain(self) -> None:
        """Say on standard error for which parents there is nothing, or more to come, and why."""
        for parent, children in self._parents():
            if not children:
                why = _why_none(parent) or _what_hinders(parent)
                typer.echo(f"# {reference(parent)} asks for no children{f' ({why})' if why else ''}", err=True)
            elif why := _what_is_to_come(parent):
                typer.echo(f"# {reference(parent)} asks for more later ({why})", err=True)

    def lacking(self, *, settled: bool) -> list[str]:
        """A line for each parent that will ask for children which are not rendered. In the end it is for lack of something
        that the files do not have; before, what comes first has to be ready.
        """
        remedy = "" if settled else "; --settled renders what comes later, too"
        lines: list[str] = []
        for parent, children in self._parents():
            why = _what_is_to_come(parent) if children else not _why_none(parent) and _what_hinders(parent)
            if why:
                more = "more of" if children else "any of"
                lines.append(one_line(f"not compared: {more} what {reference(parent)} asks for later ({why}){remedy}"))
        return lines

    def _parents(self) -> Iterator[tuple[Object, list[Object]]]:
        """All parents as they are in the end, each with the children that it asks for."""
        live = {(resource_key(item), object_key(item)): item for item in self.objects}
        for key, (_, children) in sorted(self.answers.items()):
            yield live[key], children


_CHILDLESS = {controller.watched.key for controller in CONTROLLERS if not controller.owned}


def _why_none(parent: Object) -> str:
    """It is of a kind that has none, or runs no workload; empty where it will have some."""
    if resource_key(parent) in _CHILDLESS:
        return "it has none in the cluster: LiteLLM keeps it"
    spec: Object = parent.get("spec") or {}
    workload: Object = spec.get("workload") or {}
    if workload.get("managed") is False:
        return "attached: workload.managed is false"
    return ""


def _what_hinders(parent: Object) -> str:
    """What the Ready condition of one without children says."""
    return "; ".join(f"{one.reason}: {one.text}" for one in conditions(parent) if one.type == "Ready")


def _what_is_to_come(parent: Object) -> str:
    """What the pods wait for, of a gateway that has none yet; simulate shows what follows."""
    return "; ".join(one.text for one in conditions(parent) if (one.type, one.reason) in _WAITING)


async def _render(manifests: Sequence[Manifest], *, settled: bool) -> Rendering:
    clock = VirtualClock(BEGINNING)
    rendering = Rendering()

    async def look(items: Sequence[Object]) -> None:
        rendering.objects = list(items)

    async with offline_simulation(clock, rendering.note, run_everything if settled else None) as simulation:
        await apply(simulation, manifests, look)
        await simulation.converge(seconds=SECONDS, look=look)
    return rendering


async def _applied(config: Path | None, wanted: Sequence[Object]) -> list[Object]:
    async with KubeCluster.from_kubeconfig(kubeconfig(config)) as cluster:
        return await applied(cluster, wanted)


def text(children: Sequence[Object], output: Format) -> str:
    """The children as documents of YAML, or as one list of JSON."""
    if output is Format.JSON:
        return orjson.dumps(children, option=orjson.OPT_INDENT_2).decode() + "\n"
    return "".join(f"---\n{_yaml(child)}" for child in children)


def _yaml(item: Any) -> str:
    return yaml.dump(item, Dumper=_Dumper, sort_keys=True, allow_unicode=True)


class _Dumper(yaml.CSafeDumper):
    """Quotes what kubectl would read as anything but this text, and writes out what stands twice."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text_node(dumper: yaml.CSafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if plain(text) == text else "'")  # pyright: ignore[reportUnknownMemberType]


_Dumper.add_representer(str, _text_node)
