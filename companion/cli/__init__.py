"""The command line's door: `companion COMMAND`.

A command's module is imported when that command runs, and only then: the help appears at once, and scoring does not
wait for the rules. To add one, write `companion/cli/NAME.py` with a click command of that name in it, and add a row to
`COMMANDS`.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import click

from companion import __version__
from companion.errors import CompanionError

COMMANDS = {
    "score": "Score hands of dominoes from photos.",
    "table": "Find the trains on photos of a table.",
    "watch": "Follow a game through a camera, a video or a folder of pictures.",
    "judge": "Ask the referee whether plays are legal.",
    "rules": "Show the house rules and the presets.",
    "serve": "Play a game night on every phone at the table.",
}
"""Command and what it does, in the order of the help."""


class LazyGroup(click.Group):
    """Knows its commands by name, imports one when it is called, and turns the world's failures into a sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Commands whose module is here, without importing one."""
        return [name for name in COMMANDS if find_spec(f"{__name__}.{name}")]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command; None (click's "no such command") when there is no row or no module."""
        if cmd_name not in self.list_commands(ctx):
            return None
        found = vars(import_module(f"{__name__}.{cmd_name}")).values()
        return next(thing for thing in found if isinstance(thing, click.Command) and thing.name == cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table; click's own way would import them all."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a CompanionError becomes its message and exit status 1, here and nowhere else."""
        try:
            return super().invoke(ctx)
        except CompanionError as error:
            raise click.ClickException(str(error)) from error


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="companion")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Read real dominoes: exact hand sums from photos, and a referee for Mexican Train."""
    # Pillow warns about every oddity of a photo's EXIF; a person who asked for a score can do nothing about it.
    warnings.filterwarnings("ignore", module=r"PIL\.")
