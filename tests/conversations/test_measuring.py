"""The measures count what they say, on conversations written by hand."""

from __future__ import annotations

import pytest

from heartrule.domain.action_result import ActionMetrics, ActionResult
from heartrule.domain.conversation import Message, Role, text_part
from heartrule.domain.events import (
    ActionResultRecorded,
    EventBody,
    MessageCommitted,
    Outcome,
    SessionEvent,
    VariableChanged,
)
from heartrule.domain.variables import VariableOperation, VariableOperationKind, VariableScope
from tests.conversations.fact_sheet import asked_in, facts_of, last_asked
from tests.conversations.measuring import Tally, measure
from tests.conversations.playing import Case, Transcript
from tests.conversations.turns import PlayedTurn

FACTS = facts_of(["称呼", "年龄"])


def said(text: str, action: str = "ask_name") -> EventBody:
    return MessageCommitted(
        message=Message(
            message_id="msg_1",
            role=Role.ASSISTANT,
            parts=(text_part(text),),
            action_id=action,
            action_instance_id=action,
        )
    )


def judged(action: str = "ask_name", *, completed: bool = False) -> EventBody:
    result = ActionResult(
        success=True,
        completed=completed,
        action_id=action,
        action_instance_id=action,
        action_type="ai_ask",
        metrics=ActionMetrics(),
    )
    return ActionResultRecorded(action_result=result)


def wrote(name: str, value: str, action: str = "ask_name") -> EventBody:
    return VariableChanged(
        variable_operation=VariableOperation(
            action_id=action,
            operation=VariableOperationKind.EXTRACT,
            variable_name=name,
            scope=VariableScope.SESSION,
            value=value,
        )
    )


def turn(*bodies: EventBody, client: str = "", about: str = "", over: bool = False) -> PlayedTurn:
    outcome = Outcome.SESSION_COMPLETED if over else Outcome.WAITING
    events = [SessionEvent(session_id="ses_1", body=each, sequence=1) for each in bodies]
    return PlayedTurn(said=client, about=about, events=events, outcome=outcome)


def tally_of(*turns: PlayedTurn, persona: str = "long", over: bool = True) -> Tally:
    return measure(
        Transcript(
            case=Case(script="greeting", persona=persona, manner="obeys"),
            facts=FACTS,
            outputs={"ask_name": ("称呼",)},
            turns=turns,
            events=(),
            calls=(),
            over=over,
        )
    )


def test_what_was_told_may_be_confirmed_but_not_asked() -> None:
    """A question for a told fact counts, unless it names the value."""
    told = turn(said("你叫小林，对吧，怎么称呼都行？"), client="叫我小林就好")
    again = turn(said("我可以怎么称呼你？"), client="嗯")
    assert tally_of(told, again).counts["asked_known"] == 1


def test_a_question_followed_by_another_action_awaits_no_answer() -> None:
    """Of two actions that ask in one turn, only the last waits."""
    counts = tally_of(turn(said("怎么称呼你？"), said("你多大？", "ask_age"))).counts
    assert counts["unawaited"] == 1


def test_an_ending_message_that_asks_is_a_late_exit() -> None:
    """The message of a round that ended its action holds a question."""
    counts = tally_of(turn(said("还有吗？"), judged(completed=True), client="小林")).counts
    assert (counts["late_exits"], counts["rounds"], counts["outputs"]) == (1, 1, 1)


@pytest.mark.parametrize(("value", "without"), [("小林", 0), ("小张", 1), ("朋友", 1)])
def test_a_value_needs_the_clients_words(value: str, without: int) -> None:
    """A stored value that the client never said is without support."""
    played = turn(said("好。"), judged(), wrote("称呼", value), client="叫我小林就好")
    assert tally_of(played).counts["unsupported"] == without


def test_a_short_answer_tells_what_was_asked() -> None:
    """One word supports the value of the variable that was asked for."""
    played = turn(judged(), wrote("年龄", "27岁"), client="27岁", about="年龄")
    assert tally_of(played).counts["unsupported"] == 0


def test_echoes_repetitions_and_foreign_words_are_counted() -> None:
    """Texts are compared without spaces and signs; Chinese is foreign to an English client."""
    played = (
        turn(said("Tell me more.")),
        turn(said("tell me more"), said("好的"), client="好的！"),
    )
    counts = tally_of(*played, persona="english").counts
    assert (counts["repeated"], counts["echoed"], counts["mismatched"]) == (1, 1, 1)


def test_the_longest_cue_decides_what_is_asked() -> None:
    """还有多相信 asks for the second rating, though 有多相信 is within it."""
    facts = facts_of(["相信程度", "重新相信程度"])
    assert asked_in("现在还有多相信？", facts) == ("重新相信程度",)


def test_a_question_for_nothing_ends_the_search() -> None:
    """A question that names no variable asks for none, whatever stands before it."""
    assert last_asked(["我会问你的年龄。可以吗？"], FACTS) == ""
    assert last_asked(["（1/7）你的年龄"], FACTS) == "年龄"
