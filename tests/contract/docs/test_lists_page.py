"""docs/reference/lists.md names what each list is filtered and ordered by."""

from __future__ import annotations

import re
from collections.abc import Mapping

from heartrule.domain.labels import LONGEST_LABEL, MOST_LABELS
from heartrule.domain.request_limits import LONGEST_FILTER
from session_store.sql.decisions.decision_rows import DECISIONS_LISTED
from session_store.sql.lists.list_filter import MOST_COMPARISONS
from session_store.sql.lists.listing import Listing
from session_store.sql.runs.reading import RUNS_LISTED
from session_store.sql.safety.safety_events import SAFETY_EVENTS_LISTED
from session_store.sql.sessions.scripts import SCRIPTS_LISTED
from session_store.sql.sessions.sessions import SESSIONS_LISTED
from session_store.sql.threads.reading import THREADS_LISTED
from tests.support.documents import page

PAGE = page("docs/reference/lists.md")
LISTS: Mapping[str, Listing] = {
    "ListSessions": SESSIONS_LISTED,
    "ListScripts": SCRIPTS_LISTED,
    "ListDecisions": DECISIONS_LISTED,
    "ListRuns": RUNS_LISTED,
    "ListThreads": THREADS_LISTED,
    "ListSafetyEvents": SAFETY_EVENTS_LISTED,
}


def test_the_table_is_that_of_the_code() -> None:
    """Every field, and every order with the default first."""
    told = {row[0].strip("`"): row[1:] for row in PAGE.table("Fields")}
    assert set(told) == set(LISTS)
    for name, listing in LISTS.items():
        filters, orders = (re.findall(r"`([^`]+)`", cell) for cell in told[name])
        assert set(filters) == set(listing.fields)
        assert orders[0] == listing.order_by
        assert {each.removesuffix(" desc") for each in orders} == set(listing.orders)


def test_the_limits_are_those_of_the_code() -> None:
    """Of labels and of filters."""
    limits = (MOST_LABELS, LONGEST_LABEL, MOST_COMPARISONS, LONGEST_FILTER)
    assert [limit for limit in limits if f"{limit:,}" not in PAGE.text] == []
