"""The command of the bench: plays, counts, prints one table."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tests.conversations.manners import MANNERS
from tests.conversations.measuring import Tally, measure, sum_of
from tests.conversations.personas import PERSONAS
from tests.conversations.playing import SCRIPTS, Case, Stage, cases
from tests.conversations.real_model import OWN, configured_model, lacking
from tests.conversations.table import figures, table

_GROUPS: Mapping[str, Callable[[Case], str]] = {
    "manner": lambda case: case.manner,
    "persona": lambda case: case.persona,
    "script": lambda case: case.script,
}
_EXAMPLES = 5
# A turn of a real model may take minutes, with its retries.
_REAL_PATIENCE_S = 300.0


async def play_all(chosen: Sequence[Case], stage: Stage | None = None) -> dict[Case, Tally]:
    """Play every conversation on one stage, which is closed, and return what each showed."""
    stage = stage or Stage()
    try:
        return {case: measure(await stage.play(case)) for case in chosen}
    finally:
        await stage.aclose()


async def play_really(chosen: Sequence[Case]) -> dict[Case, Tally]:
    """Play every conversation with the configured provider; say which one is played."""
    stage = Stage(model=configured_model(), patience_s=_REAL_PATIENCE_S)
    tallies: dict[Case, Tally] = {}
    try:
        for number, case in enumerate(chosen, start=1):
            print(f"{number} of {len(chosen)}: {case.name}", file=sys.stderr)
            tallies[case] = measure(await stage.play(case))
    except TimeoutError:
        print("a turn did not come to its end; the table has what was played", file=sys.stderr)
    finally:
        await stage.aclose()
    return tallies


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
    if given.real and (reason := lacking(os.environ)):
        print(f"skipped: {reason}")
        return 0
    manners = [OWN] if given.real else given.manners
    chosen = cases(scripts=given.scripts, personas=given.personas, manners=manners, seed=given.seed)
    began = time.process_time()
    tallies = asyncio.run(play_really(chosen) if given.real else play_all(chosen))
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
    parser.add_argument("--real", action="store_true", help="ask the configured provider")
    for name, known in (("scripts", SCRIPTS), ("personas", PERSONAS), ("manners", MANNERS)):
        parser.add_argument(f"--{name}", nargs="+", choices=tuple(known), default=tuple(known))
    parser.add_argument("--by", choices=tuple(_GROUPS), default="manner")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--examples", metavar="COUNT", help="name what stands behind a count")
    return parser
