"""Options that several commands share."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from app.cli.problem import Problem

Files = Annotated[
    list[str] | None,
    typer.Argument(metavar="FILE", help="Files, folders, or - for standard input.", show_default=False),
]
Named = Annotated[
    list[str] | None,
    typer.Option("-f", "--filename", metavar="FILE", help="The same as kubectl has it; may be repeated.", show_default=False),
]


def paths(files: list[str] | None, named: list[str] | None) -> list[str]:
    """What :data:`Named` and :data:`Files` name together, in that order, so that ``-f *.yaml`` works."""
    given = [*(named or []), *(files or [])]
    if not given:
        raise Problem("no file is given", remedy="name files or folders, or - for standard input")
    return given


Kubeconfig = Annotated[
    Path | None, typer.Option("--kubeconfig", help="Otherwise KUBECONFIG, or ~/.kube/config.", show_default=False)
]


def kubeconfig(given: Path | None) -> Path:
    """The file that leads to the cluster."""
    path = given or Path(os.environ.get("KUBECONFIG") or Path.home() / ".kube" / "config")
    if not path.is_file():
        raise Problem("there is no such kubeconfig", where=str(path), remedy="name yours with --kubeconfig or KUBECONFIG")
    return path


class Output(StrEnum):
    """Text for people, JSON for machines."""

    TEXT = "text"
    JSON = "json"


class Format(StrEnum):
    """How objects are written."""

    YAML = "yaml"
    JSON = "json"
