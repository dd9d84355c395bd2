"""A model's stream shown as drafts, and what is kept of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from executor_service.actions.outgoing.outgoing_text import OutgoingRules
from executor_service.actions.outgoing.same_text import EarlierTexts
from executor_service.actions.reply_streamer import StreamedReply
from heartrule.domain.errors import ModelStreamCut, ModelUnavailable
from heartrule.domain.model_call import LLMDebugInfo, ParseDiagnosis, Purpose
from heartrule.model.ports import ChatMessage, ChatRequest, ModelRestarted
from heartrule.model.reply.contract import talk_contract
from tests.support.engine_builders import RecordingSink, reply_streamer
from tests.support.fake_model import FakeModel, Reply, ask_reply, whole

REQUEST = ChatRequest(
    purpose=Purpose.TALK,
    messages=(ChatMessage(role="user", content="问"),),
    prompt_type="ai_ask_v1",
    template_hash="0",
)
CONTRACT = talk_contract(metrics=())
CUT = ModelStreamCut("cut", reason="MODEL_STREAM_CUT")


class RestartingModel(FakeModel):
    """Begins a reply, then replaces it by a fresh call."""

    def __init__(self, lost: str, *replies: Reply | str) -> None:
        super().__init__(replies)
        self.lost = lost

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str | ModelRestarted]:
        """Yield the lost beginning before the answer."""
        yield self.lost
        assert not visible()
        yield ModelRestarted()
        async for piece in super().stream(request, calls=calls, visible=visible):
            yield piece


async def streamed_by(model: FakeModel) -> tuple[StreamedReply, RecordingSink]:
    """Speak one reply."""
    sink = RecordingSink()
    return await reply_streamer(model, sink).stream_reply(REQUEST, CONTRACT), sink


async def test_the_content_is_shown_as_it_is_written() -> None:
    """Drafts joined are the content, each at the place where the one before ended."""
    streamed, sink = await streamed_by(FakeModel([whole(ask_reply("你好，小明。"), chunk=3)]))
    assert sink.drafted() == streamed.said.text == "你好，小明。"
    offsets = [(draft.at.offset, len(draft.text)) for draft in sink.drafts]
    assert [start for start, _ in offsets] == [
        sum(length for _, length in offsets[:n]) for n in range(len(offsets))
    ]


async def test_no_other_field_is_shown() -> None:
    """Not a byte of exit, metrics or variables reaches the client."""
    _, sink = await streamed_by(FakeModel([ask_reply("好", BRIEF="秘密", variables={"x": "秘密"})]))
    assert sink.drafted() == "好"


async def test_the_end_of_the_text_is_told_once() -> None:
    """The reader may answer while the rest of the reply is still being written."""
    _, sink = await streamed_by(FakeModel([whole(ask_reply("好。"), chunk=1)]))
    ends = [draft.text_complete for draft in sink.drafts]
    assert (ends.count(True), ends[-1]) == (1, True)


async def test_a_reply_without_text_tells_no_end() -> None:
    """Where nothing was shown there is no draft to complete."""
    _, sink = await streamed_by(FakeModel(['{"EXIT":"NO","content":"","BRIEF":"无"}']))
    assert sink.drafts == []


async def test_drafts_bear_the_id_of_the_message_to_come() -> None:
    """The committed message replaces the drafts of its id."""
    streamed, sink = await streamed_by(FakeModel([ask_reply("好。")]))
    assert {draft.at.message_id for draft in sink.drafts} == {streamed.message_id}


async def test_a_restart_before_visible_text_forgets_what_came() -> None:
    """The fresh call's reply is the only one that counts."""
    streamed, sink = await streamed_by(
        RestartingModel('{"EXIT":"YES","BRIEF":"旧', ask_reply("新的。"))
    )
    assert streamed.raw == ask_reply("新的。")
    assert sink.drafted() == "新的。"


async def test_a_cut_after_a_sentence_is_kept() -> None:
    """All that was shown is an streamed, and the reason of the cut goes with it."""
    reply = Reply(('{"EXIT":"NO","content":"我听到了。那么', "接下来"), fails=CUT)
    streamed, _ = await streamed_by(FakeModel([reply]))
    assert (streamed.said.text, streamed.cut) == ("我听到了。那么接下来", "MODEL_STREAM_CUT")
    assert not streamed.whole


async def test_a_cut_behind_the_text_leaves_it_whole() -> None:
    """Only what follows the content is missing; the client has read everything."""
    reply = Reply(('{"EXIT":"NO","content":"好的', '","BRIEF":"没'), fails=CUT)
    streamed, _ = await streamed_by(FakeModel([reply]))
    assert (streamed.said.text, streamed.whole) == ("好的", True)


@pytest.mark.parametrize("shown", ["我听", ""])
async def test_a_cut_within_the_first_sentence_fails_the_turn(shown: str) -> None:
    """Less than a sentence is no utterance: the turn takes it back and may be repeated."""
    reply = Reply(('{"EXIT":"NO","content":"' + shown,), fails=CUT)
    with pytest.raises(ModelStreamCut):
        await streamed_by(FakeModel([reply]))


NO_RULES = OutgoingRules()


async def late(
    *pieces: str, rules: OutgoingRules = NO_RULES
) -> tuple[StreamedReply, RecordingSink]:
    """Speak a reply whose last piece never comes, in a turn that has no time left."""
    sink = RecordingSink(reply_deadline=asyncio.get_running_loop().time())
    model = FakeModel([Reply(pieces, gate=asyncio.Event())])
    async with asyncio.timeout(0.2):
        return await reply_streamer(model, sink).stream_reply(REQUEST, CONTRACT, rules), sink


async def test_a_reply_that_waits_for_its_checks_is_kept_when_the_turns_time_is_up() -> None:
    """It began like an earlier message, and is not equal to it."""
    rules = OutgoingRules(earlier=EarlierTexts(said=("好的。我听到了，请慢慢说。",)))
    streamed, _ = await late('{"EXIT":"NO","content":"好的。我听', "…", rules=rules)
    assert (streamed.said.text, streamed.cut) == ("好的。我听", "TURN_TIMEOUT")


@pytest.mark.parametrize("came", ["我听到了。那么", "I hear you. So", '好的","BRIEF":"'])
async def test_a_reply_that_stalls_is_kept_when_the_turns_time_is_up(came: str) -> None:
    """A sentence on the screen, or the whole text, is not taken back for what did not follow."""
    streamed, sink = await late('{"EXIT":"NO","content":"' + came, "…")
    text, behind, _ = came.partition('"')
    assert (streamed.said.text, streamed.cut) == (text, "TURN_TIMEOUT")
    assert (sink.drafted(), streamed.whole) == (text, bool(behind))


@pytest.mark.parametrize("shown", ["", "我听", "大约 3."])
async def test_less_than_a_sentence_is_waited_for(shown: str) -> None:
    """What cannot stand as it is has the whole of the turn's time."""
    with pytest.raises(TimeoutError):
        await late('{"content":"' + shown, "…")


async def test_a_decimal_point_ends_no_sentence() -> None:
    """3.5 is a number, not the end of one."""
    reply = Reply(('{"content":"大约 3.5 小时',), fails=CUT)
    with pytest.raises(ModelStreamCut):
        await streamed_by(FakeModel([reply]))


async def test_a_model_that_is_down_leaves_its_call_in_the_record() -> None:
    """Failed calls are in the ledger too."""
    sink = RecordingSink()
    down = ModelUnavailable("down", reason="MODEL_UNAVAILABLE")
    with pytest.raises(ModelUnavailable):
        await reply_streamer(FakeModel([Reply((), fails=down)]), sink).stream_reply(
            REQUEST, CONTRACT
        )
    assert [call.error for call in sink.calls] == ["MODEL_UNAVAILABLE"]


async def test_thinking_shows_nothing() -> None:
    """An inner step gets the whole reply; the client sees no draft of it."""
    sink = RecordingSink()
    raw = await reply_streamer(RestartingModel('{"old', '{"variables":{}}'), sink).whole_reply(
        REQUEST
    )
    assert (raw, sink.drafts) == ('{"variables":{}}', [])


async def test_how_a_reply_was_read_is_noted_with_its_call() -> None:
    """The diagnosis stands in the record of the call that answered."""
    sink = RecordingSink()
    streamer = reply_streamer(FakeModel([ask_reply("好")]), sink)
    await streamer.stream_reply(REQUEST, CONTRACT)
    streamer.note_parse(ParseDiagnosis(strategy="direct_parse", retry_count=1))
    assert sink.calls[-1].parse == ParseDiagnosis(strategy="direct_parse", retry_count=1)


def test_without_a_call_there_is_nothing_to_note() -> None:
    """A diagnosis without a call is dropped."""
    sink = RecordingSink()
    reply_streamer(FakeModel(), sink).note_parse(ParseDiagnosis())
    assert sink.calls == []
