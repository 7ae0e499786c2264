"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

Files = Annotated[
    list[str],
    typer.Option("-f", "--filename", help="A file, a folder, or - for standard input; may be repeated.", show_default=False),
]

More = Annotated[list[str] | None, typer.Argument(help="More of them, so that -f *.yaml works.", show_default=False)]


class Output(StrEnum):
    """Text for people, JSON for machines."""

    TEXT = "text"
    JSON = "json"


class Format(StrEnum):
    """How objects are written."""

    YAML = "yaml"
    JSON = "json"
