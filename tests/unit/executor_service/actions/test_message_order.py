"""The order of a prompt's messages."""

from __future__ import annotations

from executor_service.actions.message_order import alternating, unanswered
from heartrule.model.ports import ChatMessage


def said(text: str, *, pinned: bool = False) -> ChatMessage:
    """Return words of the client."""
    return ChatMessage(role="user", content=text, pinned=pinned)


ANSWER = ChatMessage(role="assistant", content="嗯")


def test_words_that_nothing_answered() -> None:
    """The client's last words leave the history, all of them; a pinned text stays."""
    assert unanswered([ANSWER, said("好"), said("走吧")]) == ((ANSWER,), "好\n走吧")
    assert unanswered([said("好"), ANSWER]) == ((said("好"), ANSWER), "")
    assert unanswered([said("摘要", pinned=True)]) == ((said("摘要", pinned=True),), "")


def test_neighbours_of_one_role_are_joined() -> None:
    """The client's words in the last message are quoted, and may give way."""
    messages, quotation = alternating([ANSWER, said("好"), said("任务")])
    assert [each.content for each in messages] == ["嗯", "> 好\n任务"]
    assert [each.text for each in quotation] == ["> 好"]
