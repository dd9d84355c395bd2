"""The crisis path: what is said at each level and step, and when it is left."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartrule.domain.safety import SafetyLevel, SafetySource, SafetyState
from heartrule.safety.cards import SafetyTexts
from heartrule.safety.safety_path import (
    Barrier,
    Reaction,
    SafetyPath,
    TurnHearing,
    is_guarded,
)
from heartrule.safety.safety_texts import load_safety_texts

TEXTS = load_safety_texts(Path(__file__).parents[3] / "_system" / "safety")
PATH = SafetyPath(steps=TEXTS.steps)
NOTHING = TurnHearing()
NO = TurnHearing(denied=True)
CONCERN = TurnHearing(level=SafetyLevel.CONCERN)
FRIEND = TurnHearing(level=SafetyLevel.THIRD_PARTY)
DANGER = TurnHearing(level=SafetyLevel.EMERGENCY)
CRISIS = TurnHearing(level=SafetyLevel.CRISIS)
IMMINENT = TurnHearing(level=SafetyLevel.IMMINENT)
EVASION = TurnHearing(level=SafetyLevel.CONCERN, source=SafetySource.CONTEXT)


def played(*turns: TurnHearing, state: SafetyState = SafetyState()) -> list[Reaction]:  # noqa: B008
    """Return what the path does in turns that follow one another, from turn 2 on."""
    reactions = []
    for turn, heard in enumerate(turns, start=2):
        reactions.append(PATH.react(state, heard, turn))
        state = reactions[-1].state
    return reactions


def steps(reactions: list[Reaction]) -> list[str]:
    """Return the step that each turn said; empty where it said nothing."""
    return [each.said.step if each.said else "" for each in reactions]


def texts_of(reactions: list[Reaction], texts: SafetyTexts = TEXTS) -> list[str]:
    """Return what each turn said in English."""
    return [texts.text(each.said, "en-US") for each in reactions if each.said]


def test_nothing_heard_says_nothing() -> None:
    """A turn without a hit changes nothing, and the script goes on."""
    assert played(NOTHING) == [Reaction(state=SafetyState())]


@pytest.mark.parametrize("heard", [CRISIS, IMMINENT])
def test_a_crisis_freezes_the_position(heard: TurnHearing) -> None:
    """At CRISIS and IMMINENT the full card is said, the position is frozen and the turn ends."""
    (reaction,) = played(heard)
    assert (reaction.state.frozen, reaction.ends, reaction.raised) == (True, True, True)
    assert "988" in texts_of([reaction])[0]


def test_steps_of_a_crisis() -> None:
    """A crisis asks directly, then for what is hard, answers it, and offers someone trusted."""
    told = played(CRISIS, NOTHING, TurnHearing(text="I'd be a burden"), NOTHING, NOTHING, NOTHING)
    assert steps(told) == ["ask", "reach", "reach", "someone", "stay", "stay"]
    assert all(each.ends for each in told)


def test_steps_of_imminent_danger() -> None:
    """Imminent danger begins with the emergency number, someone beside, and distance."""
    told = played(IMMINENT, *[NOTHING] * 6)
    assert steps(told) == ["call", "company", "distance", "reach", "reach", "stay", "stay"]
    assert texts_of(told)[0].index("911") < texts_of(told)[0].index("988")


@pytest.mark.parametrize("barrier", TEXTS.steps.barriers[:-1], ids=lambda each: each.barrier)
def test_each_barrier_is_found_by_its_words(barrier: Barrier) -> None:
    """What a client names as hard finds that barrier, or one before it with words in it."""
    for word in barrier.words:
        within = [each for each in TEXTS.steps.barriers if any(w in word for w in each.words)]
        assert TEXTS.steps.barrier_in(f"well, {word.upper()}...") == within[0].barrier


def test_an_unknown_barrier_is_answered() -> None:
    """Whatever else a client says is hard gets the general answer."""
    told = played(CRISIS, NOTHING, TurnHearing(text="天气"))
    assert told[2].said is not None
    assert told[2].said.barrier == "other"


def test_a_crisis_that_becomes_imminent_gets_the_full_card() -> None:
    """A rise within the path begins the higher level's steps with its full card."""
    told = played(CRISIS, NOTHING, IMMINENT)
    assert steps(told)[2] == "call"
    assert told[2].raised
    assert told[2].state.level is SafetyLevel.IMMINENT


def test_a_lower_hit_lowers_nothing() -> None:
    """A concern at an imminent level leaves level and path as they are."""
    told = played(IMMINENT, CONCERN, FRIEND)
    assert {each.state.level for each in told} == {SafetyLevel.IMMINENT}
    assert steps(told) == ["call", "company", "distance"]


def test_short_card_every_third_turn() -> None:
    """While the position is frozen the short card stands before every third text, no oftener."""
    told = played(CRISIS, *[NOTHING] * 9)
    carded = [i for i, each in enumerate(told) if each.said and each.said.with_card]
    assert carded == [3, 6, 9]
    assert all("988" in text for i, text in enumerate(texts_of(told)) if i in carded)


def test_leaving_takes_two_denials_and_five_quiet_turns() -> None:
    """Two clear denials to direct questions and five turns without a hit end a crisis."""
    told = played(CRISIS, NO, NOTHING, NOTHING, NOTHING, NO)
    assert [each.state.frozen for each in told] == [True] * 5 + [False]
    assert (told[-1].said.step if told[-1].said else "", told[-1].ends) == ("left", True)
    assert told[-1].state.level is SafetyLevel.NONE


def test_denials_of_other_questions_do_not_count() -> None:
    """A no to what was not a direct question is no denial."""
    told = played(CRISIS, NO, NO, NO, NO, NOTHING)
    assert told[-1].state.denials == 1
    assert told[-1].state.frozen


def test_a_hit_begins_the_count_anew() -> None:
    """A hit takes back denials and quiet turns."""
    told = played(CRISIS, NO, NOTHING, NOTHING, NOTHING, CRISIS)
    assert (told[-1].state.denials, told[-1].state.quiet_turns) == (0, 0)


def test_an_evasive_answer_is_neither_hit_nor_denial() -> None:
    """A change of subject counts as a quiet turn, and without denials nothing is left."""
    told = played(CRISIS, *[EVASION] * 12)
    assert told[-1].state.frozen
    assert told[-1].state.quiet_turns == 12


def test_the_script_resumes_in_the_turn_after_leaving() -> None:
    """After the text of leaving, the next turn runs the script and says that it resumes."""
    told = played(CRISIS, NO, NOTHING, NOTHING, NOTHING, NO, NOTHING, NOTHING)
    assert [each.resumes for each in told] == [False] * 6 + [True, False]
    assert told[6].said is None


def test_a_friend_in_danger_stops_no_script() -> None:
    """THIRD_PARTY shows how to help and where, and the script goes on in the same turn."""
    (reaction,) = played(FRIEND)
    assert (reaction.ends, reaction.state.frozen) == (False, False)
    assert "988" in texts_of([reaction])[0]


def test_danger_names_the_emergency_number() -> None:
    """EMERGENCY shows the emergency number first, and the script goes on."""
    (reaction,) = played(DANGER)
    assert not reaction.ends
    assert texts_of([reaction])[0].index("911") < texts_of([reaction])[0].index("988")


def test_cards_beside_the_script_come_every_third_turn() -> None:
    """Repeated worry about someone gets the full card once, later short ones, never in a row."""
    told = played(*[FRIEND] * 7)
    assert [bool(each.said) for each in told] == [True, False, False, True, False, False, True]


def test_a_concern_is_asked_about_once_in_five_turns() -> None:
    """CONCERN asks one gentle question in place of the script's, at most once in five turns."""
    told = played(*[CONCERN] * 7)
    assert [each.ends for each in told] == [True, False, False, False, False, True, False]
    assert told[1].resumes


def test_an_answered_concern_rises() -> None:
    """A yes to the gentle question is a crisis."""
    told = played(CONCERN, TurnHearing(level=SafetyLevel.CRISIS, source=SafetySource.CONTEXT))
    assert steps(told) == ["ask", "ask"]
    assert told[1].state.frozen


def test_levels_below_a_crisis_fade() -> None:
    """After five turns without a hit a level below CRISIS is left, and texts stay guarded."""
    told = played(FRIEND, *[NOTHING] * 5)
    assert told[-2].state.level is SafetyLevel.THIRD_PARTY
    assert told[-1].state.level is SafetyLevel.NONE
    assert is_guarded(told[-1].state, 7 + 10)
    assert not is_guarded(told[-1].state, 7 + 11)


def test_an_opted_out_session_has_no_path() -> None:
    """A script that opted out gets nothing from the path."""
    state = SafetyState(opt_out="a game")
    assert played(CRISIS, state=state) == [Reaction(state=state)]
    assert not is_guarded(state, 2)


def test_a_frozen_state_without_a_step_begins_its_level() -> None:
    """A session that was frozen without a text, as by a refused input, begins with the card."""
    state = SafetyState(level=SafetyLevel.CRISIS, frozen=True)
    assert steps(played(NOTHING, state=state)) == ["ask"]


HEARD = st.sampled_from([NOTHING, NO, CONCERN, FRIEND, DANGER, CRISIS, IMMINENT, EVASION])


@given(st.lists(HEARD, max_size=60))
def test_no_wording_comes_twice_running(turns: list[TurnHearing]) -> None:
    """Whatever is heard, two texts that follow one another differ."""
    texts = texts_of(played(*turns))
    assert all(one != other for one, other in itertools.pairwise(texts))


@given(st.lists(HEARD, max_size=60))
def test_no_level_falls_but_by_leaving(turns: list[TurnHearing]) -> None:
    """A frozen level falls only after two denials and five quiet turns."""
    reactions = played(*turns)
    for before, after in itertools.pairwise(reactions):
        if before.state.frozen and not after.state.frozen:
            assert before.state.quiet_turns >= 4
            assert before.state.denials >= 1
            assert after.said is not None


@given(st.lists(HEARD, max_size=60))
def test_a_frozen_turn_always_speaks_and_ends(turns: list[TurnHearing]) -> None:
    """While the position is frozen every turn says a text and ends before the script."""
    for reaction in played(*turns):
        if reaction.state.frozen:
            assert reaction.ends
            assert reaction.said is not None
