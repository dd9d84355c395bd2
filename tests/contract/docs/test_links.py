"""No link of a page leads nowhere, and no page is lost."""

from __future__ import annotations

from tests.support.documents import DOCS, Page, page, pages
from tests.support.source_tree import ROOT

FOREIGN = ("http://", "https://", "mailto:")


def targets(one: Page) -> list[str]:
    return [link for link in one.links() if not link.startswith(FOREIGN)]


def leads_nowhere(one: Page, link: str) -> bool:
    """Return whether the file is absent, or has no such heading."""
    name, _, anchor = link.partition("#")
    path = (one.path.parent / name).resolve() if name else one.path
    if not path.exists():
        return True
    is_page = path.suffix == ".md"
    return bool(anchor) and is_page and anchor not in page(str(path.relative_to(ROOT))).anchors()


def test_every_link_leads_somewhere() -> None:
    """A relative link names a file of the repository and, behind `#`, one of its headings."""
    found = ((one, link) for one in pages() for link in targets(one))
    assert [(one.name, link) for one, link in found if leads_nowhere(one, link)] == []


def test_every_page_is_reached_from_the_index() -> None:
    """Whoever begins at docs/index.md finds every page in a few steps."""
    found: set[str] = set()
    waiting = ["docs/index.md"]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        paths = ((page(name).path.parent / link.partition("#")[0]) for link in targets(page(name)))
        pages_linked = (path.resolve() for path in paths if path.suffix == ".md")
        waiting += [str(path.relative_to(ROOT)) for path in pages_linked if path.exists()]
    assert {str(path.relative_to(ROOT)) for path in DOCS.rglob("*.md")} - found == set()
