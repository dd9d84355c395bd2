"""`heartrule scrub`: vacuums PostgreSQL, so that no erased byte stays in its files (ADR 20)."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence

from executor_service.settings import StoreSettings
from heartrule.chassis.settings import read
from heartrule.domain.errors import HeartRuleError
from heartrule_cli.failure import Failure
from heartrule_cli.scripts import count_text
from heartrule_cli.text import one_line
from session_store.vacuum import (
    VacuumedTable,
    VacuumLimits,
    VacuumOutcome,
    needs_vacuum,
    vacuum_database,
)

_LEFT = {
    VacuumOutcome.BUSY: "others used it without a pause; try at a quieter hour",
    VacuumOutcome.TOO_LONG: "it would be locked for longer than --longest allows; it is as it was",
    VacuumOutcome.SEEN: "a transaction older than the erasure is open: a dump, a replica, a report",
    VacuumOutcome.REFUSED: "the user of HEARTRULE_DATABASE_URL does not own it",
}


def scrub(args: Namespace, environ: Mapping[str, str]) -> int:
    """Write every table with conversations anew where something was erased; return 0.

    Raises:
        Failure: A table was left out, or the database does not answer.
    """
    address = read(StoreSettings, environ).database_url
    if not needs_vacuum(address):
        print("nothing to do: on SQLite every erasure writes the file anew by itself")
        return 0
    done = []
    try:
        limits = VacuumLimits(longest=args.longest)
        for each in vacuum_database(address, limits, anyway=args.anyway):
            print(_line(each), flush=True)
            done.append(each)
    except HeartRuleError as error:
        raise Failure(error.message, hint=one_line(str(error.__cause__ or ""))) from error
    _report_result(done)
    return 0


def _line(each: VacuumedTable) -> str:
    tries = f"  {each.tries} tries" if each.tries > 1 else ""
    is_written = each.outcome is VacuumOutcome.WRITTEN
    what = f"locked {each.seconds:.3f} s" if is_written else each.outcome.value
    return f"  {each.table:<20} {each.rows:>9} rows {each.size / 1e6:>9.1f} MB  {what}{tries}"


def _report_result(done: Sequence[VacuumedTable]) -> None:
    """Print the result, or raise Failure where a table was left out."""
    if not done:
        print("nothing to do: nothing was erased since the last scrub")
        return
    if left := [each for each in done if each.outcome in _LEFT]:
        reasons = "\n".join(f"{each.table}: {_LEFT[each.outcome]}" for each in left)
        count = count_text(len(left), "table")
        raise Failure(f"{count} may still hold bytes of what was erased", hint=reasons)
    longest = max(each.seconds for each in done)
    print(f"OK: {count_text(len(done), 'table')} written anew, none locked above {longest:.3f} s")
