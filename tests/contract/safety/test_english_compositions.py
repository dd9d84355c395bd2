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
# What a condition keeps me from, what is asked about, what a denial admits.
IF_BRAVE = ("if I had the courage", "if I wasn't such a coward", "if I could", "if I had the guts")
ENDS = ("I would end it", "I'd do it", "I would be dead already", "I would kill myself")
WAYS = ("quickest", "easiest", "least painful", "best", "surest")
TAKEN_BACK = ("but I am", "but I lied", "but I think about it every day", "but that's a lie")
UNDENIED = (
    "it's not like I don't {}",
    "I'm not saying I don't {}",
    "the only reason I don't {} is my mother",
    "not a day goes by that I don't {}",
    "I never said I didn't {}",
    "nobody knows I {}",
)
KEPT = ("stay alive", "keep myself safe")
# Death that is near without its word.
NEAR = ("tonight", "tomorrow", "this weekend")
OVER_BY = ("by morning", "by midnight", "in an hour", "before sunrise")
MEANS = ("the rope", "a gun", "the pills", "a razor blade")
AT_HAND = ("in my hand", "right here", "on the bed next to me", "in front of me")
PACKS = ("two packs of paracetamol", "the entire bottle", "every single one", "them all")
KINSHIP = ("my brother", "my mum", "a student of mine", "my 15 year old", "one of my patients")
KINDS = ("people", "most men", "teenagers", "soldiers")
STUDIED = ("essay", "project", "presentation", "podcast", "lecture", "report")
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


@given(st.sampled_from(IF_BRAVE), st.sampled_from(ENDS), st.booleans())
def test_what_fear_keeps_from_is_a_crisis(brave: str, ends: str, turned: bool) -> None:  # noqa: FBT001
    """Only courage is missing: the wish is there."""
    said = f"{ends} {brave}" if turned else f"{brave}, {ends}"
    assert screen().screen(said).level >= SafetyLevel.CRISIS


@given(st.sampled_from(WAYS), st.sampled_from(("die", "kill myself", "end my life")))
def test_asking_for_a_way_is_a_crisis(best: str, dying: str) -> None:
    """Who asks for a way to die has thought about it."""
    assert screen().screen(f"what is the {best} way to {dying}?").level >= SafetyLevel.CRISIS


@given(st.sampled_from(("I'm not suicidal", "I don't want to die")), st.sampled_from(TAKEN_BACK))
def test_a_denial_that_is_taken_back_is_a_crisis(denial: str, behind: str) -> None:
    """A denial alone is nothing; taken back it is what it denied."""
    assert screen().screen(denial).level is SafetyLevel.NONE
    assert screen().screen(f"I told them {denial}, {behind}").level >= SafetyLevel.CRISIS


@given(st.sampled_from(UNDENIED), st.sampled_from(("want to die", "want to kill myself")))
def test_a_negator_about_something_else_denies_nothing(frame: str, wish: str) -> None:
    """Two negators, a reason against it, a secret: none of them denies the wish."""
    assert screen().screen(frame.format(wish)).level >= SafetyLevel.CRISIS


@given(st.sampled_from(("can't promise", "am not sure", "don't know if")), st.sampled_from(KEPT))
def test_who_cannot_answer_for_tonight_is_in_danger(doubt: str, kept: str) -> None:
    """A doubt about one's own safety is no denial."""
    assert screen().screen(f"I {doubt} I can {kept}").level >= SafetyLevel.CRISIS


@given(st.sampled_from(NEAR))
def test_it_and_a_near_time_are_asked_about(when: str) -> None:
    """`it` may be the exercise that was agreed: a question, and in despair imminent."""
    assert screen().screen(f"I'm going to do it {when}").level is SafetyLevel.CONCERN
    despair = f"there's no point any more. I'm going to do it {when}"
    assert screen().screen(despair).level is SafetyLevel.IMMINENT
    assert screen().screen(f"I'm going to do my homework {when}").level is SafetyLevel.NONE


@given(st.sampled_from(OVER_BY), st.booleans())
def test_an_end_of_everything_with_a_time_is_imminent(when: str, first: bool) -> None:  # noqa: FBT001
    """All is over by then, and nothing is named that it could be."""
    said = f"{when} it will all be over" if first else f"it will all be over {when}"
    assert screen().screen(said).level is SafetyLevel.IMMINENT


@given(st.sampled_from(MEANS), st.sampled_from(AT_HAND))
def test_means_at_hand_and_a_will_are_imminent(means: str, where: str) -> None:
    """What lies at hand and is about to be used is imminent without a word for dying."""
    said = f"I have {means} {where} and I'm going to use it"
    assert screen().screen(said).level is SafetyLevel.IMMINENT


@given(st.sampled_from(("I took", "I've just swallowed")), st.sampled_from(PACKS))
def test_what_was_taken_is_imminent(took: str, what: str) -> None:
    """An act under way is imminent."""
    assert screen().screen(f"{took} {what}").level is SafetyLevel.IMMINENT


@given(st.sampled_from(KINSHIP), st.sampled_from(DYING[:5]))
def test_what_another_one_says_is_theirs(who: str, dying: str) -> None:
    """In their own words, with or without marks, and in a question how to help."""
    for said in (
        f'{who} texted me "I want to {dying}"',
        f"{who} wrote I want to {dying}",
        f"how do I help {who} who wants to {dying}?",
        f"I'm scared that {who} wants to {dying}",
    ):
        found = screen().screen(said)
        assert (said, found.level) == (said, SafetyLevel.THIRD_PARTY)


@given(st.sampled_from(KINDS), st.sampled_from(("want to die", "are suicidal", "self-harm")))
def test_a_kind_of_people_is_nobody(kind: str, what: str) -> None:
    """What is said of a kind of people is said of nobody; of people I know it is."""
    assert screen().screen(f"{kind} who {what} often hide it").level is SafetyLevel.NONE
    assert screen().screen(f"two of my patients {what}").level is SafetyLevel.THIRD_PARTY


@given(st.sampled_from(STUDIED), st.sampled_from(("about", "on")))
def test_a_subject_of_study_is_nothing(study: str, about: str) -> None:
    """A thing that is about it is nothing, whoever wrote it."""
    said = f"I'm preparing a {study} {about} suicide and self-harm"
    assert screen().screen(said).level is SafetyLevel.NONE
