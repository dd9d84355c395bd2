"""The conversation as a prompt needs it."""

from __future__ import annotations

from executor_service.engine.running_turn import Transcript
from tests.support.engine_builders import answered, told


def lines(transcript: Transcript) -> list[tuple[str, str]]:
    """Return role and text of each message."""
    return [(message.role, message.content) for message in transcript.messages()]


def test_committed_messages_keep_their_order_and_roles() -> None:
    """The client is `user`, everybody who answers is `assistant`."""
    transcript = Transcript([told("你好"), answered("我是小明")])
    assert lines(transcript) == [("assistant", "你好"), ("user", "我是小明")]


def test_roles_alternate() -> None:
    """Neighbours of one role are joined on lines of their own: some servers refuse two."""
    transcript = Transcript([told("一"), told("二"), answered("三"), answered("四")])
    assert lines(transcript) == [("assistant", "一\n二"), ("user", "三\n四")]


def test_a_turn_adds_what_it_hears_and_says() -> None:
    """The next action of the turn finds the reply and the answer in its history."""
    transcript = Transcript([told("一")])
    transcript.add_client("二")
    transcript.add_assistant("三")
    assert [role for role, _ in lines(transcript)] == ["assistant", "user", "assistant"]


def test_the_latest_messages_are_kept_apart() -> None:
    """Repetition is looked for message by message, though the prompt has them joined."""
    transcript = Transcript([told(text) for text in ("一", "二", "三", "四")])
    assert transcript.recent_texts() == ("二", "三", "四")
