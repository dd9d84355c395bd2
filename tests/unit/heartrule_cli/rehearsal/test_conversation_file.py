"""A conversation file: what it may say, and what is said of what it may not."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from executor_service.scripts.model.findings import Findings
from heartrule.model.reply.agent_reply import read_agent_reply
from heartrule.model.reply.contract import ASK_METRICS, agent_contract
from heartrule.model.reply.prose import Skeleton
from heartrule_cli.rehearsal.conversation_file import read_conversation
from heartrule_cli.rehearsal.written_conversation import DEFAULT_NOW, WrittenConversation


def read(text: str) -> WrittenConversation:
    findings = Findings("c.yaml")
    found = read_conversation(text.encode(), findings)
    assert found is not None, [str(each) for each in findings.sorted()]
    return found


def wrong(text: str) -> list[str]:
    findings = Findings("c.yaml")
    assert read_conversation(text.encode(), findings) is None
    return [str(each) for each in findings.sorted()]


def test_little_needs_to_be_written() -> None:
    """One turn is a conversation; time, language and models have their defaults."""
    made = read("turns: [{}]")
    assert (made.turns[0].opens, made.expects) == (True, False)
    assert (made.now, made.locale, made.time_zone) == (DEFAULT_NOW, "", "Asia/Shanghai")
    assert (made.model, made.monitor, made.monitor_model) == (None, None, None)


@pytest.mark.parametrize(
    "written", ["2026-03-01 20:15", "2026-03-01T12:15:00Z", "2026-03-01T20:15+08:00"]
)
def test_the_clock_stands_where_it_is_set(written: str) -> None:
    """Without an offset the moment is meant in the client's time zone."""
    made = read(f"now: {written}\nturns: [{{}}]")
    assert made.now.astimezone(UTC) == datetime(2026, 3, 1, 12, 15, tzinfo=UTC)


def test_a_text_is_a_whole_reply_that_goes_on() -> None:
    """An author writes what is said; the rest of the reply is that of a calm client."""
    (answer,) = read("model: [你好]\nturns: [{}]").model or ()
    reply = json.loads(answer.text)
    assert (reply["content"], reply["EXIT"]) == ("你好", "NO")
    assert reply["progress_suggestion"] == "continue_needed"


def test_a_text_with_a_brace_is_what_the_model_writes() -> None:
    """Broken replies can be played, too."""
    (answer,) = read("""model: ['好 {"EXIT"']\nturns: [{}]""").model or ()
    assert answer.text == '好 {"EXIT"'


def test_a_thought_says_nothing() -> None:
    """An answer without `content` is that of ai_think."""
    (answer,) = read("model: [{variables: {总分: 7}}]\nturns: [{}]").model or ()
    assert json.loads(answer.text) == {"variables": {"总分": 7}, "BRIEF": "想了想"}


def test_decisions_are_an_agents_whole_reply() -> None:
    """What it decides is written as it is; the rest is that of a calm client, without a text."""
    written = "{decisions: [{decision_type: respond, payload: {response: 你好}}]}"
    (answer,) = read(f"model: [{written}]\nturns: [{{}}]").model or ()
    reply = json.loads(answer.text)
    assert reply["decisions"] == [{"decision_type": "respond", "payload": {"response": "你好"}}]
    assert (reply["intent"], "content" in reply) == ("simple_query", False)
    contract = agent_contract(metrics=ASK_METRICS)
    read_back = read_agent_reply(answer.text, contract=contract, own_words=Skeleton({}))
    assert read_back.diagnosis.warnings == ()


def test_answers_may_fail_or_break_off() -> None:
    """The ways in which a model has no answer."""
    first, second = read("model: [{fails: DOWN}, {cut: 你好。我}]\nturns: [{}]").model or ()
    assert (first.fails, second.text, second.cut) == ("DOWN", "你好。我", True)


def test_the_second_mind_is_written_in_order() -> None:
    """Silence, advice, a failure."""
    answers = read("monitor: [silent, {advice: 慢一点}, {fails: DOWN}]\nturns: [{}]").monitor
    assert [(each.advice, each.fails) for each in answers or ()] == [
        ("", ""),
        ("慢一点", ""),
        ("", "DOWN"),
    ]


def test_what_a_client_types_stays_as_it_is() -> None:
    """White space, and a number that was typed."""
    made = read('turns: [{client: "  好 "}, {client: 007}, {form: {年龄: 25}}]')
    assert [turn.client for turn in made.turns] == ["  好 ", "007", None]
    assert made.turns[2].form == {"年龄": 25}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "c.yaml:1:1: the file is empty; a conversation begins with `turns:`"),
        ("- 1", "c.yaml:1:1: the file is a list; write a mapping"),
        ("title: x", "c.yaml:1:1: a conversation needs `turns`"),
        ("turns: []", "c.yaml:1:1: `turns` is empty"),
        ("turn: [{}]", "c.yaml:1:1: unknown key 'turn' in a conversation; did you mean `turns`?"),
        ("turns: [{clent: x}]", "unknown key 'clent' in a turn; did you mean `client`?"),
        ("turns: [{user: x}]", "a turn has no `user`; write `client`"),
        ("turns: [你好]", "a turn is the text '你好'; write `client: what is said`"),
        ("turns: [{client: [x]}]", "`client` is a list; write what the client says"),
        ("turns: [{form: x}]", "`form` is the text 'x'; write a mapping"),
        ("turns: [{expect: 1}]", "`expect` is the number 1; write a mapping with said"),
        ("turns: [{expect: {siad: x}}]", "1:19: unknown key 'siad' in `expect`; did you mean"),
        ("turns: [{expect: {position: {action: x}}}]", "write `action_id`"),
        ("turns: [{expect: {judged: [{end: true}]}}]", "did you mean `ends`?"),
        ("turns: [{expect: {prompt: {hsa: x}}}]", "did you mean `has`?"),
        ("turns: [{expect: {said: [{contains: x}]}}]", "write `has`"),
        ("turns: [{expect: {prompt: {has: {a: 1}}}}]", "`has` is a text, or a list of texts"),
        ("turns: [{expect: {results: [{metrics: {engagement: x}}]}}]", "`user_engagement`"),
        ("now: yesterday\nturns: [{}]", "c.yaml:1:6: `now` is 'yesterday'; write a moment"),
        ("imported: {a: 1}\nturns: [{}]", "1:1: `imported_state`: holds neither `variables`"),
        ("time_zone: Mars\nturns: [{}]", "`time_zone` is 'Mars'; write a name such as"),
        ("model: [{content: x, EXIT: true}]\nturns: [{}]", "write YES or NO"),
        ("model: [{content: x, exit: YES}]\nturns: [{}]", "write `EXIT`"),
        ("model: [{cut: x, EXIT: YES}]\nturns: [{}]", "`cut` stands alone"),
        ("model: [1]\nturns: [{}]", "an answer is the number 1; write what the model says"),
        ("monitor: [loud]\nturns: [{}]", "write `silent` or {advice: …}"),
        ("monitor: []\nmonitor_model: []\nturns: [{}]", "give `monitor` or `monitor_model`"),
    ],
)
def test_a_mistake_is_located_and_what_is_right_is_said(text: str, message: str) -> None:
    """Whoever wrote it finds the place and the remedy in one line."""
    (told,) = wrong(text)
    assert message in told


def test_all_mistakes_are_told_at_once() -> None:
    """From top to bottom."""
    told = wrong("titel: x\nturns:\n- {cleint: x}\n- {expect: {varables: {}}}\n")
    assert [line.split(": ")[0] for line in told] == ["c.yaml:1:1", "c.yaml:3:4", "c.yaml:4:13"]
