"""`heartrule completion SHELL`: prints a script that makes a shell complete this command."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping

from heartrule.words.language import language_in
from heartrule_cli.arguments.command_parser import with_inner

# The words that stand in the usage for a path.
_PATHS = frozenset({"FILE", "CONVERSATION", "FOLDER", "DIR", "DIR|REV", "CASES"})


def completion(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print the script: commands, options, choices and files."""
    import shtab

    from heartrule_cli.__main__ import parser

    whole = parser(language_in(environ))
    for each in with_inner(whole):
        for action in each._actions:  # noqa: SLF001  argparse lists them nowhere else
            if action.metavar in _PATHS:
                action.complete = shtab.FILE  # type: ignore[attr-defined]  # read by shtab
    print(shtab.complete(whole, shell=args.shell))
    return 0
