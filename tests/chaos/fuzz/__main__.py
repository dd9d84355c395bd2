"""Fuzz requests, scripts and model replies: `python -m tests.chaos.fuzz`; none may break."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import secrets
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.chaos.fuzz.guarded import fuzz_guarded
from tests.chaos.fuzz.mangled import fuzz_bytes
from tests.chaos.fuzz.readings import fuzz_parser, fuzz_turns
from tests.chaos.fuzz.rounds import Tally
from tests.chaos.fuzz.rpcs import fuzz_rpc
from tests.chaos.fuzz.scripts import fuzz_scripts
from tests.chaos.fuzz.target import RPCS, Target

PARTS = ("rpcs", "bytes", "scripts", "replies", "turns", "guarded")
_ROUND = 100
"""Examples of one kind in a row: after them comes the next kind."""


def main() -> int:
    """Run what the arguments name; 1 where anything was found."""
    args = _parser().parse_args()
    logging.disable(logging.CRITICAL)
    seed = args.seed if args.seed is not None else secrets.randbelow(1_000_000)
    results: dict[str, object] = {"seed": seed}
    found = 0
    for part in args.parts.split(","):
        began = time.monotonic()
        tally = Tally(until=began + args.seconds)
        with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
            for work in _work(part, Path(folder), args.database, args.examples, tally):
                rounds = 0
                while not tally.over and tally.ran < args.examples and len(tally.found) < 20:
                    work(seed + rounds)
                    rounds += 1
        took = time.monotonic() - began
        results[part] = {"examples": tally.ran, "found": tally.found, "took_s": round(took, 1)}
        found += len(tally.found)
        print(f"{part}: {tally.ran} examples, {len(tally.found)} found, {took:.0f} s, seed {seed}")
        print("".join(f"  FOUND {each}\n" for each in tally.found), end="", flush=True)
    if args.json:
        args.json.write_text(json.dumps(results, ensure_ascii=False, indent=2) + "\n")
    return 1 if found else 0


def _work(
    part: str, folder: Path, database: str, examples: int, tally: Tally
) -> Iterator[Callable[[int], None]]:
    """Yield what runs a round of a part, with what it needs around it."""
    size = min(_ROUND, examples)
    if part == "scripts":
        yield lambda seed: fuzz_scripts(size, seed=seed, tally=tally)
        return
    if part == "replies":
        yield lambda seed: fuzz_parser(size, seed=seed, tally=tally)
        return
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    target = Target(folder, database)
    loop.run_until_complete(target.open())
    try:
        if part in {"turns", "guarded"}:
            fuzz_replies = fuzz_turns if part == "turns" else fuzz_guarded
            yield lambda seed: fuzz_replies(loop, target, size, seed=seed, tally=tally)
            return
        fuzz = fuzz_bytes if part == "bytes" else fuzz_rpc
        each = max(min(size, examples // len(RPCS)), 1)

        def every_rpc(seed: int) -> None:
            for method in RPCS:
                if not tally.over:
                    fuzz(loop, target, method, each, seed=seed, tally=tally)

        yield every_rpc
    finally:
        loop.run_until_complete(target.aclose())
        loop.close()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--parts", default=",".join(PARTS), help=f"some of {','.join(PARTS)}")
    parser.add_argument("--examples", type=int, default=50_000, help="of each part")
    parser.add_argument("--seconds", type=float, default=600.0, help="for each part, at most")
    parser.add_argument("--database", default="", help="a PostgreSQL address; else a file")
    parser.add_argument("--seed", type=int, help="as an earlier run printed it")
    parser.add_argument("--json", type=Path, help="write what came of it there as well")
    return parser


if __name__ == "__main__":
    sys.exit(main())
