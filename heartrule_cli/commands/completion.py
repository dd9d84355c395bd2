"""`heartrule completion SHELL`: prints a script that makes a shell complete this command."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterator, Mapping

# The words that stand in the usage for a path.
_PATHS = frozenset({"FILE", "CONVERSATION", "FOLDER", "DIR", "DIR|REV", "CASES"})


def completion(args: Namespace, _environ: Mapping[str, str]) -> int:
    """Print the script: commands, options, choices and files."""
    import shtab

    from heartrule_cli.__main__ import parser

    whole = parser()
    for each in _with_inner(whole):
        for action in each._actions:  # noqa: SLF001  argparse lists them nowhere else
            if action.metavar in _PATHS:
                action.complete = shtab.FILE  # type: ignore[attr-defined]  # read by shtab
    print(shtab.complete(whole, shell=args.shell))
    return 0


def _with_inner(parser: ArgumentParser) -> Iterator[ArgumentParser]:
    yield parser
    for action in parser._actions:  # noqa: SLF001  argparse lists them nowhere else
        if isinstance(action, _SubParsersAction):
            for inner in action.choices.values():
                yield from _with_inner(inner)
