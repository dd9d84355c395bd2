"""`heartrule safety report`: prints how often danger was found, without content."""

from __future__ import annotations

import asyncio
import json
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime

from heartrule.domain.safety import SafetyCount
from heartrule.words.language import ReaderLanguage, language_in
from heartrule.words.words import Said, say, told
from heartrule_cli.executor_client import executor_at
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.text import table_lines

_HEAD = (
    say("cli.safety.month"),
    say("cli.safety.level"),
    say("cli.safety.source"),
    say("cli.safety.language"),
    say("cli.safety.count"),
    say("cli.safety.refused"),
)


def safety_report(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print the counts by month, level, source and language."""
    counts = asyncio.run(_counts(args.address, environ, _first_of(args.since)))
    is_json = args.format == "json"
    lines = map(_as_json, counts) if is_json else table(counts, language_in(environ))
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
        raise Failure(say("cli.safety.no_month", text=repr(month)), code=WRONG) from None


def table(
    counts: Sequence[SafetyCount], language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> Iterator[str]:
    """Yield the lines of a table; one sentence where nothing was counted."""
    if not counts:
        yield say("cli.safety.none").told(language)
        return
    rows = (_HEAD, *map(_row, counts))
    yield from table_lines([[told(each, language) for each in row] for row in rows], margin="")


def _row(count: SafetyCount) -> tuple[Said, ...]:
    level = say(f"cli.level.{count.level.name.lower()}")
    named = (count.month, level, say(f"cli.safety_source.{count.source}"), count.language or "-")
    return (*named, str(count.count), str(count.refused))


def _as_json(count: SafetyCount) -> str:
    return json.dumps(asdict(count) | {"level": count.level.name})
