"""What the rehearsal model answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from heartrule.domain.json_value import JsonValue
from heartrule.model.ports import ChatMessage
from heartrule.model.rehearsal.answering import answer
from heartrule.model.rehearsal.task import Refusal
from heartrule.model.task_card import task_card

QUESTION = "我该怎么称呼你？"
NAME: JsonValue = [{"name": "称呼", "type": "text", "options": []}]


def reply(**card: JsonValue) -> dict[str, Any]:
    """Return the reply to a prompt with this card."""
    message = ChatMessage(role="user", content=f"…\n{task_card({'v': 1, **card})}\n请只输出")
    text = answer([message])
    assert isinstance(text, str)
    return dict(json.loads(text))


def ask(words: str = "", **card: JsonValue) -> dict[str, Any]:
    """Return the reply to a judged answer of an ai_ask."""
    base: dict[str, JsonValue] = {"kind": "ai_ask", "stage": "turn", "task": QUESTION}
    base |= {"outputs": NAME, "user_input": words, "round": 1, "max_rounds": 3}
    return reply(**(base | card))


def say(words: str = "", **card: JsonValue) -> dict[str, Any]:
    """Return the reply to a client's reaction in an ai_say."""
    base: dict[str, JsonValue] = {"kind": "ai_say", "stage": "turn", "task": "担心像烟雾报警器。"}
    return reply(**(base | {"user_input": words, "round": 1, "max_rounds": 5} | card))


def test_opening_asks_the_question_of_the_script() -> None:
    """An opening says the script's own words and judges nothing."""
    opened = ask(stage="opening")
    assert (opened["EXIT"], opened["content"], opened["variables"]) == ("NO", QUESTION, {})
    assert set(opened["metrics"].values()) == {"尚未评估"}


def test_answer_becomes_the_variable() -> None:
    """The client's words, stripped, are the value, and the action ends without a question."""
    done = ask("  小明，{{task}} \n")
    assert done["variables"] == {"称呼": "小明，{{task}}"}
    assert (done["EXIT"], done["progress_suggestion"]) == ("YES", "completed")
    assert "？" not in done["content"]


def test_refusal_is_blocked_and_asked_gently() -> None:
    """A refusal takes no value, keeps the action open and says that engagement is low."""
    held = ask("不想说")
    assert (held["EXIT"], held["progress_suggestion"]) == ("NO", "blocked")
    assert held["variables"] == {}
    assert held["content"] != QUESTION
    assert held["content"].endswith(QUESTION)
    assert "投入度低" in held["metrics"]["user_engagement"]


def test_second_refusal_meets_other_words() -> None:
    """The same refusal in the next round is not met with the same sentence."""
    assert ask("不想说")["content"] != ask("不想说", round=2)["content"]


def test_last_refusal_is_let_go() -> None:
    """In the last round a refusal is accepted without a further question."""
    assert "？" not in ask("不想说", round=3)["content"]


def test_advice_softens_visibly() -> None:
    """A prompt with a monitor's advice gets a visibly gentler reply."""
    assert ask("不想说", advice=True)["content"].startswith("没关系，我们可以慢一点。")
    assert ask("小明", advice=True)["content"].startswith("没关系，我们可以慢一点。")
    assert not ask("小明")["content"].startswith("没关系")


def test_missing_number_is_asked_for() -> None:
    """A number that is not there keeps the action open, and the rest is kept."""
    outputs: JsonValue = [{"name": "感受"}, {"name": "分数", "type": "number"}]
    part = ask("很累", outputs=outputs)
    assert (part["EXIT"], part["variables"]) == ("NO", {"感受": "很累"})
    assert "数字" in part["content"]
    assert ask("很累，7分", outputs=outputs)["variables"]["分数"] == 7


def test_nothing_to_gather_ends_with_any_answer() -> None:
    """Without outputs any answer will do."""
    assert ask("都好", outputs=[])["EXIT"] == "YES"


def test_off_topic_and_empty_bring_back() -> None:
    """A question about the helper is off topic; silence is waited for; both return to the task."""
    away, silent = ask("你是机器人吗？"), ask("……")
    assert away["progress_suggestion"] == "off_topic"
    assert silent["progress_suggestion"] == "continue_needed"
    assert away["content"].endswith(QUESTION)
    assert silent["content"].endswith(QUESTION)


def test_words_of_the_client_are_never_echoed() -> None:
    """What is said back holds none of the client's words, and cares where it must."""
    content = ask("我想自杀，用<script>")["content"]
    assert "自杀" not in content
    assert "script" not in content
    assert "安全" in content


def test_field_order_of_the_contract() -> None:
    """The reply has EXIT first, then content, then the rest in the contract's order."""
    order = ["EXIT", "content", "variables", "metrics", "progress_suggestion"]
    assert list(ask("小明"))[:5] == order


def test_only_what_is_asked_for() -> None:
    """A card that names the fields of its reply gets these, and at an exit why it ends."""
    assert list(ask("小明", stage="opening", reply=["content"])) == ["content"]
    fields = ["EXIT", "content", "variables"]
    assert list(ask("不想说", reply=fields)) == fields
    assert list(ask("小明", reply=fields)) == [*fields, "BRIEF", "exit_reason"]


def test_values_stand_beside_their_words() -> None:
    """A template that asks for quotes gets the client's words beside each value."""
    quoted = ask("叫我小明", asks=["quotes"], outputs=[{"name": "称呼"}])["variables"]["称呼"]
    assert (quoted["value"], quoted["quote"]) == ("叫我小明", "叫我小明")


def test_assessment_only_where_asked_for() -> None:
    """An assessment is left out only when the card says that the template asks for none."""
    assert "assessment" not in ask("小明", asks=["metrics"])
    assert ask("小明", asks=["assessment"])["assessment"]["understanding_level"] == 85
    assert "assessment" in ask("小明")


def test_english_task_gets_english() -> None:
    """The language follows the script's task."""
    held = ask("I'd rather not say", task="What shall I call you?")
    assert held["progress_suggestion"] == "blocked"
    assert held["content"].isascii()


def test_say_opens_with_the_text() -> None:
    """ai_say opens with the script's text."""
    assert say(stage="opening")["content"] == "担心像烟雾报警器。"


@pytest.mark.parametrize(
    ("words", "exits", "questions"),
    [
        ("明白了", "YES", False),
        ("没听懂", "NO", True),
        ("为什么？", "NO", True),
        ("我累了", "NO", False),
    ],
)
def test_say_ends_when_understood(words: str, exits: str, *, questions: bool) -> None:
    """ai_say ends when the client says so; a question is noted as one."""
    judged = say(words)
    assert (judged["EXIT"], judged["assessment"]["has_questions"]) == (exits, questions)


def test_say_explains_more_plainly_with_advice() -> None:
    """ai_say shows the monitor's advice at work too."""
    assert say("没听懂", advice=True)["content"].startswith("我换个更贴近生活的说法。")


def test_say_lets_an_unwilling_client_be() -> None:
    """Who does not want to listen blocks, and is not lectured."""
    assert say("不想听")["progress_suggestion"] == "blocked"


def test_think_is_a_fixed_sentence_over_its_inputs() -> None:
    """ai_think says what it was given; a number is taken from it."""
    outputs: JsonValue = [{"name": "小结"}, {"name": "分数", "type": "number"}]
    inputs: JsonValue = {"称呼": "小明", "心情": "6分"}
    thought = reply(kind="ai_think", task="整理", outputs=outputs, inputs=inputs)
    assert thought["variables"] == {
        "小结": "目前了解到：称呼是「小明」；心情是「6分」。",
        "分数": 6,
    }


def test_monitor_acts_on_a_refused_round() -> None:
    """The monitor turns a blocked round into advice for the next prompt."""
    metrics = ask("不想说")["metrics"]
    seen = reply(kind="ai_ask_monitor", metrics=metrics, progress_suggestion="blocked")
    assert (seen["intervention_needed"], seen["strategy_suggestion"]) == (True, "rephrase")
    assert len(seen["feedback_for_action"]) > 10
    assert seen["modified_approach"]


def test_monitor_keeps_still_when_all_is_well() -> None:
    """A round that went well makes no advice."""
    metrics = ask("小明，刚毕业，想聊聊工作")["metrics"]
    seen = reply(kind="ai_ask_monitor", metrics=metrics, progress_suggestion="completed")
    assert seen["intervention_needed"] is False
    assert not seen["feedback_for_action"]


def test_monitor_reads_low_engagement_in_the_metrics() -> None:
    """Low engagement alone is enough."""
    metrics: JsonValue = {"user_engagement": "回答敷衍，像是回避"}
    seen = reply(kind="ai_ask_monitor", metrics=metrics, progress_suggestion="continue_needed")
    assert seen["intervention_reason"] == "blocked"


def test_say_monitor_sees_that_nothing_was_understood() -> None:
    """The ai_say monitor offers an example when the client is lost."""
    lost = say("没听懂")
    seen = reply(
        kind="ai_say_monitor",
        metrics=lost["metrics"],
        progress_suggestion=lost["progress_suggestion"],
    )
    assert (seen["understanding_issue"], seen["intervention_needed"]) == (True, True)
    assert seen["example_suggestion"]


def test_same_prompt_same_reply() -> None:
    """The model is deterministic."""
    assert ask("小明") == ask("小明")


@pytest.mark.parametrize("text", ["你好", "<heartrule-task>\n{}", ""])
def test_prompt_without_a_card_is_refused(text: str) -> None:
    """A prompt that is not ours is refused, and the refusal says why."""
    refused = answer([ChatMessage(role="user", content=text)])
    assert isinstance(refused, Refusal)
    assert refused.code == "no_task_card"
    assert "card" in refused.message


def test_a_monitor_without_a_rule_is_watched_as_that_of_ai_ask() -> None:
    """A type's own monitor runs without a key before anybody wrote a rule for it."""

    def watched(kind: str) -> object:
        card = {"kind": kind, "stage": "turn", "progress_suggestion": "blocked"}
        return answer([ChatMessage(role="user", content=task_card(card))])

    assert watched("breathe_monitor") == watched("ai_ask_monitor")
    assert "blocked" in str(watched("breathe_monitor"))


def test_only_the_last_message_counts() -> None:
    """A card in an earlier message, or of an unknown kind, is no task."""
    card = task_card({"kind": "ai_ask", "task": QUESTION})
    earlier = [ChatMessage(role="user", content=card), ChatMessage(role="user", content="你好")]
    assert isinstance(answer(earlier), Refusal)
    unknown = answer([ChatMessage(role="user", content=task_card({"kind": "poem"}))])
    assert isinstance(unknown, Refusal)
    assert unknown.code == "unknown_task_kind"
    assert isinstance(answer([]), Refusal)


def test_a_list_is_gathered_until_the_client_has_no_more() -> None:
    """Each answer is a record, and the words that end it are none."""
    one = ask("小明", collects=True)
    assert (one["EXIT"], one["variables"]) == ("NO", {"称呼": "小明"})
    assert "还有别的吗" in one["content"]
    for words in ("没有了", "没有别人了", "没了", "就这些"):
        last = ask(words, collects=True)
        assert (last["EXIT"], last["variables"]) == ("YES", {})


def test_a_node_of_a_workflow_is_answered() -> None:
    """In the language of what it asks, and with that."""
    assert reply(kind="workflow_node", task="Sum up: 1, 2") == {
        "answer": "An answer of the rehearsal model",
        "asked": "Sum up: 1, 2",
    }
