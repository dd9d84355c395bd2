"""Pages of a list; a token names the last entry given, so that new entries shift nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from heartrule.domain.errors import InvalidRequest
from session_store.records import Page

Entry = TypeVar("Entry")


def page_of(entries: Mapping[str, Entry], page: Page) -> tuple[list[Entry], str]:
    """Return the entries after the token's and the next token; empty after the last entry."""
    names = list(entries)
    start = 0
    if page.token:
        if page.token not in entries:
            raise InvalidRequest("unknown page token", reason="PAGE_TOKEN_INVALID")
        start = names.index(page.token) + 1
    chosen = names[start : start + page.size]
    more = start + page.size < len(names)
    return [entries[name] for name in chosen], chosen[-1] if more else ""
