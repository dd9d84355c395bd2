"""`heartrule safety report`: prints how often danger was found, without content."""

from __future__ import annotations

import asyncio
import json
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime

from heartrule.domain.safety import SafetyCount
from heartrule_cli.executor_client import executor_at
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.text import table_lines

_HEAD = ("month", "level", "source", "language", "count", "refused")


def safety_report(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print the counts by month, level, source and language."""
    counts = asyncio.run(_counts(args.address, environ, _first_of(args.since)))
    lines = map(_as_json, counts) if args.format == "json" else table(counts)
    for line in lines:
        print(line)
    return 0


async def _counts(
    address: str, environ: Mapping[str, str], since: datetime | None
) -> Sequence[SafetyCount]:
    async with executor_at(address, environ) as executor:
        return await executor.safety_report(since)


def _first_of(month: str | None) -> datetime | None:
    """Return the beginning of a month such as 2026-11; None where none is given."""
    if month is None:
        return None
    try:
        return datetime.strptime(month, "%Y-%m").replace(tzinfo=UTC)
    except ValueError:
        raise Failure(f"{month!r} is no month such as 2026-11", code=WRONG) from None


def table(counts: Sequence[SafetyCount]) -> Iterator[str]:
    """Yield the lines of a table; one sentence where nothing was counted."""
    if not counts:
        yield "no hits"
        return
    yield from table_lines([_HEAD, *map(_row, counts)], margin="")


def _row(count: SafetyCount) -> tuple[str, ...]:
    named = (count.month, count.level.name.lower(), count.source.value, count.language or "-")
    return (*named, str(count.count), str(count.refused))


def _as_json(count: SafetyCount) -> str:
    return json.dumps(asdict(count) | {"level": count.level.name})
