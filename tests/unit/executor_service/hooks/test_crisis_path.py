"""The crisis path within a turn: what is said, what stays where it is, and when the script runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from executor_service.actions.action_context import RoundContext, RoundOutcome
from executor_service.engine.run_turn import run_turn
from executor_service.scripts.model.actions import ActionType, FormConfig
from executor_service.scripts.model.fields import FieldType, Form, FormField
from executor_service.scripts.model.settings import SafetyMode, SafetySettings
from executor_service.turn_stopping import StopToken
from heartrule.domain.conversation import FormAnswer, Message, Part, Role
from heartrule.domain.events import Outcome
from heartrule.domain.position import ExecutionStatus
from heartrule.domain.safety import SafetyLevel, SafetySource, SafetyState, left_by_operator
from session_store.records import StopKind, StopRequest, TurnEnd, TurnSnapshot
from tests.support.engine_builders import (
    RecordingSink,
    action_of_type,
    answered,
    ask,
    before_the_script,
    engine_deps,
    heard,
    say,
    script,
    told,
    waiting_at,
)
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.fake_safety import WrittenScreen, shipped_texts

GREETING = script(ask())
HELPED = SafetyState(level=SafetyLevel.THIRD_PARTY, step="help", last_card_turn=3)
FROZEN = SafetyState(level=SafetyLevel.CRISIS, step="ask", frozen=True, question="direct")


async def play(
    snapshot: TurnSnapshot,
    *replies: str,
    running: Any = GREETING,
    stop: StopToken | None = None,
    **deps: Any,
) -> tuple[TurnEnd, RecordingSink, FakeModel]:
    """Run a turn whose screen reads the level's name as that level."""
    sink, model = RecordingSink(), FakeModel(list(replies))
    sink.stop = stop or sink.stop
    end = await run_turn(snapshot, running, engine_deps(model, rules=WrittenScreen(), **deps), sink)
    return end, sink, model


def saying(text: str, **changes: Any) -> TurnSnapshot:
    """Return the snapshot of a turn in which the client says a text."""
    return waiting_at(GREETING, inputs=(heard(text),), turn_no=4, **changes)


@pytest.mark.parametrize("level", ["CRISIS", "IMMINENT"])
async def test_a_crisis_ends_the_turn_before_any_model(level: str) -> None:
    """The card is the turn's only text; the position stays, and no model is asked."""
    snapshot = saying(level)
    end, sink, model = await play(snapshot)
    (step,) = sink.steps
    assert "12356" in sink.texts()[0]
    assert (end.outcome, step.status) == (Outcome.WAITING, ExecutionStatus.WAITING_INPUT)
    assert (step.position, step.variables, model.requests) == (snapshot.position, (), [])
    assert step.inputs_consumed


async def test_what_is_recorded_of_a_crisis() -> None:
    """A rise is a hit with its card and an alert, and holds no word of the client."""
    _, sink, _ = await play(saying("CRISIS"))
    safety = sink.steps[0].safety
    assert safety is not None
    assert (safety.raised, safety.alert, safety.client_message_ids) == (True, True, ("m1",))
    assert safety.state.frozen
    assert safety.card is not None
    assert safety.card.text == sink.texts()[0]


@pytest.mark.parametrize(("level", "number"), [("THIRD_PARTY", "12356"), ("EMERGENCY", "110")])
async def test_below_a_crisis_the_script_goes_on(level: str, number: str) -> None:
    """The card is said first, and the action judges the client's text in the same turn."""
    end, sink, _ = await play(saying(level), ask_reply("我在听。"))
    assert number in sink.texts()[0]
    assert sink.texts()[1] == "我在听。"
    assert len(end.message_ids) == 2


async def test_a_concern_takes_the_place_of_the_next_question() -> None:
    """CONCERN asks one gentle question and no model; no alert is made."""
    _, sink, model = await play(saying("CONCERN"))
    assert "不想活" in sink.texts()[0]
    assert model.requests == []
    assert sink.steps[0].safety is not None
    assert not sink.steps[0].safety.alert


async def test_the_action_behind_a_gentle_question_is_told() -> None:
    """The prompt of the action that judges the answer says that it answers something else."""
    state = SafetyState(level=SafetyLevel.CONCERN, step="ask", question="gentle", concern_turn=3)
    _, sink, model = await play(saying("没有", safety=state), ask_reply("好的，怎么称呼你？"))
    assert "关于安全的谈话" in model.last_prompt()
    assert sink.steps[0].safety is not None
    assert sink.steps[0].safety.state.question == ""


async def test_a_frozen_position_stays_frozen_without_a_hit() -> None:
    """The next step of the path is said, and no action runs."""
    snapshot = saying("今天天气不错", safety=FROZEN)
    _, sink, model = await play(snapshot)
    assert model.requests == []
    assert sink.steps[0].position == snapshot.position
    assert sink.steps[0].safety is not None
    assert sink.steps[0].safety.state.step == "reach"
    assert not sink.steps[0].safety.raised


async def test_the_path_goes_on_in_its_language() -> None:
    """A path that began in English goes on in it, whatever the session's locale is."""
    window = (told("Are you having thoughts of suicide right now?"),)
    _, sink, _ = await play(saying("ok", safety=FROZEN, window=window))
    assert "makes it hard to reach them?" in sink.texts()[0]


async def test_a_frozen_position_runs_no_action_without_inputs() -> None:
    """A turn without inputs, as a fork may begin, runs no action either."""
    snapshot = waiting_at(GREETING, safety=FROZEN, turn_no=4)
    _, sink, model = await play(snapshot)
    assert (len(sink.steps), model.requests) == (1, [])


async def test_leaving_resumes_the_action_in_the_next_turn() -> None:
    """After the text of leaving, the frozen action judges the client's next text, and is told."""
    leaving = replace(FROZEN, step="stay", denials=1, quiet_turns=4)
    _, sink, model = await play(saying("NO", safety=leaving))
    state = sink.steps[0].safety.state if sink.steps[0].safety else leaving
    assert (state.frozen, state.level, model.requests) == (False, SafetyLevel.NONE, [])
    _, sink, model = await play(saying("继续吧", safety=state), ask_reply("怎么称呼你？"))
    assert "关于安全的谈话" in model.last_prompt()


async def test_an_operators_leaving_resumes_the_action() -> None:
    """After an operator closed the session's path, the action goes on and is told."""
    state = left_by_operator(FROZEN, SafetyLevel.NONE, 3)
    _, _, model = await play(saying("你好", safety=state), ask_reply("怎么称呼你？"))
    assert "关于安全的谈话" in model.last_prompt()


async def test_replies_are_guarded_on_the_stream_and_in_the_commit() -> None:
    """From CONCERN on, what a model invents leaves neither as a draft nor as a message."""
    reply = ask_reply("请拨打 400-161-9995。我在听。再见。")
    _, sink, _ = await play(saying("嗯", safety=HELPED), reply)
    assert sink.drafted() == sink.texts()[0]
    assert "400" not in sink.drafted()
    assert "再见" not in sink.drafted()
    assert "我在听。" in sink.drafted()


async def test_what_replaces_a_models_sentence_is_in_the_sessions_language() -> None:
    """The region is China's, the client goes on in English."""
    snapshot = saying("ok", safety=HELPED, locale="zh-CN", language="en")
    _, sink, _ = await play(snapshot, ask_reply("I hear you. Goodbye."))
    english = shipped_texts().messages["en"].lines
    assert english.goodbye in sink.texts()[0]
    assert sink.drafted() == sink.texts()[0]


async def test_an_unwatched_session_is_not_guarded() -> None:
    """Without a level a reply leaves as the model wrote it."""
    _, sink, _ = await play(saying("嗯"), ask_reply("请拨打 400-161-9995。"))
    assert sink.texts() == ["请拨打 400-161-9995。"]


async def test_last_words_below_a_crisis_say_where_help_is() -> None:
    """A script may end below CRISIS; its last words are followed by the short form."""
    running = script(say(content="今天先到这里", require_acknowledgment=False))
    snapshot = before_the_script(safety=HELPED, turn_no=4)
    end, sink, _ = await play(snapshot, ask_reply("我说完了。"), running=running)
    assert end.outcome is Outcome.SESSION_COMPLETED
    assert "12356" in sink.texts()[-1]
    assert end.message_ids[-1] == sink.steps[-1].messages[-1].message_id


async def test_last_words_are_in_the_sessions_language_where_a_turn_is_resumed() -> None:
    """No input is new then; where help is stays that of the region."""
    running = script(say(content="That is all", require_acknowledgment=False))
    snapshot = before_the_script(safety=HELPED, turn_no=4, locale="zh-CN", language="en")
    _, sink, _ = await play(snapshot, ask_reply("That is all."), running=running)
    card = shipped_texts().brief_card(SafetyLevel.THIRD_PARTY, "zh-CN", "en")
    assert sink.texts()[-1] == card.text


async def test_an_opted_out_script_has_no_path() -> None:
    """A script that opted out judges the text as any other, and its state shows the reason."""
    running = script(ask(), safety=SafetySettings(mode=SafetyMode.OFF, reason="role play"))
    _, sink, _ = await play(saying("CRISIS"), ask_reply("继续。"), running=running)
    assert sink.texts() == ["继续。"]
    assert sink.steps[0].safety is not None
    assert sink.steps[0].safety.state.opt_out == "role play"
    assert not sink.steps[0].safety.raised


async def test_nothing_is_said_twice_when_a_turn_is_resumed() -> None:
    """A turn taken up behind its first step does not read its inputs again."""
    snapshot = saying("THIRD_PARTY", steps=1, attempt=2)
    _, sink, _ = await play(snapshot, ask_reply("我在听。"))
    assert sink.texts() == ["我在听。"]


ITEM = FormField(
    name="伤害念头",
    type=FieldType.SCALE,
    min=0,
    max=3,
    safety_item=True,
    safety_values=("1", "2", "3"),
)
FORM = script(
    action_of_type(
        ActionType.FILL_FORM,
        "form",
        FormConfig(form=Form(title="PHQ-9", fields=(ITEM,))),
    ),
    say(content="你的总分"),
)


async def submitted(
    answer: int, request: str = "req_0", **changes: Any
) -> tuple[TurnEnd, RecordingSink, FakeModel]:
    """Run the turn of a submitted form with that answer to its safety item."""
    snapshot = waiting_at(FORM, turn_no=2)
    asked = replace(snapshot.plan[0], memory={"requests": ["req_0"]})
    form = Message(
        message_id="in_m1",
        role=Role.CLIENT,
        parts=(Part(form=FormAnswer(values={"伤害念头": answer}), fallback_text="填好了"),),
        client_message_id="m1",
        input_request_id=request,
    )
    plan = (asked, *snapshot.plan[1:])
    snapshot = replace(snapshot, plan=plan, inputs=(form,), new_inputs=(form,))
    return await play(snapshot, ask_reply("你的总分是九分。"), running=FORM, **changes)


async def test_a_safety_item_is_stored_and_then_answered() -> None:
    """The form's values are written, and the step says the card and ends the turn."""
    end, sink, model = await submitted(1)
    (step,) = sink.steps
    assert [value.value for value in step.variables] == [1]
    assert "12356" in sink.texts()[0]
    assert (end.outcome, model.requests) == (Outcome.WAITING, [])
    assert step.safety is not None
    assert (step.safety.source, step.safety.alert) == (SafetySource.FORM_ITEM, True)


async def test_an_answer_that_does_not_count_goes_on() -> None:
    """A safety item answered with nothing to fear lets the script go on."""
    _, sink, _ = await submitted(0)
    assert sink.texts() == ["你的总分是九分。"]


async def test_a_form_that_nobody_asked_for_waits_for_no_model() -> None:
    """Its action would read it as a text; the card comes first."""
    _, sink, model = await submitted(1, request="")
    assert "12356" in sink.texts()[0]
    assert model.requests == []


async def test_an_interrupt_does_not_stop_the_answer_to_a_form() -> None:
    """The turn was to end before its first action; the form is stored and its card said."""
    stop = StopToken(StopRequest(turn_id="t", attempt=1, kind=StopKind.INTERRUPT))
    _, sink, _ = await submitted(1, stop=stop)
    assert [value.value for value in sink.steps[0].variables] == [1]
    assert "12356" in sink.texts()[0]


async def test_a_sentence_is_read_behind_a_turn_that_was_interrupted() -> None:
    """What the client wrote since anyone answered is read together."""
    _, sink, _ = await play(saying("SIS", window=(told("你好"), answered("CRI"))))
    assert "12356" in sink.texts()[0]


class FaultyForm:
    """An action with a bug."""

    async def __call__(self, context: RoundContext) -> RoundOutcome:
        """Fail."""
        raise ZeroDivisionError


async def test_a_form_that_cannot_be_stored_keeps_no_card_back() -> None:
    """Whatever its action does wrong, the client is told where help is."""
    end, sink, _ = await submitted(1, actions={ActionType.FILL_FORM: FaultyForm()})
    assert ("12356" in sink.texts()[0], end.outcome) == (True, Outcome.WAITING)
    assert sink.steps[0].safety is not None
