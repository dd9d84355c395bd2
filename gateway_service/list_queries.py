"""Queries of lists that are filtered and ordered."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from gateway_service.bodies import Name, PageQuery
from heartrule.domain.request_limits import LONGEST_FILTER


class ListQuery(PageQuery):
    """Which rows of a list, and in which order."""

    filter: Annotated[str, StringConstraints(max_length=LONGEST_FILTER)] = ""
    """Comparisons joined by AND, such as `create_time > "2026-11-01T00:00:00Z"`."""
    order_by: Name = ""
    """A field, with ` desc` behind it for the largest first."""


class SessionsQuery(ListQuery):
    """Which sessions."""

    user_id: Name = ""
    """Only sessions of this user."""
