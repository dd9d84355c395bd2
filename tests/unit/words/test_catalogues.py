"""Every code has its words in both languages, and what is compiled is what is written."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator
from gettext import GNUTranslations
from typing import BinaryIO

import pytest

from executor_service.scripts.model.texts import CODES
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import FOLDER, page_words
from scripts.compile_words import PAGE, machine_file, page_file
from tests.support.catalogues import braces, messages, sources

ROOT = FOLDER.parents[1]
PACKAGES = ("executor_service", "gateway_service", "heartrule", "heartrule_cli")
# Codes that are put together, and those of the console.
STEMS = ("scope.", "count.", "check.", "cause.", f"{PAGE}/")
SAME = {
    "causeForm.quote", f"{PAGE}/calls.tokens", f"{PAGE}/runCode.http_4xx",
    f"{PAGE}/runCode.http_5xx",
}  # fmt: skip
ENGLISH, CHINESE = messages(ReaderLanguage.ENGLISH), messages(ReaderLanguage.CHINESE)


def said() -> Iterator[tuple[str, str, set[str | None]]]:
    """Yield each fixed code that a module says, its place, and the facts that it gives."""
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            source = path.read_text("utf-8")
            for call in ast.walk(ast.parse(source)) if "say(" in source else ():
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "say":
                    code = call.args[0]
                    if isinstance(code, ast.Constant):
                        facts = {each.arg for each in call.keywords}
                        yield str(code.value), f"{path.name}:{call.lineno}", facts


def test_each_language_has_the_words_of_every_code() -> None:
    """What one catalogue says, the other says too."""
    assert set(ENGLISH) ^ set(CHINESE) == set()
    blank = [code for told in (ENGLISH, CHINESE) for code in told if not all(told[code])]
    assert blank == []


def test_a_sentence_names_the_same_facts_in_each_language() -> None:
    """Parameters go by name, so that each language may order them as it likes."""
    assert [code for code in ENGLISH if braces(ENGLISH[code]) != braces(CHINESE[code])] == []


def test_chinese_is_chinese() -> None:
    """No sentence was left in English; numbers, signs and names are the same in both."""
    own = {code: re.sub(r"\{\w+\}", "", text).strip() for code, (text, *_) in CHINESE.items()}
    chinese = re.compile("[\u3000-\uff1f]")
    left = {code for code, text in own.items() if text and not chinese.search(text)}
    assert left == SAME


def test_every_finding_has_words() -> None:
    """A code of the check is one of the catalogues."""
    assert [code for code in CODES if code not in ENGLISH] == []


def test_whoever_says_something_says_it_by_a_known_code_with_its_facts() -> None:
    """A code without words would be read as it is, and a missing fact would be an error."""
    wrong = [
        (place, code)
        for code, place, facts in said()
        if code not in ENGLISH or not (None in facts or braces(ENGLISH[code]) <= facts)
    ]
    assert wrong == []


def test_no_words_are_left_over() -> None:
    """A code that stands in no module is gone from the catalogues."""
    texts = "".join(
        path.read_text("utf-8") for package in PACKAGES for path in (ROOT / package).rglob("*.py")
    )
    unused = [code for code in ENGLISH if f'"{code}"' not in texts and code not in CODES]
    assert [code for code in unused if not code.startswith(STEMS)] == []


def entries(compiled: BinaryIO) -> dict[object, str]:
    """Return what a compiled catalogue says, without its header, which names a date."""
    catalogue: dict[object, str] = vars(GNUTranslations(compiled))["_catalog"]
    return {code: text for code, text in catalogue.items() if code}


@pytest.mark.parametrize("language", ReaderLanguage)
def test_what_is_compiled_is_what_is_written(language: ReaderLanguage) -> None:
    """`make words` was run after the last change."""
    for path in sources(language):
        if path.stem != PAGE:
            with path.with_suffix(".mo").open("rb") as kept:
                assert entries(kept) == entries(io.BytesIO(machine_file(path))), path.name
    page = page_words(language)
    assert page.read_text("utf-8") == page_file(page.parent)
