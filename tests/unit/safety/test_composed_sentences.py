"""Subject × verb × time × frame: scope beyond the sentences somebody wrote."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartrule.domain.safety import SafetyLevel, Subject
from heartrule.safety.screen import ScreenContext
from tests.support.shipped_files import shipped_screen as screen

OTHERS_ZH = ("我朋友", "我妹妹", "我的室友", "她")
VERBS_ZH = ("想自杀", "想死", "不想活了", "想结束自己的生命", "活不下去了")
TIMES_ZH = ("", "最近", "这几天总是", "其实")
FICTION_ZH = ("小说里写：", "电影里的人说")
OTHERS_EN = ("my friend", "my sister", "my roommate", "she")
# As the client says it, and as it is said of somebody else.
VERBS_EN = (
    ("want to die", "wants to die"),
    ("want to kill myself", "wants to kill herself"),
    ("don't want to live anymore", "doesn't want to live anymore"),
    ("wish I was dead", "wishes she was dead"),
)
TIMES_EN = ("", " lately", " again", " these days")
FICTION_EN = ("in the movie the character says: ", "the book is about a girl who says ")
DENIED = (
    ("我没有自杀的想法", "我没有想过自杀", "我不想死", "我从来没想过伤害自己"),
    ("I don't want to die", "I'm not suicidal", "I have never thought about killing myself"),
)
ADMITTED = (("，但是我活不下去了", "。我想死"), (", but I want to kill myself", ". I want to die"))


@pytest.fixture(autouse=True, scope="module")
def _loaded() -> None:
    """Load the rules before the first example: a deadline is for the screen alone."""
    screen().screen("a")


@dataclass(frozen=True)
class Said:
    """A sentence and whom it is about."""

    text: str
    subject: Subject


def chinese(whom: st.SearchStrategy[str], subject: Subject) -> st.SearchStrategy[Said]:
    """Return Chinese sentences about a person."""
    parts = (whom, st.sampled_from(TIMES_ZH), st.sampled_from(VERBS_ZH))
    return st.tuples(*parts).map(lambda words: Said("".join(words), subject))


def english(whom: st.SearchStrategy[str], subject: Subject) -> st.SearchStrategy[Said]:
    """Return English sentences about a person."""
    form = int(subject is Subject.OTHER)
    parts = (whom, st.sampled_from(VERBS_EN), st.sampled_from(TIMES_EN))
    return st.tuples(*parts).map(lambda each: Said(f"{each[0]} {each[1][form]}{each[2]}", subject))


OWN = chinese(st.sampled_from(["", "我", "我真的"]), Subject.SELF) | english(
    st.just("I"), Subject.SELF
)
OTHER = chinese(st.sampled_from(OTHERS_ZH), Subject.OTHER) | english(
    st.sampled_from(OTHERS_EN), Subject.OTHER
)
TOLD = st.tuples(
    st.sampled_from(FICTION_ZH), chinese(st.sampled_from(["", "我", *OTHERS_ZH]), Subject.SELF)
) | st.tuples(st.sampled_from(FICTION_EN), english(st.just("I"), Subject.SELF))


@given(OWN)
def test_what_the_client_says_of_itself_is_a_crisis(said: Said) -> None:
    """In the first person, or without a subject, it is about the client."""
    found = screen().screen(said.text)
    assert found.level >= SafetyLevel.CRISIS
    assert found.subject is Subject.SELF


@given(OTHER)
def test_what_the_client_says_of_others_freezes_nothing(said: Said) -> None:
    """With somebody else as the subject, the level is THIRD_PARTY."""
    found = screen().screen(said.text)
    assert (found.level, found.subject) == (SafetyLevel.THIRD_PARTY, Subject.OTHER)


@given(TOLD)
def test_a_story_is_no_crisis(told: tuple[str, Said]) -> None:
    """Inside a film or a book nothing freezes the session."""
    frame, said = told
    assert screen().screen(f"{frame}{said.text}").level < SafetyLevel.CRISIS


@given(st.sampled_from([0, 1]), st.data())
def test_a_denial_reaches_to_the_end_of_its_clause(language: int, data: st.DataObject) -> None:
    """A denial alone is no level; what is admitted behind it counts."""
    denied = data.draw(st.sampled_from(DENIED[language]))
    admitted = data.draw(st.sampled_from(ADMITTED[language]))
    assert screen().screen(denied).level is SafetyLevel.NONE
    assert screen().screen(f"{denied}{admitted}").level >= SafetyLevel.CRISIS


@given(OWN, st.integers(min_value=1, max_value=3))
def test_a_sentence_spread_over_inputs_is_read_together(said: Said, parts: int) -> None:
    """The inputs since the assistant spoke are read as one sentence too."""
    words = said.text.split(" ") if said.text.isascii() else list(said.text)
    size = max(1, len(words) // parts)
    joint = " " if said.text.isascii() else ""
    pieces = [joint.join(words[at : at + size]) for at in range(0, len(words), size)]
    context = ScreenContext(earlier=tuple(pieces[:-1]))
    assert screen().screen(pieces[-1], context).level >= SafetyLevel.CRISIS
