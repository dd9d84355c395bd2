"""An agent's talk: it answers, asks back, thinks, and every decision has its verdict."""

from __future__ import annotations

import json

import pytest

from heartrule.domain.conversation import QuickReplies
from heartrule.domain.decisions import DecisionState, FindingCode
from heartrule.domain.events import Outcome
from heartrule.domain.exits import DecisionSource, ExitReason
from heartrule.domain.model_call import Purpose
from heartrule.domain.position import ExecutionStatus
from heartrule.domain.safety import SafetyLevel, SafetyState
from tests.support.agent_talk import AgentTalk, agent, answers, ask_back, respond, thought
from tests.support.engine_builders import reasons
from tests.support.fake_model import Reply
from tests.support.written_templates import AGENT_CLOSING, AGENT_REASK

HELPED = SafetyState(level=SafetyLevel.THIRD_PARTY, step="help", last_card_turn=3)
HELLO = answers(respond("你好，想谈点什么？", intent="greeting"), intent="greeting")


async def opened(**config: object) -> AgentTalk:
    """Return a talk in which the agent has greeted."""
    talk = AgentTalk(agent(**config))  # type: ignore[arg-type]
    await talk.opens(HELLO)
    return talk


async def test_it_greets_and_waits() -> None:
    """One call, one decision with its verdict, one message; an opening judges nothing."""
    talk = AgentTalk()
    end, sink = await talk.opens(HELLO)
    (step,) = sink.steps
    assert (end.outcome, sink.texts()) == (Outcome.WAITING, ["你好，想谈点什么？"])
    assert talk.states() == [("respond", DecisionState.DONE)]
    (change,) = step.decisions
    assert (change.is_made, change.verdict is not None and change.verdict.is_valid) == (True, True)
    assert step.result is not None
    assert (step.result.exit_decision, step.result.metrics) == (None, None)


async def test_it_asks_the_model_for_decisions_and_shows_no_drafts() -> None:
    """Only the gate lets a text out, so nothing is shown before its verdict."""
    talk = AgentTalk()
    _, sink = await talk.opens(HELLO)
    assert (sink.drafts, talk.model.requests[-1].purpose) == ([], Purpose.DECIDE)


async def test_it_does_not_end_before_the_client_has_spoken() -> None:
    """A RESPOND that wants no answer completes it only behind the client's words."""
    talk = AgentTalk()
    end, sink = await talk.opens(answers(respond("你好。", followup=False)))
    assert (end.outcome, sink.steps[-1].status) == (
        Outcome.WAITING,
        ExecutionStatus.WAITING_INPUT,
    )


async def test_a_last_answer_completes_it() -> None:
    """RESPOND without a follow-up is the exit flag (RESOLUTIONS C21)."""
    talk = await opened()
    end, _ = await talk.hears("睡不好", answers(respond("今晚早点休息。", followup=False)))
    assert end.outcome is Outcome.SESSION_COMPLETED
    assert end.exit_reason is ExitReason.EXIT_CRITERIA_MET
    assert end.exit_decision is not None
    assert end.exit_decision.decision_source is DecisionSource.EXIT_FLAG


async def test_an_answer_that_goes_on_waits() -> None:
    """The round is judged, with its metrics, and the next one begins."""
    talk = await opened()
    end, sink = await talk.hears("睡不好", answers(respond("多久了？")))
    result = sink.steps[-1].result
    assert (end.outcome, sink.steps[-1].position.current_round) == (Outcome.WAITING, 2)
    assert result is not None
    assert result.metrics is not None
    assert (result.round, result.metrics.reply_relevance) == (1, "切题")
    assert sink.steps[-1].monitor_requested


async def test_the_last_round_ends_it() -> None:
    """`max_rounds` counts the client's replies that were judged."""
    talk = await opened(max_rounds=1)
    end, sink = await talk.hears("睡不好", answers(respond("我听到了。")))
    assert (end.outcome, end.exit_reason) == (
        Outcome.SESSION_COMPLETED,
        ExitReason.MAX_ROUNDS_REACHED,
    )
    assert sink.texts() == ["我听到了。"]


async def test_it_asks_back_with_answers_to_choose_from() -> None:
    """The question waits; the options stand beside it, and the client may answer in words."""
    talk = await opened()
    asked = ask_back("看哪一样？", options=["睡眠", "心情"], required_fields=["focus"])
    end, sink = await talk.hears("帮我分析数据", answers(asked, intent="unknown"))
    text, choice = sink.steps[-1].messages[0].parts
    assert (end.outcome, text.text) == (Outcome.WAITING, "看哪一样？")
    assert choice.quick_replies == QuickReplies(texts=("睡眠", "心情"))
    assert talk.states()[-1] == ("request_clarification", DecisionState.RUNNING)


@pytest.mark.parametrize("option", ["我是真人咨询师，姓王", "我这几天一直都睡不着觉，很烦。"])
async def test_an_option_is_checked_as_a_text_is(option: str) -> None:
    """A claim, or the client's own words: it would be shown whole, so the question is rejected."""
    talk = await opened()
    asked = ask_back("看哪一样？", options=["心情", option])
    answer = answers(respond("先看睡眠吧。"))
    _, sink = await talk.hears("我这几天一直都睡不着觉，很烦。", answers(asked), answer)
    assert sink.texts() == ["先看睡眠吧。"]
    assert talk.codes()[1] == [FindingCode.CONFLICT]


async def test_an_option_may_be_a_word_of_the_client() -> None:
    """They are to choose from, in the client's own terms."""
    talk = await opened()
    asked = ask_back("看哪一样？", options=["睡眠", "心情"])
    await talk.hears("睡眠", answers(asked))
    assert talk.codes()[1] == []


@pytest.mark.parametrize(
    ("question", "options", "parts"),
    [
        ("你想打哪个号码？", ["138", "13", "80"], 1),
        ("哪一个？", ["138", "0013", "8000"], 1),
        ("几分？", ["1", "5", "10"], 2),
        ("看哪一样？", ["睡眠", "心情"], 2),
    ],
)
async def test_options_are_guarded_together(question: str, options: list[str], parts: int) -> None:
    """From a concern on no number that a model made up is put together by who reads them."""
    talk = await opened()
    talk.turns += 1
    watched = talk.answering("嗯", safety=HELPED)
    _, sink = await talk.runs(watched, answers(ask_back(question, options=options)))
    assert len(sink.steps[-1].messages[0].parts) == parts


async def test_the_answer_is_read_with_what_was_asked() -> None:
    """The prompt has the question, its fields and its context; then the question is done."""
    talk = await opened()
    asked = ask_back("看哪一样？", required_fields=["focus"], context={"known": "周报"})
    await talk.hears("帮我分析数据", answers(asked, intent="unknown"))
    await talk.hears("睡眠", answers(respond("好，先看睡眠。")))
    prompt = talk.model.last_prompt()
    assert all(part in prompt for part in ("看哪一样？", '"required_fields": ["focus"]', "周报"))
    assert talk.states()[1:] == [
        ("request_clarification", DecisionState.DONE),
        ("respond", DecisionState.DONE),
    ]


async def test_it_thinks_twice_and_answers() -> None:
    """Each thought is a step of the turn; the next prompt has it, the client sees nothing."""
    talk = await opened()
    replies = (answers(thought("先看作息")), answers(thought("再看心情")))
    end, sink = await talk.hears("怎么办", *replies, answers(respond("先说说作息。")))
    assert [step.status for step in sink.steps] == [
        ExecutionStatus.RUNNING,
        ExecutionStatus.RUNNING,
        ExecutionStatus.WAITING_INPUT,
    ]
    assert [step.result is None for step in sink.steps] == [True, True, False]
    assert (end.outcome, sink.texts()) == (Outcome.WAITING, ["先说说作息。"])
    prompt = talk.model.last_prompt()
    assert all(part in prompt for part in ("先看作息", "再看心情", "还剩 1", "> 怎么办"))


async def test_a_thought_is_never_a_round_of_its_own() -> None:
    """The turn's result is that of the answer to the client's words."""
    talk = await opened()
    end, sink = await talk.hears(
        "怎么办", answers(thought()), answers(respond("好。", followup=False))
    )
    result = sink.steps[-1].result
    assert (end.outcome, result.round if result else 0) == (Outcome.SESSION_COMPLETED, 1)


async def test_only_thoughts_spend_the_budget() -> None:
    """The client is told one plain line, and the agent waits."""
    talk = await opened()
    end, sink = await talk.hears("怎么办", *(answers(thought(f"第{n}步")) for n in range(3)))
    assert (end.outcome, sink.texts()) == (Outcome.WAITING, [AGENT_REASK])
    assert "DECISION_BUDGET" in reasons(end.degradations)
    assert len(sink.steps) == 3


async def test_prose_counts_as_a_decision() -> None:
    """Nothing of it is shown; three of them are the turn's budget."""
    talk = await opened()
    end, sink = await talk.hears("怎么办", *("我想先聊聊。" for _ in range(3)))
    assert (end.outcome, sink.texts()) == (Outcome.WAITING, [AGENT_REASK])
    assert reasons(end.degradations).count("UNREADABLE_REPLY") == 3


async def test_a_reply_that_was_cut_is_not_mended() -> None:
    """Half a sentence is no answer: the reply counts, and the model is asked again."""
    talk = await opened()
    cut = Reply((answers(respond("你先"))[:-20],), finish_reason="length")
    _, sink = await talk.hears("怎么办", cut, answers(respond("先睡一觉。")))
    assert sink.texts() == ["先睡一觉。"]


async def test_what_it_says_is_held_against_what_was_said() -> None:
    """An answer said before is refused, told to the model, and mended."""
    talk = await opened()
    again = answers(respond("你好，想谈点什么？"))
    _, sink = await talk.hears("嗯嗯是的", again, answers(respond("那睡得怎么样？")))
    assert sink.texts() == ["那睡得怎么样？"]
    assert talk.codes()[1] == [FindingCode.CONFLICT.value]


async def test_outputs_are_written_by_the_resolver() -> None:
    """Values are those that the client's words support; a payload never sets a variable."""
    talk = await opened(get=("睡眠",))
    reply = answers(respond("多久了？"), variables={"睡眠": "睡不好"})
    _, sink = await talk.hears("最近睡不好", reply)
    assert [(each.name, each.value) for each in sink.steps[-1].variables] == [("睡眠", "睡不好")]


async def test_its_memory_stays_small() -> None:
    """Ids, counters and the round's metrics; thoughts and payloads stand in `decisions` (C22)."""
    talk = await opened()
    long = "很" * 5000
    metrics = dict.fromkeys(
        ("information_completeness", "user_engagement", "emotional_intensity"), long
    )
    await talk.hears("怎么办", answers(thought(long), metrics=metrics), answers(respond("好。")))
    assert talk.instance is not None
    kept = json.dumps(dict(talk.instance.memory), ensure_ascii=False)
    assert len(kept.encode()) <= 2048


async def test_a_question_in_its_last_round_is_a_closing_line() -> None:
    """Nobody would hear the answer."""
    talk = await opened(max_rounds=1)
    end, sink = await talk.hears("睡不好", answers(ask_back("多久了？"), intent="unknown"))
    assert (end.outcome, sink.texts()) == (Outcome.SESSION_COMPLETED, [AGENT_CLOSING])
    assert talk.states()[-1] == ("request_clarification", DecisionState.DONE)


async def test_signals_are_found_where_its_round_ends() -> None:
    """The client's words of the first step are those that the last step answers."""
    talk = await opened()
    await talk.hears("我昨天和妈妈大吵了一架，心里特别乱", answers(respond("听起来很难受。")))
    await talk.hears("她说我从来不听她说话", answers(respond("你当时怎么想的？")))
    _, sink = await talk.hears("嗯", answers(thought()), answers(respond("后来怎么样了？")))
    result = sink.steps[-1].result
    assert result is not None
    assert "shorter_answer" in str(result.metadata.get("signals"))
