"""`python -m tests.chaos`: run faults, print what they did, and how to repeat what went wrong."""

from __future__ import annotations

import argparse
import asyncio
import secrets
import signal
import sys
import traceback
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tests.chaos.history import now
from tests.chaos.options import DATABASES, DEFAULT, FULL, SHORT, Options
from tests.chaos.registry import FAULTS, fault
from tests.chaos.report import machine, notes, table, write_json
from tests.chaos.result import Result, explained
from tests.chaos.world import World, open_world

_INTERRUPTED = 130
"""What shells give for a command that Ctrl-C ended."""
# What a fault began is ended within this time.
_CLEANED_UP_S = 15.0
AT_ONCE = 2
"""Faults that run at the same time: most of them wait most of the time."""


def main(arguments: Sequence[str]) -> int:
    """Run what the arguments name; 1 where a promise was broken, 130 where it was interrupted."""
    args = _parser().parse_args(arguments)
    options = FULL if args.full else SHORT if args.quick else DEFAULT
    if args.database:
        options = replace(options, databases=tuple(args.database.split(",")))
    if args.points:
        options = replace(options, points=tuple(args.points.split(",")))
    faults = args.faults.split(",") if args.faults else list(FAULTS)
    seed = args.seed if args.seed is not None else secrets.randbelow(1_000_000)
    print(f"seed {seed}; " + ", ".join(f"{k} {v}" for k, v in machine().items()), flush=True)
    began = now()
    results: list[Result] = []
    interrupted = False
    try:
        asyncio.run(_run(seed, faults, options, results))
    except (KeyboardInterrupt, asyncio.CancelledError):
        interrupted = True
        print("interrupted; this is what there was", file=sys.stderr)
    results.sort(key=lambda result: (result.fault, result.database, result.what))
    took = now() - began
    print(f"\n{table(results)}\n\n{notes(results)}\n")
    if args.json:
        write_json(args.json, seed=seed, took_s=took, results=results)
    kept = _conclude(results, seed=seed, took_s=took)
    return _INTERRUPTED if interrupted and kept else int(not kept)


def _parser() -> argparse.ArgumentParser:
    list_of_faults = "; ".join(f"{name}: {what}" for name, what in FAULTS.items())
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__, epilog=list_of_faults)
    parser.add_argument("--faults", default="", help=f"some of {','.join(FAULTS)}")
    parser.add_argument("--database", default="", help=f"some of {','.join(DATABASES)}")
    parser.add_argument("--points", default="", help="places to kill at")
    parser.add_argument("--seed", type=int, help="as an earlier run printed it")
    parser.add_argument("--quick", action="store_true", help="a little of everything")
    parser.add_argument("--full", action="store_true", help="20 injections each; longer")
    parser.add_argument("--json", type=Path, help="write the report there as well")
    return parser


async def _run(seed: int, faults: Sequence[str], options: Options, results: list[Result]) -> None:
    this = asyncio.current_task()
    assert this is not None, "it runs"
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)
    async with open_world(seed) as world:
        work = asyncio.ensure_future(_all(world, faults, options, results))
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, _cancel, work)
        await work


async def _all(
    world: World, faults: Sequence[str], options: Options, results: list[Result]
) -> None:
    gate = asyncio.Semaphore(AT_ONCE)
    for kind in options.databases:
        await world.undisturbed(kind)

    async def one(name: str) -> list[Result]:
        async with gate:
            return await run_fault(world, name, options, results)

    late = await asyncio.gather(*map(one, faults))
    for name, rows in zip(faults, late, strict=True):
        for row in rows:
            await measure_alone(world, name, row, options, results)


async def measure_alone(
    world: World, name: str, late: Result, options: Options, results: list[Result]
) -> None:
    """Run a row that recovered too late again, with nothing beside it; late again is a violation.

    Beside other faults its time says more about them than about what recovered.
    """
    late.notes["late beside other faults, measured again alone"] = len(late.late)
    alone = replace(options, databases=(late.database,), points=(late.what,))
    for row in await run_fault(world, name, alone, results):
        row.violations += row.late


def _cancel(work: asyncio.Future[None]) -> None:
    """Cancel the faults, and again where a call that had just ended swallowed it."""
    if not work.done():
        work.cancel()
        asyncio.get_running_loop().call_later(_CLEANED_UP_S, _cancel, work)


async def run_fault(
    world: World, name: str, options: Options, results: list[Result]
) -> list[Result]:
    """Run a fault and return its rows that recovered too late; a fault that breaks violates."""
    began, late = now(), list[Result]()
    try:
        async for result in fault(name)(world, options):
            results.append(result)
            _tell(result)
            if result.late:
                late.append(result)
    except Exception as error:  # noqa: BLE001  the other faults shall run all the same
        broken = Result(fault=name, database="", what="broke", took_s=now() - began)
        broken.violations.append(explained(error))
        traceback.print_exception(error)  # where it broke is nowhere else to be read
        results.append(broken)
        _tell(broken)
    return late


def _tell(result: Result) -> None:
    """Say at once how a row came out."""
    state = result.skipped or f"{len(result.violations)} violations"
    row = f"{result.fault} {result.database} {result.what}: {state} ({result.took_s:.0f} s)"
    print("\n    ".join((f"  {row}", *result.violations[:3], *result.late[:3])), flush=True)


def _conclude(results: Sequence[Result], *, seed: int, took_s: float) -> bool:
    """Print how it went; whether every promise was kept."""
    injections = sum(result.kills for result in results)
    violations = sum(len(result.violations) for result in results)
    print(f"{injections} injections, {violations} violations, {took_s:.0f} s, seed {seed}")
    if not violations:
        return True
    names = {result.fault for result in results if result.violations}
    print(f'repeat with: make chaos ARGS="--seed {seed}"   ({", ".join(sorted(names))})')
    return False
