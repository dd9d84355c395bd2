"""The catalogues as they are written: what each code says, before its braces are filled."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from heartrule.words.language import ReaderLanguage
from heartrule.words.words import FOLDER


def sources(language: ReaderLanguage) -> list[Path]:
    """Return the .po files of a language, one for each area."""
    return sorted((FOLDER / language.folder / "LC_MESSAGES").glob("*.po"))


def catalogue(path: Path) -> Catalog:
    """Return one .po file, read."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name, abort_invalid=True)


def messages(language: ReaderLanguage) -> dict[str, tuple[str, ...]]:
    """Return the words of each code of a language: one text, or one for each plural form."""
    found: dict[str, tuple[str, ...]] = {}
    for path in sources(language):
        for message in catalogue(path):
            code = message.id if isinstance(message.id, str) else message.id[0]
            if code:
                assert code not in found, code
                told = message.string or ""
                found[code] = (told,) if isinstance(told, str) else tuple(told)
    return found


def braces(texts: Iterable[str]) -> set[str]:
    """Return the names that texts have in braces."""
    return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name}
