"""One call that speaks with the client: read, or said as it is, or a neutral line instead."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from executor_service.actions.prompting import Brief
from executor_service.actions.talk import Talk, talk
from executor_service.scripts.model.fields import Output
from heartrule.domain.conversation import Completeness
from heartrule.domain.errors import ModelStreamCut
from heartrule.model.reply.contract import ASK_METRICS
from tests.support.engine_builders import ask, reasons, round_context
from tests.support.fake_model import FakeModel, Reply, ask_reply
from tests.support.written_templates import CLOSING, REASK, TEXTS, written_templates

BRIEF = Brief(
    task="问称呼",
    own_text="怎么称呼你",
    max_rounds=3,
    metrics=ASK_METRICS,
    outputs=(Output(get="称呼"),),
)


async def talked(
    *replies: Reply | str, said: str | None = "小明", last_round: bool = False, **changes: Any
) -> Talk:
    """Let the model answer what the client said."""
    round_ = BRIEF.max_rounds if last_round else None
    context = round_context(ask(), FakeModel(replies), reply=said, round_=round_, **changes)
    return await talk(context, BRIEF)


async def test_a_readable_reply_is_said_as_its_content() -> None:
    """Content is what the client hears; the reply goes on to be judged."""
    one = await talked(ask_reply("你好小明。"))
    assert one.message.text == "你好小明。"
    assert one.made.reply is not None
    assert one.degradations == ()


async def test_prose_is_said_as_it_is() -> None:
    """A model that forgot the form but spoke plainly is quoted, not judged (C4)."""
    one = await talked("你愿意多说一点吗")
    assert (one.message.text, one.made.reply) == ("你愿意多说一点吗", None)
    assert one.degradations[0].metadata == {"said": "PROSE"}


async def test_a_refusal_becomes_the_neutral_line() -> None:
    """A model's apology for itself is no word of a counsellor, and is counted apart."""
    one = await talked("抱歉，我无法协助完成这个请求。")
    assert (one.message.text, one.degradations[0].metadata) == (REASK, {"said": "REFUSAL"})


PAGE = "<html><head><title>502 Bad Gateway</title></head></html>"
COPIED = "这一轮要说的话"


@pytest.mark.parametrize(
    "raw",
    [
        *("", '{"EXIT":"NO",', "```json\n{}", '{"content":""}', "{}"),
        *("[1,2]", "42", "null", " true", PAGE, COPIED),
    ],
)
@pytest.mark.parametrize(("last_round", "line"), [(False, REASK), (True, CLOSING)])
async def test_anything_else_becomes_the_neutral_line_of_its_round(
    raw: str,
    line: str,
    *,
    last_round: bool,
) -> None:
    """The template's re-ask, or its closing line in the last round; nothing broken is shown."""
    one = await talked(raw, last_round=last_round)
    assert (one.message.text, one.made.reply) == (line, None)


@pytest.mark.parametrize("copied", [COPIED, "…"])
async def test_a_reply_whose_text_is_the_templates_is_read_for_all_else(copied: str) -> None:
    """What the client has said is kept, and asked for no second time; no text of it is sent."""
    one = await talked(ask_reply(copied, variables={"称呼": "小明"}))
    assert one.message.text == REASK
    assert one.effective_reply.variables == {"称呼": "小明"}
    assert reasons(one.degradations) == ["REPLY_WARNINGS"]


@pytest.mark.parametrize("raw", ["", "[1,2]", PAGE, COPIED, "作为一个AI，我不能这样说。"])
async def test_a_broken_opening_says_the_actions_content(raw: str) -> None:
    """Nothing was asked yet, so the action's own content stands in, not the re-ask."""
    one = await talked(raw, said=None)
    assert (one.message.text, one.made.reply) == ("怎么称呼你", None)
    assert reasons(one.degradations) == ["UNREADABLE_REPLY"]


async def test_a_broken_opening_never_says_the_task() -> None:
    """An action without text of its own for the client says the neutral line: tasks are prompts."""
    context = round_context(ask(), FakeModel(["{"]), reply=None)
    one = await talk(context, replace(BRIEF, own_text=""))
    assert one.message.text == REASK


async def test_a_template_without_an_opening_opens_with_its_turn() -> None:
    """The last message of the prompt is never empty."""
    head, _, rest = TEXTS["ai_ask"].partition("<!-- section: opening -->")
    own = head + "<!-- section: turn -->" + rest.partition("<!-- section: turn -->")[2]
    model = FakeModel([ask_reply("你好。")])
    templates = written_templates({("one", "ai_ask"): own})
    context = round_context(ask(), model, reply=None, scheme="one", templates=templates)
    await talk(context, BRIEF)
    assert "任务：问称呼" in model.last_prompt()


async def test_text_already_shown_stays() -> None:
    """Where the content was streamed and the rest is unreadable, the client keeps what it read."""
    one = await talked('{"EXIT":"NO","content":"我听到了。","BRIEF":坏')
    assert (one.message.text, one.made.reply) == ("我听到了。", None)
    assert one.degradations[0].metadata == {"said": "STREAMED"}


async def test_a_failed_parse_tells_how_it_was_tried() -> None:
    """Metadata and the call's record name the strategies and the last error (C3)."""
    one = await talked('{"EXIT":')
    assert one.metadata["parseRetryCount"] == 3
    assert one.metadata["parseError"] is True
    assert one.made.diagnosis.parse_error is not None
    assert one.made.diagnosis.parse_error.raw_response == '{"EXIT":'


async def test_a_repaired_reply_is_a_degradation_with_its_repairs() -> None:
    """A comma too many is mended, said, and told."""
    one = await talked(ask_reply("好。")[:-1] + ",}")
    assert one.made.reply is not None
    assert [(d.reason, dict(d.metadata)) for d in one.degradations] == [
        ("REPAIRED_REPLY", {"repairs": "trailing_comma"})
    ]


async def test_an_odd_field_is_a_warning() -> None:
    """What had to be defaulted is told; the talk goes on."""
    one = await talked(ask_reply("好。", progress_suggestion="随便"))
    assert reasons(one.degradations) == ["REPLY_WARNINGS"]


async def test_a_cut_reply_is_kept_and_never_judged() -> None:
    """A stream cut after a sentence is a truncated message; its fields are not trusted."""
    cut = ModelStreamCut("cut", reason="MODEL_STREAM_CUT")
    one = await talked(Reply(('{"EXIT":"YES","content":"我听到了。然后', "呢"), fails=cut))
    assert one.message.completeness is Completeness.TRUNCATED
    assert one.made.reply is None
    assert [(d.reason, dict(d.metadata)) for d in one.degradations] == [
        ("STREAM_CUT", {"cause": "MODEL_STREAM_CUT"})
    ]


async def test_a_reply_that_looks_whole_is_not_trusted_after_a_cut() -> None:
    """The stream broke off: what stands there decides nothing, however well it can be read."""
    cut = ModelStreamCut("cut", reason="MODEL_STREAM_CUT")
    one = await talked(Reply((ask_reply("谢谢。", exit_="YES"),), fails=cut))
    assert (one.message.text, one.made.reply) == ("谢谢。", None)


async def test_a_cut_behind_the_text_is_a_whole_message() -> None:
    """The client has read everything: only the judgement is missing."""
    cut = ModelStreamCut("cut", reason="MODEL_STREAM_CUT")
    one = await talked(Reply(('{"EXIT":"YES","content":"好的', '","BRIEF":"说'), fails=cut))
    assert (one.message.completeness, one.made.reply) == (Completeness.COMPLETE, None)


async def test_a_scheme_without_the_file_falls_back_and_says_so() -> None:
    """The default template answers, and the absence is recorded."""
    one = await talked(ask_reply("好。"), scheme="cbt")
    assert [(d.reason, dict(d.metadata)) for d in one.degradations] == [
        ("SCHEME_FILE_ABSENT", {"scheme": "cbt", "template": "ai_ask"})
    ]


async def test_a_schemes_own_file_is_no_degradation() -> None:
    """The scheme's template wins where it exists."""
    own = TEXTS["ai_ask"].replace(REASK, "换个说法？")
    templates = written_templates({("cbt", "ai_ask"): own})
    one = await talked("{", scheme="cbt", templates=templates)
    assert one.message.text == "换个说法？"
    assert reasons(one.degradations) == ["UNREADABLE_REPLY"]


async def test_a_sentence_said_before_is_noticed() -> None:
    """Equal but for spaces and punctuation counts as repeated (C37)."""
    again = ask_reply("还有呢？")
    one = await talked(again, again, recent_texts=("还有呢",))
    assert one.repeated
    assert one.metadata["repeated_content"] is True


async def test_a_neutral_line_said_twice_is_no_repetition_of_the_models() -> None:
    """The template's own words are not held against the model."""
    assert not (await talked('{"EXIT":', recent_texts=(REASK,))).repeated


async def test_placeholders_nothing_fills_are_told() -> None:
    """They are left empty, and one degradation names them all."""
    context = round_context(ask(), FakeModel([ask_reply("好。")]), reply="小明")
    brief = Brief(task="", missing=("甲", "乙", "甲"))
    one = await talk(context, brief)
    assert [(d.reason, dict(d.metadata)) for d in one.degradations] == [
        ("PLACEHOLDER_EMPTY", {"placeholders": "甲,乙"})
    ]
