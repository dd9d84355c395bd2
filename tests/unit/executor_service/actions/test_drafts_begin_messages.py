"""What a client has read of a message stays: every draft is a beginning of the message sent."""

from __future__ import annotations

import asyncio
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from executor_service.actions.outgoing.known_question import AskedOutput, AskedOutputs
from executor_service.actions.outgoing.outgoing_texts import OutgoingTable, OutgoingTexts
from executor_service.actions.outgoing_rules import Outlook
from executor_service.actions.prompting import Brief
from executor_service.actions.reply_streamer import ReplyStreamer
from executor_service.actions.talk import Talk, talk
from executor_service.scripts.model.fields import Output
from heartrule.model.ports import ChatMessage
from heartrule.model.reply.typed_replies import TalkReply
from tests.support.engine_builders import (
    RecordingSink,
    ask,
    counting_ids,
    reasons,
    round_context,
)
from tests.support.fake_model import FakeModel, ask_reply, whole

TEXTS = OutgoingTexts(
    what_it_is="我是一个程序。", other_words=("换个说法：{question}",), closings=("先这样。",)
)
BRIEF = Brief(
    task="问近况",
    own_text="最近怎么样？",
    outputs=(Output(get="心情低落"), Output(get="睡得怎么样")),
    asked=AskedOutputs(
        outputs=(
            AskedOutput(name="心情低落", label="心情低落"),
            AskedOutput(name="睡得怎么样", label="睡得怎么样", question="睡得怎么样"),
        ),
        held={"心情低落": "是"},
    ),
    max_rounds=3,
)
SAID, CLIENT = "谢谢你。", "你是人还是机器？"
LONG = (
    "谢谢你愿意和我说这些，这真的需要很大的勇气。我们可以一步一步来，不用着急。睡得怎么样？白天呢？"
)
TEXT = st.lists(
    st.sampled_from(
        [
            *("好的，", SAID, "心情低落有多久？", "睡得怎么样？", "我在听。", CLIENT, "\n"),
            *("我是真人。", "我叫小鱼，", "I see. ", "How long?", "嗯", "…", LONG),
        ]
    ),
    max_size=5,
).map("".join)
REPLY = st.builds(ask_reply, TEXT, exit_=st.sampled_from(["YES", "NO"])) | TEXT


def talked(
    replies: tuple[str, str], *, size: int = 5, says: str = CLIENT
) -> tuple[Talk, list[str]]:
    """Return a round's talk, and what the client has read after each draft."""
    sink = RecordingSink()
    streamer = ReplyStreamer(
        model=FakeModel([whole(each, chunk=size) for each in replies]),
        sink=sink,
        new_id=counting_ids(),
        texts=OutgoingTable({"zh": TEXTS}),
    )
    history = (ChatMessage(role="assistant", content=SAID),)
    context = round_context(ask(), FakeModel(), reply=says, streamer=streamer, history=history)

    def judges(reply: TalkReply | None) -> Outlook:
        return Outlook(ends=reply is not None and reply.exit)

    one = asyncio.run(talk(context, BRIEF, judges))
    assert {draft.at.message_id for draft in sink.drafts} <= {one.message.message_id}
    return one, list(accumulate(draft.text for draft in sink.drafts))


@given(
    replies=st.tuples(REPLY, REPLY), size=st.integers(1, 40), says=st.sampled_from([CLIENT, "嗯"])
)
def test_every_draft_is_a_beginning_of_the_message(
    replies: tuple[str, str], size: int, says: str
) -> None:
    """Over late questions, echoes, repetitions, claims, known questions and prose."""
    one, shown = talked(replies, size=size, says=says)
    assert one.message.text
    assert all(one.message.text.startswith(each) for each in shown)


def test_what_is_cut_of_a_rambling_reply_is_recorded() -> None:
    """Its questions at the end, since it ends the action; from where it makes a claim, the rest."""
    late, _ = talked((ask_reply(LONG, exit_="YES"), ""), says="嗯")
    claim, _ = talked((ask_reply(f"我在听你说。慢慢来就好。我是真人。{LONG}"), ""), says="嗯")
    assert (late.made.said.late_question, reasons(late.degradations)) == (
        "睡得怎么样？白天呢？",
        ["LATE_QUESTION"],
    )
    assert claim.message.text == "我在听你说。慢慢来就好。"
    assert [dict(each.metadata) for each in claim.degradations] == [
        {"fault": "claim", "done": "cut"}
    ]
