"""The catalogues as they are written: what each code says, before its braces are filled."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from string import Formatter

from heartrule.words.language import ReaderLanguage
from heartrule.words.words import FOLDER
from scripts.compile_words import PAGE, words_of


def sources(language: ReaderLanguage) -> list[Path]:
    """Return the .po files of a language, one for each area."""
    return sorted((FOLDER / language.folder / "LC_MESSAGES").glob("*.po"))


def messages(language: ReaderLanguage) -> dict[str, tuple[str, ...]]:
    """Return the words of each code of a language: one text, or one for each plural form."""
    found: dict[str, tuple[str, ...]] = {}
    for path in sources(language):
        for code, told in words_of(path).items():
            # The console's words are a namespace of their own: no program says them.
            key = f"{path.stem}/{code}" if path.stem == PAGE else code
            assert key not in found, key
            found[key] = (told,) if isinstance(told, str) else tuple(told)
    return found


def braces(texts: Iterable[str]) -> set[str]:
    """Return the names that texts have in braces."""
    return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name}
