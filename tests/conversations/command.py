"""The command of the bench: plays, counts, prints one table."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tests.conversations.manners import MANNERS
from tests.conversations.measuring import Tally, measure, sum_of
from tests.conversations.personas import PERSONAS
from tests.conversations.playing import SCRIPTS, Case, Stage, cases
from tests.conversations.table import figures, table

_GROUPS: Mapping[str, Callable[[Case], str]] = {
    "manner": lambda case: case.manner,
    "persona": lambda case: case.persona,
    "script": lambda case: case.script,
}
_EXAMPLES = 5


async def play_all(chosen: Sequence[Case]) -> dict[Case, Tally]:
    """Play every conversation on one stage and return what each showed."""
    stage = Stage()
    try:
        return {case: measure(await stage.play(case)) for case in chosen}
    finally:
        await stage.aclose()


def grouped(tallies: Mapping[Case, Tally], by: str) -> dict[str, Counter[str]]:
    """Return the sums: of all, of clients who answer at once, and by group."""
    groups: dict[str, list[Tally]] = defaultdict(list)
    for case, tally in tallies.items():
        groups["all"].append(tally)
        if PERSONAS[case.persona].cooperative:
            groups["cooperative"].append(tally)
        groups[_GROUPS[by](case)].append(tally)
    return {name: sum_of(each) for name, each in groups.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Play what the arguments choose; the exit code is 0 where everything was played."""
    given = _parser().parse_args(arguments)
    # Replies that cannot be read are what some manners are for.
    logging.disable(logging.WARNING)
    chosen = cases(
        scripts=given.scripts, personas=given.personas, manners=given.manners, seed=given.seed
    )
    began = time.process_time()
    tallies = asyncio.run(play_all(chosen))
    spent = time.process_time() - began
    groups = grouped(tallies, given.by)
    print(table(groups))
    print(f"{len(chosen)} conversations, seed {given.seed}, {spent:.0f} s of CPU", file=sys.stderr)
    if given.examples:
        _print_examples(tallies, given.examples)
    if given.json:
        found = {"seed": given.seed, "by": given.by, "groups": figures(groups)}
        given.json.write_text(json.dumps(found, ensure_ascii=False, indent=1), encoding="utf-8")
    return 0


def _print_examples(tallies: Mapping[Case, Tally], name: str) -> None:
    for case, tally in tallies.items():
        for each in tally.examples.get(name, ())[:_EXAMPLES]:
            print(f"{case.name}: {' '.join(each.split())}", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.conversations", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    for name, known in (("scripts", SCRIPTS), ("personas", PERSONAS), ("manners", MANNERS)):
        parser.add_argument(f"--{name}", nargs="+", choices=tuple(known), default=tuple(known))
    parser.add_argument("--by", choices=tuple(_GROUPS), default="manner")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--examples", metavar="COUNT", help="name what stands behind a count")
    return parser
