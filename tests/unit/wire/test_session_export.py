"""An export of a session: what is read, and how a person reads it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

from google.protobuf.message import Message

from heartrule.v1 import (
    event_pb2,
    execution_pb2,
    feature_pb2,
    message_pb2,
    session_pb2,
    variable_pb2,
)
from heartrule.wire.exports.session_markdown import markdown_of, shown
from heartrule.wire.exports.session_pieces import session_pieces
from heartrule.wire.json_values import fill_value
from heartrule.words.language import ReaderLanguage


def said(turn: str, role: str, text: str) -> message_pb2.Message:
    """Return a stored message."""
    parts = [message_pb2.Part(text=text)]
    role = f"ROLE_{role}"
    return message_pb2.Message(turn_id=turn, role=role, parts=parts, message_id=text)


def named(name: str, value: Any, *, archived: bool = False) -> variable_pb2.VariableValue:
    """Return a variable."""
    made = variable_pb2.VariableValue(name=name, archived=archived)
    fill_value(value, made.value)
    return made


class Executor:
    """A session of two turns; its messages come on two pages, its stream never ends by itself."""

    async def ask(self, request: Message, answer: type[Any]) -> Any:
        """Return what a call answers."""
        match request:
            case session_pb2.GetSessionRequest():
                status = execution_pb2.EXECUTION_STATUS_WAITING_INPUT
                labels, notes = {"study": "autumn"}, {"t1": "停*得*好", "t9": "没有话"}
                session = session_pb2.Session(
                    session_id="ses_1", title="问候", status=status, labels=labels
                )
                if request.with_notes:
                    session.notes.update(notes)
                return answer(session=session)
            case session_pb2.GetExecutionStateRequest():
                return answer(state=execution_pb2.ExecutionState(sequence=2))
            case session_pb2.ListVariablesRequest():
                old = named("称呼", "旧的", archived=True)
                return answer(variables=[old, named("称呼", "小林"), named("次数", 3)])
            case session_pb2.ListMessagesRequest(page_token=""):
                opening = said("t0", "ASSISTANT", "你好。\n# 一")
                return answer(messages=[opening], next_page_token="1")
        return answer(
            messages=[said("t1", "CLIENT", "叫我*小林*"), said("t1", "ASSISTANT", "好的")]
        )

    def __init__(self) -> None:
        """Nobody has watched yet."""
        self.watched: list[Any] = []

    async def stream(self, request: Message) -> AsyncGenerator[event_pb2.SessionEvent]:
        """Yield a transient event, those of the session, and one that came later."""
        self.watched.append(request)
        for sequence in (0, 1, 2, 3):
            yield event_pb2.SessionEvent(sequence=sequence)


class Pruned(Executor):
    """A session whose last events were deleted by their age."""

    async def stream(self, request: Message) -> AsyncGenerator[event_pb2.SessionEvent]:
        """Yield what is left, then heartbeats."""
        yield event_pb2.SessionEvent(sequence=1)
        while True:
            yield event_pb2.SessionEvent(heartbeat=event_pb2.Heartbeat())


async def test_the_pieces_are_all_pages_and_the_durable_events() -> None:
    """In a fixed order; events end where the session stood."""
    pieces = [each async for each in session_pieces(Executor(), "ses_1")]
    assert [each.section for each in pieces] == [
        "session", "state", *["variables"] * 3, *["messages"] * 3, *["events"] * 2,
    ]  # fmt: skip


async def test_a_transcript_is_read_in_the_readers_language() -> None:
    """Turns are counted from the opening; a value that lives comes before an archived one."""
    pieces = session_pieces(Executor(), "ses_1")
    text = "".join([each async for each in markdown_of(pieces, ReaderLanguage.CHINESE)])
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert headings == ["# 问候", "## 开场", "## 第 1 回合", "## 了解到的内容"]
    assert "- 状态: 等待来访者" in text
    assert "- 标签: study: autumn" in text
    assert "> 你好。\n> \\# 一" in text
    assert "## 第 1 回合\n\n**批注**\n\n停\\*得\\*好\n\n**来访者**" in text
    assert "\n**批注**\n\n没有话\n\n## 了解到的内容" in text
    assert text.endswith("- 称呼: 小林\n- 次数: 3\n")


def test_a_text_formats_nothing() -> None:
    """Marks of Markdown and HTML are shown as they were written."""
    assert shown("# <b>*a* [x](y) `c`") == "\\# \\<b\\>\\*a\\* \\[x\\](y) \\`c\\`"
    assert shown("1. one\n- two\n3 mal") == "1\\. one\n\\- two\n3 mal"


def test_a_text_of_line_breaks_is_shown_as_fast_as_another() -> None:
    """A quarter of a million of them take no quadratic time, which would be minutes."""
    assert shown("\n" * 250_000 + "a") == "\n" * 250_000 + "a"


async def test_an_export_ends_where_old_events_were_deleted() -> None:
    """A heartbeat says that there is nothing more to read."""
    pieces = [each.section async for each in session_pieces(Pruned(), "ses_1")]
    assert pieces.count("events") == 1


async def test_forms_are_exported_as_they_were_asked() -> None:
    """A reader of an export accepts every feature that there is."""
    executor = Executor()
    async for _ in session_pieces(executor, "ses_1"):
        pass
    features = set(feature_pb2.Feature.values()) - {feature_pb2.FEATURE_UNSPECIFIED}
    assert set(executor.watched[0].accepts) == features
