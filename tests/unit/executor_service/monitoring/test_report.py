"""What a monitor is told of a round."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from executor_service.monitoring.report import MAX_LINE, MAX_REPLY, build_report, known_as
from executor_service.monitoring.signal_words import SignalWords, WordsOfLanguage
from executor_service.scripts.model.actions import ActionType, FormConfig
from executor_service.scripts.model.agent_config import AgentConfig
from executor_service.scripts.model.fields import Form, FormField, Output
from heartrule.domain.action_result import ActionMetrics, ProgressSuggestion
from heartrule.domain.conversation import Role
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import ClientReply, DialogueLine, RoundMetrics, TopicStrategy
from heartrule.domain.sensitive import MASK
from heartrule.domain.variables import ValueSupport, VariableHistoryEntry, VariableValue
from session_store.records import MonitorTicket, MonitorWork
from tests.support.engine_builders import action_of_type, ask, phase, say, script_of, topic
from tests.support.plan_builders import technique
from tests.support.store_builders import given, judged

STRATEGY = TopicStrategy(min_completeness_requirement="职业", max_retry_count="3")
SCRIPT = script_of(
    phase(topic(say(), topic_id="t1")),
    phase(
        topic(say(), topic_id="t0"),
        topic(ask(get=("职业", "年限")), topic_id="t1", strategy="先建立信任"),
        topic(ask(), topic_id="t2", strategy=STRATEGY),
        phase_id="p2",
    ),
    template_scheme="cbt_anxiety",
)


def work(**changes: Any) -> MonitorWork:
    """Return a claimed request about round 2 of the ai_ask in p2/t1."""
    plain = MonitorWork(
        ticket=MonitorTicket(key=SessionKey("t", "ses_1"), action_instance_id="act_1", round=2),
        attempt=1,
        script_id="s",
        script_version="v1",
        phase_id="p2",
        topic_id="t1",
        turn_id="turn_3",
        max_rounds=5,
        result=judged(2, action_id="ask"),
        trend=(),
        dialogue=(),
        traceparent="",
        stale=False,
    )
    return replace(plain, **changes)


def test_an_action_of_a_skill_is_found_in_its_technique() -> None:
    """Targets and strategy are the technique's; one edited out of the script has none."""
    breath = technique("breath", ask(get=("感受",)), strategy="慢一点")
    script = replace(SCRIPT, techniques={"breath": breath})
    report = build_report(script, work(technique_id="breath"))
    assert (report.target_variables, report.topic_strategy.text) == (("感受",), "慢一点")
    assert build_report(SCRIPT, work(technique_id="breath")).target_variables == ()


def test_it_names_the_round_and_what_was_judged() -> None:
    """Session, action, instance, rounds, metrics and suggestion come from the rows."""
    report = build_report(SCRIPT, work())
    assert (report.tenant, report.session_id, report.turn_id) == ("t", "ses_1", "turn_3")
    assert (report.action_id, report.action_instance_id) == ("ask", "act_1")
    assert (report.round, report.max_rounds) == (2, 5)
    assert report.metrics == ActionMetrics(user_engagement="high in 2")


def test_it_names_what_the_action_wants_to_know() -> None:
    """Targets, scheme and strategy come from the script, topic by phase and topic id."""
    report = build_report(SCRIPT, work())
    assert report.target_variables == ("职业", "年限")
    assert report.template_scheme == "cbt_anxiety"
    assert report.topic_strategy == TopicStrategy(text="先建立信任")


def test_it_tells_what_the_step_is_for_and_what_is_known() -> None:
    """Question, exit, goal and known outputs; what is no output of the action is not told."""
    asking = topic(ask(content="做什么工作？", exit="说了职业", get=("职业",)), topic_goal="了解")
    gathered = (given("职业", "教师", source="ask"), given("别的", "x"))
    report = build_report(script_of(phase(asking)), work(phase_id="p1", gathered=gathered))
    assert (report.task, report.exit_condition) == ("做什么工作？", "说了职业")
    assert (report.topic_goal, report.known_outputs) == ("了解", {"职业": "教师"})


def test_of_an_agent_it_tells_the_goal() -> None:
    """That is what it is there for; it has no exit of its own."""
    agent = action_of_type(ActionType.AI_AGENT, "ask", AgentConfig(goal="陪来访者排几步"))
    report = build_report(script_of(phase(topic(agent, topic_id="t1"))), work(phase_id="p1"))
    assert (report.task, report.exit_condition) == ("陪来访者排几步", "")


NUMBERED = script_of(
    phase(topic(ask("before", get=("分数",)), ask(get=("职业", "分数", "年限")), topic_id="t1"))
)


@pytest.mark.parametrize(
    ("value", "known"),
    [
        (given("职业", "教师", source="before", quote="教书"), {"职业": "教师"}),
        (given("职业", "", source="before"), {}),
        (given("职业", "教师", source="before", archived=True), {}),
        (given("职业", "教师", source="before", scope_id="t1/skill"), {}),
        (given("年限", 3, source="ask", support=ValueSupport.INFERRED), {"年限": 3}),
        (given("年限", 3, source="before", support=ValueSupport.INFERRED), {}),
        (given("分数", 7, source="before"), {}),
    ],
)
def test_what_the_client_gave_ahead_is_known(value: VariableValue, known: object) -> None:
    """With its quote; not what another question for the same output heard, nor an inference."""
    report = build_report(NUMBERED, work(phase_id="p1", gathered=(value,)))
    assert report.known_outputs == known
    assert report.known_quotes == ({value.name: value.quote} if known and value.quote else {})


def test_what_is_known_is_called_by_its_question_too() -> None:
    """A form's label, unless an open field has it too; an ai_ask's text where all is known."""
    fields = tuple(
        FormField(name=name, label=label)
        for name, label in (("兴趣", "没有兴趣，有多少天"), ("睡眠", "睡不好，有多少天"))
    )
    form = FormConfig(form=Form(title="表", fields=fields))
    asked = ask(get=("职业",), content="请问，做什么工作？")
    here = script_of(phase(topic(action_of_type(ActionType.FILL_FORM, "form", form), asked)))
    filling = work(phase_id="p1", result=judged(2, action_id="form"))
    assert known_as(here, filling, ["兴趣"]) == ("兴趣", "没有兴趣")
    assert known_as(here, work(phase_id="p1"), ["职业"]) == ("职业", "做什么工作")
    assert known_as(here, work(phase_id="p1"), []) == ()


def test_a_sensitive_value_stays_masked_with_its_quote() -> None:
    """In the list of known outputs, and in lines said before the question."""
    secret = ask(output=(Output(get="职业", sensitive=True),))
    said = DialogueLine(role=Role.CLIENT, text="我在教书，是教师")
    value = given("职业", "教师", source="ask", quote="教书")
    report = build_report(
        script_of(phase(topic(secret, topic_id="t1"))),
        work(phase_id="p1", gathered=(value,), dialogue_before=(said,)),
    )
    assert (report.known_outputs, report.known_quotes) == ({"职业": MASK}, {"职业": MASK})
    assert report.dialogue_before[0].text == f"我在教书，是{MASK}"


def test_a_sensitive_value_that_was_corrected_stays_masked() -> None:
    """In lines said before the question, the longest words first."""
    secret = ask(output=(Output(get="职业", sensitive=True),))
    said = DialogueLine(role=Role.CLIENT, text="我是教师，不，是教师助理")
    past = (VariableHistoryEntry(value="教师"),)
    report = build_report(
        script_of(phase(topic(secret, topic_id="t1"))),
        work(
            phase_id="p1",
            gathered=(given("职业", "教师助理", source="ask", history=past),),
            dialogue_before=(said,),
        ),
    )
    assert report.dialogue_before[0].text == f"我是{MASK}，不，是{MASK}"


def test_signals_are_told_in_words() -> None:
    """One line each; a round without any has none."""
    words = SignalWords({"zh": WordsOfLanguage(lines={"same_question": "问了 {count} 次"})})
    seen = judged(2, action_id="ask", metadata={"signals": {"same_question": 3, "echo": 1}})
    assert build_report(SCRIPT, work(result=seen), words).signals == ("问了 3 次", "echo")
    assert build_report(SCRIPT, work(), words).signals == ()


def test_a_strategy_in_parts_stays_in_parts() -> None:
    """Text reaches the monitor as text, an object as an object (C15)."""
    assert build_report(SCRIPT, work(topic_id="t2")).topic_strategy == STRATEGY


def test_a_topic_that_is_gone_has_no_targets() -> None:
    """The round is judged all the same."""
    report = build_report(SCRIPT, work(topic_id="t9"))
    assert (report.target_variables, report.topic_strategy) == ((), TopicStrategy())


def test_a_round_without_a_suggestion_goes_on() -> None:
    """continue_needed is the default everywhere."""
    report = build_report(SCRIPT, work(result=judged(2, progress_suggestion=None, metrics=None)))
    assert report.progress_suggestion is ProgressSuggestion.CONTINUE_NEEDED
    assert report.metrics == ActionMetrics()


def test_trend_and_dialogue_are_handed_on() -> None:
    """What the store read is what the monitor reads."""
    trend = (
        RoundMetrics(
            round=1,
            metrics=ActionMetrics(user_engagement="愿意谈"),
            progress_suggestion=ProgressSuggestion.BLOCKED,
        ),
    )
    dialogue = (DialogueLine(role=Role.CLIENT, text="嗯"),)
    report = build_report(SCRIPT, work(trend=trend, dialogue=dialogue))
    assert (report.trend, report.dialogue) == (trend, dialogue)


def test_a_long_line_is_trimmed() -> None:
    """An input of a megabyte does not travel for a judgement, and the cut shows."""
    line = DialogueLine(role=Role.CLIENT, text="啊" * (MAX_LINE + 1))
    (told,) = build_report(SCRIPT, work(dialogue=(line,))).dialogue
    assert (len(told.text), told.text[-1]) == (MAX_LINE + 1, "…")


def test_earlier_replies_are_told_shorter() -> None:
    """There may be a dozen of them."""
    earlier = (ClientReply(round=1, text="不懂"), ClientReply(round=2, text="啊" * 2_000))
    short, cut = build_report(SCRIPT, work(earlier_replies=earlier)).earlier_replies
    assert (short, cut.round) == (earlier[0], 2)
    assert (len(cut.text), cut.text[-1]) == (MAX_REPLY + 1, "…")
