"""The table of docs/reference/http.md, made from the routes themselves.

`python -m tests.support.routes_page` writes it into the page; a test compares.
"""

from __future__ import annotations

import re

from gateway_service.app import endpoints
from gateway_service.endpoint import Endpoint
from tests.support.source_tree import ROOT

PAGE = ROOT / "docs" / "reference" / "http.md"
REGENERATE = "python -m tests.support.routes_page"
_BEGIN, _END = f"<!-- routes: made by {REGENERATE} -->", "<!-- end of routes -->"


def table() -> str:
    """Return one row for each route, by noun."""
    head = ("| route | what it does |", "| --- | --- |")
    return "\n".join((*head, *(_row(one) for one in endpoints())))


def filled(text: str) -> str:
    """Return the page's text with the table as the code has it now."""
    block = re.compile(re.escape(_BEGIN) + r".*?" + re.escape(_END), re.DOTALL)
    made, count = block.subn(lambda _: f"{_BEGIN}\n{table()}\n{_END}", text)
    assert count == 1, f"{PAGE.name} has no place for the routes"
    return made


def _row(one: Endpoint) -> str:
    return f"| `{one.method} {one.path}` | {one.summary} |"


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
