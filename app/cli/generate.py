"""``palena generate``: write what is derived from the declarations, or say what has drifted from them."""

from __future__ import annotations

import difflib
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from app import generate as generated
from app.cli.problem import Problem


class Part(StrEnum):
    """What to generate."""

    CRDS = "crds"
    MANIFESTS = "manifests"
    CHART = "chart"
    DOCS = "docs"
    ALL = "all"


def generate(
    part: Annotated[Part, typer.Argument(help="What to write.")] = Part.ALL,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit with 1 if a file differs.")] = False,
    folder: Annotated[Path, typer.Option("--root", help="The checkout to write into.")] = Path(),
) -> None:
    """Write what follows from the declarations.

    crds/, metacontroller/, chart/files/ and docs/reference/, from app/.
    """
    if not (folder / "pyproject.toml").is_file():
        remedy = "run it in the checkout, or name that with --root"
        raise Problem("not a checkout of Palena", where=str(folder.resolve()), remedy=remedy)
    files = generated.generated(None if part is Part.ALL else part.value)
    drifted = [path for path, text in files.items() if _present(folder / path) != text]
    if check:
        for path in drifted:
            typer.echo(_difference(path, _present(folder / path), files[path]))
        if drifted:
            typer.echo(f"{len(drifted)} of {len(files)} generated files have drifted: run `palena generate {part.value}`")
            raise typer.Exit(1)
        typer.echo(f"{len(files)} generated files are up to date")
        return
    for path in drifted:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(files[path], encoding="utf-8")
        typer.echo(f"wrote {path}")
    typer.echo(f"{len(files) - len(drifted)} generated files were up to date")


def _present(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _difference(path: str, present: str, wanted: str) -> str:
    lines = difflib.unified_diff(present.splitlines(), wanted.splitlines(), path, f"{path} (generated)", lineterm="", n=1)
    first = list(lines)[:20]
    return "\n".join(first)
