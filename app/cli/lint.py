"""``palena lint``: what the API server would refuse, before it does."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import orjson
import typer
from rich.text import Text

from app.cli.checks import Finding, Severity, findings
from app.cli.files import read_all
from app.cli.offline import BEGINNING, offline_simulation
from app.cli.options import Files, Named, Output, paths
from app.cli.problem import one_line
from app.cli.terminal import console, line
from app.sim.clock import VirtualClock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.cli.files import Manifest
    from app.cli.problem import FaultyManifest

STYLES = {Severity.ERROR: "bad", Severity.WARNING: "attention"}


def lint(
    files: Files = None,
    named: Named = None,
    strict: Annotated[bool, typer.Option("--strict", help="Let warnings fail, too, but for what the cluster must have.")] = False,
    output: Annotated[Output, typer.Option("-o", "--output", help="Text for people, JSON for programs.")] = Output.TEXT,
) -> None:
    """Check resources as the API server would.

    Schema and rules in the words of the API server, then references, JSON patches, and what this release does nothing with.
    The exit code is 1 if there is an error. With --strict it is 1 for a warning, too: a condition that this release would
    answer with, a key that a Secret lacks, a name that is given twice. An object in none of the files, which the cluster
    must have, is no reason even then.
    """
    manifests, faults = read_all(paths(files, named))
    found = [Finding(fault.where, "", Severity.ERROR, _text(fault)) for fault in faults]
    found += asyncio.run(_check(manifests))
    if output is Output.JSON:
        typer.echo(orjson.dumps([asdict(finding) for finding in found], option=orjson.OPT_INDENT_2).decode())
    else:
        _tell(found, len(manifests))
    if any(finding.severity is Severity.ERROR or (strict and finding.strict) for finding in found):
        raise typer.Exit(1)


async def _check(manifests: Sequence[Manifest]) -> list[Finding]:
    async with offline_simulation(VirtualClock(BEGINNING)) as simulation:
        if simulation.engine.uses_twins:
            typer.echo("palena: rules are checked by their Python twins; for CEL itself: pip install 'palena[cel]'", err=True)
        return await findings(manifests, simulation)


def _text(fault: FaultyManifest) -> str:
    return f"{fault.what}; {fault.remedy}" if fault.remedy else fault.what


def _tell(found: Sequence[Finding], looked_at: int) -> None:
    target = console()
    for finding in found:
        severity = (f"{finding.severity.value}: ", STYLES[finding.severity])
        if target.is_terminal:
            target.print(Text.assemble((f"{one_line(finding.origin)}: ", "detail"), severity))
            line(target, Text("  "), Text(one_line(finding.message)))
        else:
            line(target, Text.assemble(f"{one_line(finding.origin)}: ", severity), Text(one_line(finding.message)))
    counted = Counter(finding.severity for finding in found)
    target.print(
        f"{_count(looked_at, 'object')} checked: "
        f"{_count(counted[Severity.ERROR], 'error')}, {_count(counted[Severity.WARNING], 'warning')}",
        style="heading",
    )


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
