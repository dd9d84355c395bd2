"""Words are told in a language, filled with facts."""

from __future__ import annotations

import pickle

from heartrule.words.language import ReaderLanguage
from heartrule.words.words import say, told

CHINESE = ReaderLanguage.CHINESE


def test_a_fact_that_is_words_is_told_in_the_same_language() -> None:
    """A sentence is not half English."""
    words = say("missing", what=say("what.topic"), key="actions", advice=say("advice.one_item"))
    assert words.told(CHINESE) == "话题缺少 `actions`；请至少写一项"
    assert str(words) == "a topic needs `actions`; list at least one item"


def test_a_list_is_told_with_the_signs_of_the_language() -> None:
    """An empty one is told too."""
    assert say("hint.known", known=("a", "b")).told(CHINESE) == "可以写：a、b"
    assert str(say("hint.known", known=("a", "b"))) == "known: a, b"
    assert str(say("hint.known", known=())) == "known: none"


def test_a_count_decides_between_singular_and_plural() -> None:
    """Chinese has one form."""
    facts = {"steps": 5, "least": 0.0, "most": 4.0}
    assert str(say("words_and_steps", count=1, **facts)) == "1 word for the 5 steps from 0 to 4"
    assert str(say("words_and_steps", count=2, **facts)) == "2 words for the 5 steps from 0 to 4"


def test_what_an_author_wrote_is_no_template() -> None:
    """Braces in a fact stay as they are, and a text is no code."""
    assert str(say("hint.did_you_mean", meant="{x.__class__}")) == "did you mean `{x.__class__}`?"
    assert told("what.topic", CHINESE) == "what.topic"


def test_words_travel_between_processes() -> None:
    """Scripts are checked in workers; the language is decided where the caller is known."""
    words = say("bad_condition", message=say("condition.empty"))
    assert pickle.loads(pickle.dumps(words)) == words


def test_chinese_is_set_apart_from_latin_letters_and_only_there() -> None:
    """A space stands where a fact in Latin letters meets our Chinese, and none in an author's."""
    assert (
        say("not_here", what="ai_say", key="键", why="").told(CHINESE) == "ai_say 没有 `键` 这个键"
    )
    assert (
        say("not_here", what=say("what.topic"), key="x", why="")
        .told(CHINESE)
        .startswith("话题没有")
    )
    assert say("condition.unknown_word", word="年龄").told(CHINESE).endswith("（写作 '年龄'）")
