"""Commands that pages tell a reader to type exist."""

from __future__ import annotations

import re
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from functools import cache

from heartrule_cli.__main__ import parser
from tests.support.documents import pages
from tests.support.source_tree import ROOT

MAKE = re.compile(r"(?:^|[|;&] ?)(?:\$ )?make ([a-z][a-z-]*)")
DEV = re.compile(r"scripts/dev\.py ([a-z|-]+)")
HEARTRULE = re.compile(r"(?:^|[|;&] ?)(?:\$ )?heartrule ([a-z][a-z-]*)(.*)")
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


@cache
def commands() -> dict[str, ArgumentParser]:
    """Return the parser of each of the command's own commands."""
    actions = parser()._actions
    (chosen,) = (action for action in actions if isinstance(action, _SubParsersAction))
    return dict(chosen.choices)


def options(command: ArgumentParser) -> set[str]:
    """Return the options of a command, and of its own commands."""
    inner = (each for each in command._actions if isinstance(each, _SubParsersAction))
    below = (options(each) for action in inner for each in action.choices.values())
    return set(command._option_string_actions).union(*below)


def strangers(name: str, rest: str) -> Iterator[str]:
    """Yield what of a command line nobody would understand."""
    if name not in commands():
        yield name
        return
    known = options(commands()[name])
    yield from (f"{name} {flag}" for flag in re.findall(r"--[a-z-]+", rest) if flag not in known)


def lines() -> list[tuple[str, str]]:
    """Return every page's lines of code, each behind the page's name."""
    return [(one.name, line) for one in pages() for line in one.code()]


def test_every_target_of_make_is_one() -> None:
    """What a page makes, or has scripts/dev.py do, is in the Makefile."""
    made = {(page, match[1]) for page, line in lines() for match in MAKE.finditer(line)}
    done = {
        (page, name)
        for page, line in lines()
        for match in DEV.finditer(line)
        for name in match[1].split("|")
    }
    assert [(page, name) for page, name in made | done if name not in TARGETS] == []


def test_every_command_is_one() -> None:
    """A page names commands and options that the command line has."""
    found = ((page, HEARTRULE.search(line)) for page, line in lines())
    unknown = [
        (page, name) for page, match in found if match for name in strangers(match[1], match[2])
    ]
    assert unknown == []
