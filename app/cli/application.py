"""The commands of ``palena``, put together; each lives in a module of its name."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from app import __version__
from app.cli.demo import demo
from app.cli.generate import generate
from app.cli.lint import lint
from app.cli.migrate import migrate
from app.cli.problem import problem_of
from app.cli.render import render
from app.cli.serve import serve
from app.cli.simulate import simulate

application = typer.Typer(
    name="palena",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _say_version(asked: bool) -> None:
    if asked:
        typer.echo(f"palena {__version__}")
        raise typer.Exit


@application.callback()
def palena(
    version: Annotated[
        bool, typer.Option("--version", help="Say the version and leave.", is_eager=True, callback=_say_version)
    ] = False,
) -> None:
    """An LLM platform on Kubernetes as custom resources."""


@application.command("serve")
def serve_hooks() -> None:
    """Serve the hooks that Metacontroller calls.

    Settings are PALENA_* variables.
    """
    raise typer.Exit(serve())


application.command()(render)
application.command()(simulate)
application.command()(lint)
application.command()(generate)
application.command()(migrate)
application.command()(demo)


def run() -> None:
    """Run the command that was asked for; whatever ends it early is one line and the exit code of its kind."""
    try:
        try:
            application(prog_name="palena")
        finally:
            sys.stdout.flush()
    except Exception as error:
        _give_up_what_cant_be_written()
        # Who has closed the other end of the pipe knows.
        if not isinstance(error, BrokenPipeError):
            sys.stderr.write(f"palena: {(problem := problem_of(error))}\n")
            sys.exit(problem.exit_code)
        sys.exit(1)


def _give_up_what_cant_be_written() -> None:
    """The interpreter would try once more when it ends, and complain at length."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
