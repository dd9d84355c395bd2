"""The shipped words about texts that may not leave."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor_service.actions.outgoing.claims import SelfClaims
from executor_service.actions.outgoing.outgoing_texts import load_outgoing_texts
from executor_service.actions.outgoing.text_fault import TextFault

TABLE = load_outgoing_texts(Path(__file__).parents[3] / "_system" / "config")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_text_is_there(language: str) -> None:
    """Each fault has its line, and a question can be put in several ways."""
    texts = TABLE.languages[language]
    assert set(texts.ask_again) == set(TextFault)
    assert all((texts.what_it_is, texts.already_said, texts.just_closed, texts.last_answer))
    assert len(texts.other_words) >= 3
    assert not (said := SelfClaims(role="小林")).feed(texts.what_it_is) or not said.claimed


def test_an_unknown_language_has_the_first_ones() -> None:
    """A locale counts by its language."""
    assert TABLE.of("en-US") is TABLE.languages["en"]
    assert TABLE.of("fr") is TABLE.languages["zh"]
