"""``palena lint``: what the API server would refuse, before it does."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import orjson
import typer
from rich.text import Text

from app.cli.checks import Severity, findings
from app.cli.files import read
from app.cli.options import Files, More, Output
from app.cli.terminal import console
from app.registry import KINDS
from app.sim.memory import MemoryCluster
from app.sim.twins import rule_engine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.cli.checks import Finding
    from app.cli.files import Manifest

STYLES = {Severity.ERROR: "bad", Severity.WARNING: "attention"}


def lint(
    files: Files,
    more: More = None,
    output: Annotated[Output, typer.Option("-o", "--output", help="For people or for machines.")] = Output.TEXT,
) -> None:
    """Check resources as the API server would.

    Schema and CEL in its own words; references and patches beside. The exit code is 1 if there is an error.
    """
    manifests = read([*files, *(more or [])])
    found = asyncio.run(_check(manifests))
    if output is Output.JSON:
        typer.echo(orjson.dumps([asdict(finding) for finding in found], option=orjson.OPT_INDENT_2).decode())
    else:
        _tell(found, len(manifests))
    if any(finding.severity is Severity.ERROR for finding in found):
        raise typer.Exit(1)


async def _check(manifests: Sequence[Manifest]) -> list[Finding]:
    engine = rule_engine(KINDS)
    if engine.uses_twins:
        typer.echo("palena: rules are checked by their Python twins; for CEL itself: pip install 'palena[cel]'", err=True)
    cluster = MemoryCluster([kind.crd() for kind in KINDS], clock=lambda: datetime.now(UTC), engine=engine)
    return await findings(manifests, KINDS, cluster)


def _tell(found: Sequence[Finding], looked_at: int) -> None:
    target = console()
    for finding in found:
        style = STYLES[finding.severity]
        line = Text.assemble((f"{finding.origin}: ", "detail"), (f"{finding.severity.value}: ", style), finding.message)
        target.print(line, soft_wrap=not target.is_terminal)
    counted = Counter(finding.severity for finding in found)
    target.print(
        f"{_count(looked_at, 'object')} checked: "
        f"{_count(counted[Severity.ERROR], 'error')}, {_count(counted[Severity.WARNING], 'warning')}",
        style="heading",
    )


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
