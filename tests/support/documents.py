"""The project's pages, taken apart for tests about them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path

from tests.support.source_tree import ROOT

DOCS = ROOT / "docs"
_FENCE = re.compile(r"^(```|~~~).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"^(?: {4}|\t)\S.*$", re.MULTILINE)
_INLINE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^(#{1,6}) +(.+?) *$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Page:
    """One Markdown file."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        """Path from the root, as a person would write it."""
        return self.path.relative_to(ROOT).as_posix()

    @property
    def prose(self) -> str:
        """The text without its fenced blocks."""
        return _FENCE.sub("", self.text)

    def headings(self) -> tuple[str, ...]:
        """Return the headings in order, without their marks."""
        return tuple(match[2] for match in _HEADING.finditer(self.prose))

    def anchors(self) -> frozenset[str]:
        """Return what may stand after `#` in a link to this page."""
        return frozenset(slug(heading) for heading in self.headings())

    def links(self) -> Iterator[str]:
        """Yield the targets of links; what stands in code is none."""
        return (match[1] for match in _LINK.finditer(_INLINE.sub("", self.prose)))

    def quoted(self) -> Iterator[str]:
        """Yield what stands between single backticks."""
        return (match[1].strip() for match in _INLINE.finditer(self.prose))

    def code(self) -> Iterator[str]:
        """Yield inline code, and the lines of fenced and indented blocks."""
        yield from self.quoted()
        for block in _FENCE.finditer(self.text):
            yield from block[0].splitlines()[1:-1]
        yield from (line[0].strip() for line in _INDENTED.finditer(self.prose))

    def table(self, heading: str) -> list[list[str]]:
        """Return the cells of the first table below a heading, its head left out."""
        _, _, below = self.text.partition(f"# {heading}\n")
        assert below, f"{self.name} has no heading {heading!r}"
        lines = below.splitlines()
        while lines and not lines[0].startswith("|"):
            lines.pop(0)
        rows = list(takewhile(lambda line: line.startswith("|"), lines))
        return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows[2:]]


def slug(heading: str) -> str:
    """Return the anchor that Git hosts make of a heading."""
    plain = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower())
    return plain.replace(" ", "-")


@cache
def page(name: str) -> Page:
    """Return one page by its path from the root."""
    path = ROOT / name
    return Page(path, path.read_text(encoding="utf-8"))


@cache
def pages() -> tuple[Page, ...]:
    """Return every page for readers: docs, and the READMEs and the like beside the code."""
    beside = [
        *ROOT.glob("*.md"),
        *(ROOT / "protos").rglob("*.md"),
        *(ROOT / "deploy").rglob("*.md"),
    ]
    found = sorted({*DOCS.rglob("*.md"), *beside})
    return tuple(page(path.relative_to(ROOT).as_posix()) for path in found)
