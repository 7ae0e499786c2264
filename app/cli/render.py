"""``palena render``: the children that custom resources ask for, without a cluster."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer
import yaml

from app.cli.difference import applied, difference
from app.cli.files import read
from app.cli.offline import BEGINNING, SECONDS, apply, offline_simulation, say_what_is_imagined
from app.cli.options import Files, Format, Kubeconfig, Named, kubeconfig, paths
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
    from collections.abc import Sequence
    from pathlib import Path

    from app.cli.files import Manifest
    from app.sim.loop import Exchange

_WAITING = {(reason.type, reason.reason) for reason in (ROLLOUT_WAITING, ROLLOUT_HELD)}


def render(
    files: Files = None,
    named: Named = None,
    output: Annotated[Format, typer.Option("-o", "--output", help="How objects are written.")] = Format.YAML,
    as_tree: Annotated[bool, typer.Option("--tree", help="Show owners and children as a tree instead.")] = False,
    against: Annotated[
        str, typer.Option("--diff", metavar="FILE", help="Show how they differ from a file or folder; exit code 1 if so.")
    ] = "",
    against_cluster: Annotated[
        bool, typer.Option("--diff-cluster", help="Show how they differ from what is applied in the cluster; as --diff.")
    ] = False,
    config: Kubeconfig = None,
) -> None:
    """Print the children that resources ask for.

    They are what the service would have Metacontroller make. Resources that ask for none are named on standard error.
    """
    manifests = read(paths(files, named))
    rendering = asyncio.run(_render(manifests))
    rendering.explain()
    if as_tree:
        say_what_is_imagined()
        target = console()
        show(target, tree(rendering.objects, target))
    elif against or against_cluster:
        children = rendering.children
        there = [manifest.item for manifest in read([against])] if against else asyncio.run(_applied(config, children))
        found = difference(children, there, _yaml)
        typer.echo("\n".join(found) or "no difference")
        if found:
            raise typer.Exit(1)
    else:
        typer.echo(text(rendering.children, output), nl=False)


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
        return [child for _, (_, children) in sorted(self.answers.items()) for child in children]

    def explain(self) -> None:
        """Say on standard error for which parents there is nothing, or more to come, and why."""
        live = {(resource_key(item), object_key(item)): item for item in self.objects}
        for key, (parent, children) in sorted(self.answers.items()):
            if not children:
                why = _why_none(live[key])
                typer.echo(f"# {reference(parent)} asks for no children{f' ({why})' if why else ''}", err=True)
            elif why := _what_is_to_come(live[key]):
                typer.echo(f"# {reference(parent)} asks for more later ({why})", err=True)


_CHILDLESS = {controller.watched.key for controller in CONTROLLERS if not controller.owned}


def _why_none(parent: Object) -> str:
    """It is of a kind that has none, runs no workload, or its Ready condition says what is in the way."""
    if resource_key(parent) in _CHILDLESS:
        return "it has none in the cluster: LiteLLM keeps it"
    spec: Object = parent.get("spec") or {}
    workload: Object = spec.get("workload") or {}
    if workload.get("managed") is False:
        return "attached: workload.managed is false"
    return "; ".join(f"{one.reason}: {one.text}" for one in conditions(parent) if one.type == "Ready")


def _what_is_to_come(parent: Object) -> str:
    """What the pods wait for, of a gateway that has none yet; simulate shows what follows."""
    return "; ".join(one.text for one in conditions(parent) if (one.type, one.reason) in _WAITING)


async def _render(manifests: Sequence[Manifest]) -> Rendering:
    clock = VirtualClock(BEGINNING)
    rendering = Rendering()

    async def look(items: Sequence[Object]) -> None:
        rendering.objects = list(items)

    async with offline_simulation(clock, rendering.note) as simulation:
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
