"""`heartrule scrub`: vacuums PostgreSQL, so that no erased byte stays in its files (ADR 20)."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence

from executor_service.settings import StoreSettings
from heartrule.chassis.settings import read
from heartrule.domain.errors import StoreUnavailable
from heartrule.words.language import ReaderLanguage, language_in
from heartrule.words.words import Words, say
from heartrule_cli.failure import Failure
from heartrule_cli.text import one_line
from session_store.vacuum import (
    VacuumedTable,
    VacuumLimits,
    VacuumOutcome,
    needs_vacuum,
    vacuum_database,
)


def scrub(args: Namespace, environ: Mapping[str, str]) -> int:
    """Write every table with conversations anew where something was erased; return 0.

    Raises:
        Failure: A table was left out, or the database does not answer.
    """
    address, language = read(StoreSettings, environ).database_url, language_in(environ)
    if not needs_vacuum(address):
        print(say("cli.scrub.sqlite").told(language))
        return 0
    done = []
    try:
        limits = VacuumLimits(longest=args.longest)
        for each in vacuum_database(address, limits, anyway=args.anyway):
            print(_line(each).told(language), flush=True)
            done.append(each)
    except StoreUnavailable as error:
        hint = one_line(str(error.__cause__ or ""))
        raise Failure(say("cli.scrub.no_database"), hint=hint) from error
    _report_result(done, language)
    return 0


def _line(each: VacuumedTable) -> Words:
    outcome = say(f"cli.scrub_end.{each.outcome}", seconds=each.seconds)
    tries = say("cli.scrub.tries", tries=each.tries) if each.tries > 1 else ""
    size = each.size / 1e6
    return say(
        "cli.scrub.table", table=each.table, rows=each.rows, size=size, what=outcome, tries=tries
    )


def _report_result(done: Sequence[VacuumedTable], language: ReaderLanguage) -> None:
    """Print the result, or raise Failure where a table was left out."""
    if not done:
        print(say("cli.scrub.nothing").told(language))
        return
    if left := [each for each in done if each.outcome is not VacuumOutcome.WRITTEN]:
        reasons = tuple(
            say("cli.scrub.left_table", table=each.table, why=say(f"cli.scrub_left.{each.outcome}"))
            for each in left
        )
        raise Failure(say("cli.scrub.left", count=len(left)), hint=reasons)
    longest = max(each.seconds for each in done)
    print(say("cli.scrub.done", count=len(done), longest=longest).told(language))
