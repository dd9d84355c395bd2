"""Words of the rules as they are written: with choices, and each alone."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter

from heartrule.safety.word_lists import Words, WordSet, spelled_out


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("hurts himself", ["hurts himself"]),
        ("hurts (him|her)self", ["hurts himself", "hurts herself"]),
        ("(gave|gives) away (his|her) dog", ["gave away his dog", "gave away her dog",
                                             "gives away his dog", "gives away her dog"]),
        ("怎么(劝|帮)(他|她)", ["怎么劝他", "怎么劝她", "怎么帮他", "怎么帮她"]),
    ],
)  # fmt: skip
def test_a_word_with_choices_stands_for_each_of_them(written: str, words: list[str]) -> None:
    """Each choice is a word of its own, in the order in which they are written."""
    assert list(spelled_out(written)) == words


def test_lists_hold_the_normal_form_of_each_choice() -> None:
    """A list and a set of words hold what their words with choices stand for."""
    written = ["Don’t (Want|Need)"]
    assert TypeAdapter(Words).validate_python(written) == ("don't want", "don't need")
    assert TypeAdapter(WordSet).validate_python(written) == {"don't want", "don't need"}
