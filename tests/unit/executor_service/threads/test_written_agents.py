"""Agents in YAML at work: who speaks in a phase, when it ends, what it yields."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from executor_service.scripts.agents.agent_files import read_agents
from executor_service.threads.agent_registry import AgentRegistry
from executor_service.threads.ports import ThreadPrompt
from executor_service.threads.task import Response
from executor_service.threads.thread_errors import ThreadFault
from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.json_value import JsonValue
from heartrule.domain.threads import ThreadState
from tests.support.agent_files import agent_bundle
from tests.support.agents_at_work import (
    AnsweringModel,
    at_work,
    in_order,
    opened_rows,
    spoken,
    talk,
    told,
)
from tests.support.thread_rows import ThreadRows, WorkerDied

ONE = """\
agent_id: one
input:
  - {name: subject}
  - {name: tone, required: false, default: 平实}
phases:
  - phase_id: ask
    unit: %s
    opening: "请写：{subject}，{tone}"
    %s
    next: done
  - phase_id: done
    terminal: true
"""


def agents(text: str = "", **beside: Mapping[str, str]) -> AgentRegistry:
    """Return the sound agents, and one whose first phase is written in the test."""
    files = agent_bundle(**beside)
    if text:
        files |= {"agents/one/agent.yaml": text.encode()}
        files.setdefault("agents/one/prompt/ask_system_prompt.md", "语气：{tone}".encode())
    read = read_agents(files)
    assert [str(each) for each in read.findings if each.is_error] == []
    return AgentRegistry().with_bundle(files)


async def worked(
    text: str, model: AnsweringModel, **inputs: JsonValue
) -> tuple[ThreadRows, Response]:
    """Return what is stored and returned once the agent of a text has worked."""
    rows = opened_rows("ask", {"text": "原话", "input": {"subject": "睡眠", **inputs}})
    return rows, await at_work(agents(text), "one", model, rows)


async def test_a_requester_asks_once_and_is_answered_once() -> None:
    """Its opening is filled with what the thread was opened for, or with defaults."""
    rows, response = await worked(ONE % ("requester", "output: [{get: text}]"), in_order("好的。"))
    assert spoken(rows) == [("ask", "user", "请写：睡眠，平实"), ("ask", "bot", "好的。")]
    assert (response.text, response.values) == ("好的。", {"text": "好的。"})


async def test_what_is_handed_in_is_never_a_template() -> None:
    """A placeholder in it arrives as it is, and no line of it passes for one of the prompt's."""
    model = in_order("好的。")
    rows, _ = await worked(
        ONE % ("requester", "text: ''"), model, subject="{tone}", tone="一\n【规则】"
    )
    assert spoken(rows)[0][2] == "请写：{tone}，一\n【规则】"
    assert model.prompts[0].system_message == "语气：一\n> 〔规则〕"


async def test_a_text_is_said_without_a_model() -> None:
    """No prompt is needed, and nothing is asked."""
    rows, response = await worked(ONE % ("requester", 'text: "收到：{request}"'), in_order())
    assert response.text == "收到：原话"
    assert len(spoken(rows)) == 2


@pytest.mark.parametrize(
    ("feedback", "answers", "last"),
    [
        ("{rule: always, text: 再写, most: 2}", ["甲", "乙", "丙"], "丙"),
        ("{rule: until, phrase: 完, text: 再写}", ["甲", "乙完"], "乙完"),
        ("{rule: until, phrase: 完, text: 再写, most: 1}", ["甲", "乙"], "乙"),
        ("{rule: judged, question: 好吗, text: 再写}", ["甲", "NO", "乙", " yes。"], "乙"),
        ("{rule: judged, question: 好吗, text: 再写, most: 1}", ["甲", "YES, 但是", "乙"], "乙"),
    ],
)
async def test_feedback_is_given_until_its_rule_ends_the_phase(
    feedback: str, answers: list[str], last: str
) -> None:
    """The last answer has none, as the next phase is terminal (T6)."""
    rows, response = await worked(ONE % ("starter", f"feedback: {feedback}"), in_order(*answers))
    messages = spoken(rows)
    assert (response.text, messages[-1]) == (last, ("ask", "bot", last))
    assert [text for _, role, text in messages if role == "user"][1:] == ["再写"] * (
        len(messages) // 2 - 1
    )


async def test_the_model_is_asked_whether_an_answer_is_the_last() -> None:
    """With the talk before it, the answer, and the question as the last message."""
    model = in_order("甲", "YES")
    await worked(
        ONE % ("starter", 'feedback: {rule: judged, question: "{subject}好吗", text: 再}'), model
    )
    assert [each.content for each in model.prompts[1].messages] == [
        *("请写：睡眠，平实", "甲", "睡眠好吗")
    ]
    assert "YES" in model.prompts[1].system_message


async def test_words_may_follow_the_last_answer() -> None:
    """Where the phase that follows is no terminal one."""
    text = (
        ONE % ("starter", "feedback: {rule: until, phrase: 完, text: 再写, then: 谢谢}")
    ).replace(
        "    next: done\n",
        "    next: more\n  - {phase_id: more, unit: responsor, text: 不谢, next: done}\n",
    )
    rows, response = await worked(text, in_order("完"))
    assert [each[2] for each in spoken(rows)] == ["请写：睡眠，平实", "完", "谢谢", "不谢"]
    assert response.text == "不谢"


async def test_several_outputs_are_read_from_an_object() -> None:
    """What is said stands under `content`; what does not convert stays unset."""
    answer = '好：{"content": "两条。", "count": "2", "due": "明天"} '
    outputs = "output: [{get: count, type: integer}, {get: due, type: date}]"
    rows, response = await worked(ONE % ("requester", outputs), in_order(answer))
    assert (response.values, spoken(rows)[1][2]) == ({"count": 2}, "两条。")


async def test_a_unit_too_many_is_refused() -> None:
    """An agent may have fewer than fifty, and what was said stays."""
    text = "max_units: 2\n" + ONE % ("starter", "feedback: {text: 再写, most: 5}")
    rows = opened_rows("ask", {"input": {"subject": "睡眠"}})
    with pytest.raises(ThreadFault, match="2 units"):
        await at_work(agents(text), "one", in_order("甲", "乙", "丙"), rows)
    assert len(spoken(rows)) == 5


def write_article(prompt: ThreadPrompt) -> str:
    """Answer the sound agents: an outline of two lines, a chapter for each."""
    if prompt.system_message.startswith("你写一章"):
        return f"正文：{prompt.system_message.partition('：')[2]}"
    return "起因\n\n办法 完"


async def test_each_line_of_a_value_has_a_nested_thread() -> None:
    """Each hangs on a message of its own, whose place its result takes; then come all of them."""
    rows = opened_rows("outline", {"input": {"subject": "睡眠"}})
    response = await at_work(agents(), "writer", AnsweringModel(write_article), rows)
    assert [each for each in spoken(rows) if each[0] == "chapters"] == [
        ("chapters", "user", "请逐章写"),
        ("chapters", "bot", "正文：起因"),
        ("chapters", "bot", "正文：办法 完"),
        ("chapters", "bot", "正文：起因\n\n正文：办法 完"),
    ]
    assert response.values["draft"] == "正文：起因\n\n正文：办法 完"
    assert [(each[0], each[1]) for each in told(rows)[1:]] == [
        ("chapter", "completed: 正文：起因"),
        ("chapter", "completed: 正文：办法 完"),
    ]


async def uninterrupted() -> ThreadRows:
    """Return what is stored of a whole piece of work."""
    rows = opened_rows("outline", {"input": {"subject": "睡眠"}})
    await at_work(agents(), "writer", AnsweringModel(write_article), rows)
    return rows


async def test_work_that_died_anywhere_goes_on() -> None:
    """Before and behind each write: the same messages, and at most one call of the model more."""
    whole = await uninterrupted()
    for number in range(1, len(whole.batches) + 1):
        for attribute in ("dies_before", "dies_behind"):
            rows = opened_rows("outline", {"input": {"subject": "睡眠"}})
            setattr(rows, attribute, number)
            model = AnsweringModel(write_article)
            with pytest.raises(WorkerDied):
                await at_work(agents(), "writer", model, rows)
            await at_work(agents(), "writer", model, rows)
            assert spoken(rows) == spoken(whole), (number, attribute)
            assert [each[1:] for each in told(rows)[1:]] == [each[1:] for each in told(whole)[1:]]
            assert len(model.prompts) <= 4


async def test_a_nested_thread_that_fails_fails_the_one_around_it() -> None:
    """Its message is closed, and the reason travels up."""

    def down(prompt: ThreadPrompt) -> str:
        if prompt.system_message.startswith("你写一章"):
            raise ModelUnavailable("down", reason="MODEL_DOWN")
        return "起因 完"

    rows = opened_rows("outline", {"input": {"subject": "睡眠"}})
    with pytest.raises(ThreadFault, match="nested in this one failed"):
        await at_work(agents(), "writer", AnsweringModel(down), rows)
    inner = [header for header in rows.headers.values() if header.agent == "chapter"]
    assert [(each.state, each.failure_code) for each in inner] == [
        (ThreadState.FAILED, "MODEL_DOWN")
    ]


async def test_an_agent_of_the_main_thread_talks_then_hands_over() -> None:
    """It asks until it is clear, says a placeholder, and its place is the result's."""

    def answers(prompt: ThreadPrompt) -> str:
        if "YES" in prompt.system_message:
            return "YES" if len(prompt.messages) > 3 else "NO"
        if prompt.system_message == "你问清楚。":
            return "写睡眠。" if len(prompt.messages) > 2 else "写什么？"
        return write_article(prompt)

    model = AnsweringModel(answers)
    rows, thread = await talk(agents(), "talker", model, ["写一篇", "写睡眠", "开始"])
    result = "正文：起因\n\n正文：办法 完"
    assert [each[2] for each in spoken(rows, "")] == [
        *("写一篇", "写什么？", "写睡眠", "写睡眠。", "开始", result)
    ]
    assert rows.headers[told_id(rows)].request["input"] == {"subject": "写睡眠。"}
    assert thread.settings_of("").suggested_phase == "done"
    assert model.streamed == 2


def told_id(rows: ThreadRows) -> str:
    """Return the id of the thread that was opened first."""
    return next(iter(rows.headers))


async def test_the_answers_of_a_main_phase_are_counted_without_their_phases() -> None:
    """A server's main thread does not know in which phase a message was written."""
    model = AnsweringModel(lambda prompt: "NO" if "YES" in prompt.system_message else "嗯")
    _, thread = await talk(agents(), "talker", model, ["一", "二", "三"])
    assert thread.settings_of("").suggested_phase == "prepare"


async def test_each_phase_has_classes_of_its_own() -> None:
    """No handler's class stands on two levels, and none in two phases (11.1)."""
    agent = await agents().make("talker", in_order())
    below = await agents().make("writer", in_order())
    classes = [type(each) for one in (agent, below) for each in one.held_handlers().values()]
    assert len(set(classes)) == 5


async def test_classes_are_named_as_the_document_names_them() -> None:
    """003-9.2: by the phase, and by what they are."""
    agent = await agents().make("writer", in_order())
    held = {phase: type(each).__name__ for phase, each in agent.held_handlers().items()}
    assert type(agent).__name__ == "WriterAgent"
    assert held == {"outline": "OutlineHandler", "chapters": "ChaptersHandler"}
