"""What the terminal says of a call that an executor refused, in the language of its reader."""

from __future__ import annotations

import pytest
from grpc import aio

from heartrule.domain.errors import HeartRuleError, NotFound, SessionFinished, StoreUnavailable
from heartrule.words.language import ReaderLanguage
from heartrule_cli.call_failures import failure_of
from heartrule_cli.failure import Failure
from tests.support.doors import ended_with

NOTHING = aio.Metadata()


@pytest.mark.parametrize(
    ("error", "english", "chinese"),
    [
        (NotFound("session", "s1"), "session 's1' was not found", "没有找到会话 s1"),
        (NotFound("session", "\x1b[2J"), "session '[2J' was not found", "没有找到会话 [2J"),
        (SessionFinished("over", reason="OF_A_LATER_RELEASE"), "over", "over"),
        (
            StoreUnavailable("the database does not answer", reason="STORE_UNAVAILABLE"),
            "the database does not answer; please try again soon",
            "数据库没有应答，请稍后重试",
        ),
    ],
)
def test_a_refusal_is_told_by_its_reason(error: HeartRuleError, english: str, chinese: str) -> None:
    """A reason that the catalogues do not know keeps the server's own words; none steers."""
    failure = failure_of(ended_with(error), "127.0.0.1:1")
    assert english in failure.told(ReaderLanguage.ENGLISH)
    assert chinese in failure.told(ReaderLanguage.CHINESE)


def test_an_executor_that_answers_is_not_called_unreachable() -> None:
    """Nobody is told to start the service whose database is down."""
    down = StoreUnavailable("the database does not answer", reason="STORE_UNAVAILABLE")
    failure = failure_of(ended_with(down), "127.0.0.1:1")
    assert (type(failure), failure.hint) == (Failure, "")
