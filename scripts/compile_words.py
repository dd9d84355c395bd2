#!/usr/bin/env python3
"""Compile the catalogues of heartrule/words: .mo files for programs, one JSON file for the console.

Run by `make words`; the results are committed, so that no one else needs Babel.
"""

from __future__ import annotations

import io
import json
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

WORDS = Path(__file__).resolve().parent.parent / "heartrule" / "words"
PAGE = "console"
PAGE_AREAS = (PAGE, "failures")
"""What the console reads; its own words are no use to programs, and get no .mo file."""


def catalogue(path: Path) -> Catalog:
    """Return one .po file, read."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name, abort_invalid=True)


def words_of(path: Path) -> dict[str, str | list[str]]:
    """Return what each code of a .po file says: a text, or one for each plural form."""
    told = {}
    for message in catalogue(path):
        code = message.id if isinstance(message.id, str) else message.id[0]
        if code:
            text = message.string or ""
            told[code] = text if isinstance(text, str) else list(text)
    return told


def machine_file(path: Path) -> bytes:
    """Return the .mo file of a .po file."""
    made = io.BytesIO()
    write_mo(made, catalogue(path))
    return made.getvalue()


def page_file(folder: Path) -> str:
    """Return the JSON of all that the console says in the language of a folder."""
    told: dict[str, str | list[str]] = {}
    for area in PAGE_AREAS:
        told |= words_of(folder / f"{area}.po")
    return json.dumps(told, ensure_ascii=False, indent=0) + "\n"


def main() -> None:
    """Write all files anew."""
    for folder in sorted(WORDS.glob("*/LC_MESSAGES")):
        for path in folder.glob("*.po"):
            if path.stem != PAGE:
                path.with_suffix(".mo").write_bytes(machine_file(path))
        (folder / f"{PAGE}.json").write_text(page_file(folder), "utf-8")


if __name__ == "__main__":
    main()
