"""Runs the command: `heartrule`, or `python -m heartrule_cli`."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from heartrule_cli.arguments import parser
from heartrule_cli.failure import FAILED, WRONG, Failure
from heartrule_cli.text import clean

if TYPE_CHECKING:
    from argparse import Namespace

Command: TypeAlias = "Callable[[Namespace, Mapping[str, str]], int]"

# Module and function of each command. A module is imported when its command is chosen, since grpc
# and the store take longer to import than `check` takes to run.
_COMMANDS: Mapping[str, tuple[str, str]] = {
    "run": ("run", "run"),
    "up": ("up", "up"),
    "chat": ("chat", "chat"),
    "show": ("show", "show"),
    "check": ("check", "check"),
    "ablate": ("ablate", "ablate"),
    "rehearse": ("rehearse", "rehearse_script"),
    "schema": ("schema", "schema"),
    "scrub": ("scrub", "scrub"),
    "rehearsal-model": ("rehearsal", "rehearsal_model"),
}
# Keeps grpc's core from writing into the conversation.
_QUIET = {"GRPC_VERBOSITY": "NONE", "GRPC_ENABLE_FORK_SUPPORT": "0"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; print an error as one line."""
    args = parser().parse_args(argv)
    environ = dict(os.environ)  # as the user set it: this is what the services get
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    _prepare_output()
    try:
        return _command(args.command)(args, environ)
    except Failure as failure:
        _print_error(str(failure), failure.hint)
        return failure.code
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        return FAILED


def _command(name: str) -> Command:
    """Return the function of a command.

    Raises:
        Failure: The settings it looks at are wrong.
    """
    module, function = _COMMANDS[name]
    command: Command = getattr(import_module(f"heartrule_cli.commands.{module}"), function)

    def checked(args: Namespace, environ: Mapping[str, str]) -> int:
        from heartrule.chassis.settings import SettingsError

        try:
            return command(args, environ)
        except SettingsError as error:
            raise Failure(str(error), code=WRONG) from None

    return checked


def _prepare_output() -> None:
    """Replace characters the terminal cannot show; keep libraries' logs out of the conversation."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    logging.getLogger().addHandler(logging.NullHandler())


def _print_error(message: str, hint: str) -> None:
    print(f"heartrule: {clean(message)}", file=sys.stderr)
    for line in clean(hint).splitlines():
        print(f"  {line}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
