"""docs/reference/http.md names every route, and what it says of frames is true."""

from __future__ import annotations

import re

from gateway_service.problems import STATUS
from heartrule.v1 import event_pb2
from tests.support import routes_page
from tests.support.documents import page

PAGE = page("docs/reference/http.md")
ERRORS = page("docs/reference/errors.md")
NO_FRAME = {"heartbeat"}
"""Told as a comment."""


def test_the_table_is_that_of_the_code() -> None:
    """Method, path and meaning of each route are written once, where it is served."""
    assert routes_page.filled(PAGE.text) == PAGE.text, f"run {routes_page.REGENERATE}"


def test_every_event_has_its_name_on_the_page() -> None:
    """A front end finds all that a stream may tell."""
    (oneof,) = event_pb2.SessionEvent.DESCRIPTOR.oneofs
    names = {field.camelcase_name for field in oneof.fields} - NO_FRAME
    assert names - set(PAGE.quoted()) == set()


def test_the_statuses_are_those_of_the_code() -> None:
    """The page of errors and the one table of the gateway agree."""
    rows = {row[0]: int(row[1]) for row in ERRORS.table("Over HTTP") if row[1].isdecimal()}
    told = {code: status for codes, status in rows.items() for code in re.split(r",\s*", codes)}
    assert told == {code.name: status for code, (status, _) in STATUS.items()}
