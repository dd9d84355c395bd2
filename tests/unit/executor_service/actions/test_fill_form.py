"""fill_form: by talk, by a submitted form, by both; complete forms end without a call."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from executor_service.actions.action_context import RoundContext, RoundOutcome
from executor_service.actions.fill_form import run_fill_form
from executor_service.scripts.model.actions import ActionType, FormConfig
from executor_service.scripts.model.exits import ConditionOperator, CustomCondition, ExitCriteria
from executor_service.scripts.model.fields import FieldType, Form, FormField
from executor_service.scripts.model.script import Action
from heartrule.domain.conversation import FormAnswer, Message, Part, Role, text_part
from heartrule.domain.exits import DecisionSource, ExitReason
from heartrule.domain.json_value import JsonValue
from heartrule.model.task_card import task_card
from tests.support.engine_builders import PLACE, counting_ids, reasons, round_context
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.written_templates import CLOSING, REASK, TEXTS, written_templates

FIELDS = (
    FormField(name="年龄", type=FieldType.INTEGER, min=0, max=120),
    FormField(name="睡眠", label="睡得怎样", type=FieldType.SCALE, min=0, max=3),
)
ASKED: dict[str, JsonValue] = {"requests": ["req_0"], "filled": [], "wrong": {}}


def form(**changes: Any) -> Action:
    asked: dict[str, Any] = {"title": "近况", "fields": FIELDS}
    asked |= {key: changes.pop(key) for key in tuple(changes) if key in asked}
    config = FormConfig(form=Form(**asked), **changes)
    return Action(action_type=ActionType.FILL_FORM, action_id="form", config=config, place=PLACE)


def sent(*parts: Part, request: str = "req_0") -> tuple[Message, ...]:
    return (
        Message(
            message_id="in_1",
            role=Role.CLIENT,
            parts=parts,
            client_message_id="m1",
            input_request_id=request,
        ),
    )


def values(**given: JsonValue) -> Part:
    return Part(form=FormAnswer(values=given), fallback_text="表单")


async def run(model: FakeModel, action: Action | None = None, **changes: Any) -> RoundOutcome:
    """Run one round; with a reply the form has been asked for already."""
    if "reply" in changes:
        changes.setdefault("memory", ASKED)
    return await run_fill_form(context(action or form(), model, **changes))


def context(action: Action, model: FakeModel, **changes: Any) -> RoundContext:
    return round_context(action, model, make_id=counting_ids(), **changes)


async def submit(*parts: Part, action: Action | None = None, **changes: Any) -> RoundOutcome:
    """Submit a form; a model that is asked all the same fails the test."""
    inputs = sent(*parts, request=changes.pop("request", "req_0"))
    model = changes.pop("model", FakeModel())
    return await run(model, action, reply="表单", inputs=inputs, **changes)


async def test_the_opening_introduces_the_form_and_asks_for_it() -> None:
    """Words for everybody, and a request for who can show a form."""
    outcome = await run(FakeModel([ask_reply("我们填一张表。")]))
    assert outcome.messages[0].text == "我们填一张表。"
    assert outcome.requested is not None
    assert outcome.open_request == outcome.requested.input_request_id
    assert outcome.requested.schema["x-order"] == ["年龄", "睡眠"]
    assert "近况" in outcome.requested.fallback_text


async def test_a_complete_submission_ends_the_action_without_a_call() -> None:
    """It counts as criteria met (RESOLUTIONS C21), and nobody needs a metric for it."""
    outcome = await submit(values(年龄=25, 睡眠="2"))
    assert outcome.result.completed
    assert outcome.result.extracted_variables == {"年龄": 25, "睡眠": 2}
    decision = outcome.result.exit_decision
    assert decision is not None
    assert decision.decision_source is DecisionSource.EXIT_CRITERIA
    assert "近况" in decision.reason
    assert (outcome.messages, outcome.analyze, outcome.result.metrics) == ((), False, None)


async def test_an_invalid_submission_is_told_what_is_wrong_and_asked_again() -> None:
    """What fits is kept; the fresh form marks what does not."""
    outcome = await submit(values(年龄=300, 睡眠=1))
    assert not outcome.result.completed
    assert outcome.result.extracted_variables == {"睡眠": 1}
    assert "年龄：要填 0 到 120 的整数" in outcome.messages[0].text
    assert outcome.requested is not None
    properties = outcome.requested.schema["properties"]
    assert isinstance(properties, dict)
    assert "x-error" in properties["年龄"]
    assert properties["睡眠"]["default"] == 1
    assert reasons(outcome.degradations) == ["FORM_VALUE_REFUSED"]
    assert outcome.next_round == 2


async def test_a_form_without_a_change_is_asked_for_anew_after_each_submission() -> None:
    """The client sees that the second attempt was heard."""
    memory = {**ASKED, "wrong": {"年龄": "range"}}
    outcome = await submit(values(年龄=300), memory=memory)
    assert outcome.requested is not None
    assert outcome.memory["requests"] == ["req_0", outcome.requested.input_request_id]


async def test_a_late_answer_to_an_older_request_of_the_action_counts() -> None:
    """It was accepted while that request was open."""
    memory = {**ASKED, "requests": ["req_0", "req_1"]}
    assert (await submit(values(年龄=1, 睡眠=1), memory=memory)).result.completed


async def test_a_form_of_another_action_is_taken_as_words() -> None:
    """What stands for it is all that reaches this action."""
    model = FakeModel([ask_reply("好，多大了？")])
    outcome = await submit(values(年龄=1, 睡眠=1), request="req_9", model=model)
    assert outcome.result.extracted_variables == {}
    assert "他说：\n> 表单\n说完" in model.requests[0].messages[-1].content


async def test_talk_fills_fields_and_metrics_are_those_of_ai_ask() -> None:
    """Values in words are converted; the round is judged and analysed."""
    model = FakeModel([ask_reply("睡得怎样？", variables={"年龄": "25岁"}, metrics=METRICS)])
    outcome = await run(model, reply="我25岁")
    assert outcome.result.extracted_variables == {"年龄": 25}
    assert outcome.result.metrics is not None
    assert outcome.result.metrics.information_completeness == "有年龄"
    assert outcome.analyze
    told = outcome.result.metadata["form"]
    assert told == {"filled": ["年龄"], "missing": ["睡眠"], "invalid": {}, "fields": 2}


async def test_talk_that_fills_the_last_field_completes_whatever_exit_says() -> None:
    """Code counts fields; the model need not."""
    model = FakeModel([ask_reply("谢谢。", variables={"睡眠": 2})])
    outcome = await run(model, reply="两分", memory={**ASKED, "filled": ["年龄"]})
    decision = outcome.result.exit_decision
    assert decision is not None
    assert decision.decision_source is DecisionSource.EXIT_CRITERIA
    assert outcome.requested is None


async def test_a_spoken_value_out_of_range_stays_unset_and_is_asked_again() -> None:
    """The model believed it was done; its EXIT does not count, and the client hears why."""
    replied = ask_reply("填好了。", exit_="YES", variables={"年龄": "300岁", "睡眠": 1})
    outcome = await run(FakeModel([replied]), reply="300岁，1分")
    assert not outcome.result.completed
    assert outcome.result.extracted_variables == {"睡眠": 1}
    assert [said.text for said in outcome.messages][1].startswith("有几处还要改一改")
    assert reasons(outcome.degradations) == ["FORM_VALUE_REFUSED"]


async def test_the_models_exit_ends_a_form_a_client_will_not_fill() -> None:
    """A right not to answer; what is missing is recorded."""
    outcome = await run(FakeModel([ask_reply("好，不填也行。", exit_="YES")]), reply="不想填")
    decision = outcome.result.exit_decision
    assert decision is not None
    assert decision.decision_source is DecisionSource.EXIT_FLAG
    assert outcome.result.metadata["form"] == {
        "filled": [],
        "missing": ["年龄", "睡眠"],
        "invalid": {},
        "fields": 2,
    }


async def test_the_last_round_ends_it_by_talk_or_by_form() -> None:
    """max_rounds counts submissions as rounds."""
    talked = await run(FakeModel([ask_reply("再说吧？")]), form(max_rounds=2), reply="嗯", round_=2)
    assert talked.result.exit_reason is ExitReason.MAX_ROUNDS_REACHED
    sent_wrong = await submit(values(年龄=300), action=form(max_rounds=2), round_=2)
    assert sent_wrong.result.exit_reason is ExitReason.MAX_ROUNDS_REACHED
    assert sent_wrong.messages == ()


async def test_an_unreadable_reply_leaves_the_form_as_it_was() -> None:
    """The neutral line, and no new request."""
    outcome = await run(FakeModel(["{{{"]), form(max_rounds=1), reply="嗯")
    assert outcome.messages[0].text == CLOSING
    assert outcome.requested is None


async def test_a_form_that_rounds_do_not_end_is_not_closed_by_one() -> None:
    """Where the script takes max_rounds away, the neutral line asks again in every round."""
    lasting = replace(form(max_rounds=1), exit_sources=frozenset({DecisionSource.EXIT_FLAG}))
    outcome = await run(FakeModel(["{{{"]), lasting, reply="嗯")
    assert (outcome.result.completed, outcome.messages[0].text) == (False, REASK)


async def test_words_beside_an_incomplete_form_are_judged_in_one_round() -> None:
    """Mixed: the form first, then the talk over what is still missing."""
    model = FakeModel([ask_reply("好。", variables={"睡眠": "3"})])
    outcome = await submit(values(年龄=25), text_part("睡得很差，三分"), model=model)
    assert outcome.result.completed
    assert outcome.result.extracted_variables == {"年龄": 25, "睡眠": 3}
    (request,) = model.requests
    assert "睡得很差，三分" in request.messages[-1].content
    told = task_card(request.card)
    assert '"name":"年龄","label":"年龄","type":"integer"' in told
    assert '"state":"filled"' in told


async def test_least_rounds_hold_a_complete_form_back() -> None:
    """min_rounds holds back criteria, and a complete form is one (RESOLUTIONS C7)."""
    action = form(exit_criteria=ExitCriteria(min_rounds=2))
    outcome = await submit(values(年龄=25, 睡眠=0), action=action)
    assert not outcome.result.completed
    assert outcome.messages[0].text.startswith("表单收到了")


async def test_an_authors_criteria_end_a_form_that_is_not_complete() -> None:
    """They are a second way out."""
    condition = CustomCondition(variable="年龄", operator=ConditionOperator.LESS, value=12)
    action = form(exit_criteria=ExitCriteria(custom_conditions=(condition,)))
    assert (await submit(values(年龄=9), action=action)).result.completed


async def test_values_known_before_do_not_fill_the_form() -> None:
    """A form begins empty: what was true last month is asked again."""
    outcome = await run(
        FakeModel([ask_reply("睡得怎样？")]), reply="嗯", variables={"年龄": 25, "睡眠": 1}
    )
    assert not outcome.result.completed


async def test_unknown_fields_are_recorded_and_nothing_else() -> None:
    """An older front end may send more than the form has."""
    outcome = await submit(values(年龄=25, 睡眠=0, 身高=170))
    assert outcome.result.completed
    assert reasons(outcome.degradations) == ["FORM_FIELD_UNKNOWN"]


METRICS = {
    "information_completeness": "有年龄",
    "user_engagement": "愿意",
    "emotional_intensity": "平静",
    "reply_relevance": "切题",
}


async def test_a_question_for_a_field_that_is_filled_gives_way_to_the_next_one() -> None:
    """The label is put with what the field takes; the model is not asked again."""
    fields = (FormField(name="情绪", label="最强的情绪是哪一种"), FIELDS[1])
    model = FakeModel([ask_reply("好。最强的情绪是哪一种呢？")])
    memory = {**ASKED, "filled": ["情绪"]}
    outcome = await run(
        model, form(fields=fields), reply="难过", memory=memory, variables={"情绪": "焦虑"}
    )
    assert outcome.messages[0].text == "好。睡得怎样（0 到 3 的整数）"
    assert reasons(outcome.degradations) == ["KNOWN_QUESTION"]


@pytest.mark.parametrize(("said", "corrected"), [("两百岁", True), ("还行", False)])
async def test_only_what_the_client_said_is_corrected(said: str, *, corrected: bool) -> None:
    """A value of the model's own that fits no field asks the client for nothing."""
    asking = TEXTS["fill_form"].replace("asks: [metrics]", "asks: [metrics, quotes]")
    given = {"年龄": {"value": 200, "quote": said if corrected else "两百"}}
    model = FakeModel([ask_reply("好。", variables=given)])
    templates = written_templates({("own", "fill_form"): asking})
    outcome = await run(model, reply=said, scheme="own", templates=templates)
    assert (len(outcome.messages) == 2) is corrected
    assert (outcome.memory["wrong"] != {}) is corrected
    assert ("unsupported" in outcome.result.metadata) is not corrected
