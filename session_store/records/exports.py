"""What an export reads of a person's data: rows of tables, page by page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from heartrule.domain.json_value import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedRow:
    """A row of a table as JSON, by column; its tenant is left out."""

    table: str
    row: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPlace:
    """Up to where the rows of a session, or the globals of a user, were read."""

    table: int = 0
    """Its index among those of an export."""
    after: tuple[object, ...] = ()
    """The key of the last row read of it; empty: none was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPage:
    """Some rows, and where the next page begins."""

    rows: tuple[ExportedRow, ...]
    next: ExportPlace | None
    """None: there are no more."""
