"""The table of docs/reference/http.md, made from the routes themselves.

`python -m tests.support.routes_page` writes it into the page; a test compares.
"""

from __future__ import annotations

import re

from gateway_service.app import make_api
from tests.support.source_tree import ROOT

PAGE = ROOT / "docs" / "reference" / "http.md"
REGENERATE = "python -m tests.support.routes_page"
_BEGIN, _END = f"<!-- routes: made by {REGENERATE} -->", "<!-- end of routes -->"


def table() -> str:
    """Return one row for each route, by noun."""
    rows = [
        f"| `{method.upper()} {path}` | {operation['summary']} |"
        for path, operations in make_api().openapi()["paths"].items()
        for method, operation in operations.items()
    ]
    return "\n".join(("| route | what it does |", "| --- | --- |", *rows))


def filled(text: str) -> str:
    """Return the page's text with the table as the code has it now."""
    block = re.compile(re.escape(_BEGIN) + r".*?" + re.escape(_END), re.DOTALL)
    made, count = block.subn(lambda _: f"{_BEGIN}\n{table()}\n{_END}", text)
    assert count == 1, f"{PAGE.name} has no place for the routes"
    return made


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
