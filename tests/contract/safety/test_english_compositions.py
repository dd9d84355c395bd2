"""Wish × dying × time × person × frame in English: scope beyond the sentences somebody wrote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartrule.domain.safety import SafetyLevel, Subject
from tests.support.shipped_files import shipped_screen as screen

PERSONS = ("my friend", "my sister", "my roommate", "my best mate", "a guy at work", "she", "he")
# A wish with the verb form it takes, of me and of somebody else.
WISHES = (
    ("want to {}", "wants to {}"),
    ("really wanna {}", "really wants to {}"),
    ("keep thinking I should {}", "keeps saying that she wants to {}"),
    ("would just like to {}", "just wants to {}"),
    ("have wanted to {}", "has wanted to {}"),
    ("feel like I need to {}", "says he needs to {}"),
    ("wish I could {}", "wishes she could {}"),
)
DYING = (
    "die",
    "be dead",
    "never wake up again",
    "end it all",
    "sleep forever",
    "not be alive anymore",
)
TIMES = ("", " lately", " again", " these days", " tbh", " every single day")
FRAMES = (
    "in the movie the character says: I {}",
    "the novel is about a girl who says I {}",
    'the song lyrics go "I {}"',
    "we watched a documentary about people who {}",
)
DENIALS = ("I don't {}", "I have never said that I {}", "I'm not saying that I {}")


@pytest.fixture(autouse=True, scope="module")
def _loaded() -> None:
    """Load the rules before the first example: a deadline is for the screen alone."""
    screen().screen("a")


def wished(form: int) -> st.SearchStrategy[str]:
    """Return a wish to be dead, of me (0) or of somebody else (1)."""
    parts = st.tuples(*map(st.sampled_from, (WISHES, DYING, TIMES)))
    return parts.map(lambda each: each[0][form].format(each[1]) + each[2])


@given(st.sampled_from(("I ", "i ", "Honestly I ", "My sister is asleep. I ", "")), wished(0))
def test_a_wish_of_mine_is_a_crisis(opening: str, wish: str) -> None:
    """Said of oneself, or without a subject, every wish with every way to be dead is a crisis."""
    found = screen().screen(opening + wish)
    assert (found.level >= SafetyLevel.CRISIS, found.subject) == (True, Subject.SELF)


@given(st.sampled_from(PERSONS), wished(1))
def test_a_wish_of_somebody_else_freezes_nothing(person: str, wish: str) -> None:
    """Said of somebody else it is a matter of a third person, and never a crisis."""
    found = screen().screen(f"{person} {wish}")
    assert (found.level, found.subject) == (SafetyLevel.THIRD_PARTY, Subject.OTHER)


@given(st.sampled_from(FRAMES), st.sampled_from(DYING))
def test_a_wish_in_a_frame_is_at_most_a_question(frame: str, dying: str) -> None:
    """Inside fiction or study it raises nothing, or a question."""
    assert screen().screen(frame.format(f"want to {dying}")).level <= SafetyLevel.CONCERN


@given(st.sampled_from(DENIALS), st.sampled_from(DYING[:2] + DYING[3:5]))
def test_a_denied_wish_raises_nothing(denial: str, dying: str) -> None:
    """Denied in its own clause it raises nothing."""
    assert screen().screen(denial.format(f"want to {dying}")).level is SafetyLevel.NONE
