"""The command line of the benchmark: how much is measured, and what is printed and written."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from tests.benchmarks.children import ChildFailed, machine
from tests.benchmarks.figures import Block, Cell, aims, cpu_ratio, summary, tables
from tests.benchmarks.language import language_table, measure_growth, measure_language
from tests.benchmarks.lines import run
from tests.benchmarks.measuring import Plan, measure, running
from tests.benchmarks.openings import measure_openings, opening_table


def run_command(arguments: Sequence[str], *, floor: Sequence[str]) -> int:
    """Measure and print; return 0, or 1 where a process failed or a client received a wrong reply.

    `floor` are the arguments that make Python serve the floor.
    """
    chosen = options(arguments)
    try:
        kind = _kind(chosen)
        found = run(kind(plan_of(chosen), floor=floor))
    except ChildFailed as error:
        print(error, file=sys.stderr)
        return 1
    if chosen.json is not None:
        text = json.dumps(found, ensure_ascii=False, indent=2)
        chosen.json.write_text(f"{text}\n", encoding="utf-8")
    return 0


def options(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="What a turn costs, beside a bare one.")
    parser.add_argument("--turns", type=int, default=1500, help="turns of each instant cell")
    parser.add_argument("--rounds", type=int, default=15, help="turns a session, paced model")
    parser.add_argument("--repeats", type=int, default=15, help="blocks; the spread is theirs")
    parser.add_argument("--sessions", default="1,16", help="numbers of sessions, as 1,16")
    parser.add_argument("--quick", action="store_true", help="under a minute, rough figures")
    parser.add_argument(
        "--database", default="", metavar="URL", help="the executor's; the floor keeps its file"
    )
    parser.add_argument("--strategy", action="store_true", help="what recommendations cost")
    parser.add_argument("--whole-language", action="store_true", help="what the language costs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there too")
    return parser.parse_args(arguments)


def plan_of(chosen: argparse.Namespace) -> Plan:
    """Return how much is measured."""
    sessions = tuple(int(number) for number in chosen.sessions.split(","))
    if chosen.quick:
        return Plan(sessions=sessions, turns=96, rounds=2, repeats=2)
    return Plan(sessions=sessions, turns=chosen.turns, rounds=chosen.rounds, repeats=chosen.repeats)


def report(plan: Plan, found: dict[Cell, dict[str, list[Block]]]) -> dict[str, object]:
    """Return all that was found, as JSON takes it."""
    cells = [
        {
            "model": cell.model,
            "sessions": cell.sessions,
            "cpu_ratio": asdict(cpu_ratio(blocks)),
            **{name: summary(known) for name, known in blocks.items()},
        }
        for cell, blocks in found.items()
    ]
    return {"machine": machine(), "plan": asdict(plan), "aims": aims(found), "cells": cells}


async def bench(plan: Plan, *, floor: Sequence[str], database: str = "") -> dict[str, object]:
    """Measure, print, and return all figures."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="heartrule-bench-") as made:
        async with running(Path(made), floor, database) as processes:
            found = await measure(processes, plan, progress=_progress)
    print(tables(found), *aims(found), sep="\n")
    print(f"{time.monotonic() - began:.0f} s, on {machine()['cpu']}, {machine()['cores']} cores")
    return report(plan, found)


async def strategies(plan: Plan, *, floor: Sequence[str], database: str = "") -> dict[str, object]:
    """Measure what a recommendation adds to the first words, print it, and return the figures."""
    with tempfile.TemporaryDirectory(prefix="heartrule-bench-") as made:
        async with running(Path(made), floor, database) as processes:
            found = await measure_openings(processes, plan, progress=_progress)
    print(opening_table(found))
    return {"machine": machine(), "openings": [asdict(each) for each in found]}


async def language(plan: Plan, *, floor: Sequence[str]) -> dict[str, object]:
    """Measure what the language costs a turn, print it, and return the figures."""
    with tempfile.TemporaryDirectory(prefix="heartrule-bench-") as made:
        async with running(Path(made), floor) as processes:
            growth = await measure_growth(processes, Path(made) / "executor.db", progress=_progress)
            costs = await measure_language(processes, plan, progress=_progress)
    print(language_table(costs, growth))
    ratios = [{**asdict(each), "ratio": asdict(each.ratio)} for each in costs]
    return {"machine": machine(), "language": ratios, "bytes": [asdict(each) for each in growth]}


def _kind(
    chosen: argparse.Namespace,
) -> Callable[..., Coroutine[object, object, dict[str, object]]]:
    if chosen.whole_language:
        return language
    return partial(strategies if chosen.strategy else bench, database=chosen.database)


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
