"""ai_ask: the question is the client's, its brief the model's."""

from __future__ import annotations

from executor_service.actions.ai_ask import run_ai_ask
from tests.support.engine_builders import ask, round_context
from tests.support.fake_model import FakeModel, ask_reply

BRIEFED = ask(content="睡得怎么样，{称呼}？", brief="睡眠：时长和质量")


async def test_the_brief_is_the_task_and_the_question_its_suggestion() -> None:
    """Both are filled; the card, which the rehearsal model reads, has the question alone."""
    model = FakeModel([ask_reply("睡得好吗？")])
    await run_ai_ask(round_context(BRIEFED, model, variables={"称呼": "小明"}))
    told = model.requests[0].messages[-1].content
    assert "睡眠：时长和质量\n可以这样问：睡得怎么样，小明？" in told
    assert model.requests[0].card["task"] == "睡得怎么样，小明？"


async def test_an_unreadable_opening_says_the_question_and_never_the_brief() -> None:
    """What is for the model alone does not reach the client."""
    model = FakeModel(["{"])
    outcome = await run_ai_ask(round_context(BRIEFED, model, variables={"称呼": "小明"}))
    assert outcome.messages[0].text == "睡得怎么样，小明？"


OFFERED = ask(content="睡得怎么样？", options=("好", "不好"))


async def test_options_stand_at_each_question_and_the_model_knows_them() -> None:
    """A client without buttons reads them; a closing line, which asks nothing, has none."""
    model = FakeModel([ask_reply("睡得好吗？"), ask_reply("谢谢。", exit_="YES")])
    (asked,) = (await run_ai_ask(round_context(OFFERED, model))).messages
    assert [part.plain_text() for part in asked.parts()] == ["睡得好吗？", "（可以回答：好、不好）"]
    assert "可以点选的回答：好、不好" in model.requests[0].messages[-1].content
    (closing,) = (await run_ai_ask(round_context(OFFERED, model, reply="好"))).messages
    assert closing.options == ()
