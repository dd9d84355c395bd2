"""Signals of a judged round: each found where it stands, and not found beside it."""

from __future__ import annotations

import pytest

from executor_service.monitoring.signal_words import load_signal_words
from executor_service.monitoring.signals import RoundSeen, Signal, signals_of
from heartrule.chassis.system_files import system_dir

WORDS = load_signal_words(system_dir() / "config")


def found(reply: str, answer: str = "", **seen: object) -> dict[Signal, int]:
    """Return the signals of a round with the shipped words."""
    return signals_of(RoundSeen(reply=reply, answer=answer, **seen), WORDS)  # type: ignore[arg-type]


def test_a_quiet_round_has_no_signal() -> None:
    """A question, its answer, and the next question."""
    said = ("怎么称呼你？",)
    assert not found("叫我小明。", "小明，你好。你多大了？", said_before=said, gathered=True)


@pytest.mark.parametrize(
    "caught", [Signal.REPETITION, Signal.LATE_EXIT, Signal.UNSUPPORTED_VALUE, Signal.ECHO]
)
def test_what_the_rounds_own_checks_found_is_a_signal(caught: Signal) -> None:
    """They are not computed a second time."""
    assert found("嗯", "好的。", caught=frozenset({caught})) == {caught: 1}


def test_an_answer_is_shorter_than_each_of_the_two_before() -> None:
    """Than one of them is not enough, nor is there a signal with one message before."""
    before = ("我昨天去了公园", "那里人很多")
    assert Signal.SHORTER_ANSWER in found("还好", client_before=before)
    assert Signal.SHORTER_ANSWER not in found("那里人真的很多", client_before=before)
    assert Signal.SHORTER_ANSWER not in found("还好", client_before=before[:1])


@pytest.mark.parametrize(
    ("reply", "gathered", "seen"),
    [("今天下雨了", False, True), ("睡眠还行", False, False), ("今天下雨了", True, False)],
)
def test_a_question_is_not_answered(reply: str, *, gathered: bool, seen: bool) -> None:
    """No output changed, and the words have nothing in common with the question."""
    said = ("最近睡眠怎么样？",)
    signals = found(reply, "好。", said_before=said, gathers=True, gathered=gathered)
    assert (Signal.QUESTION_NOT_ANSWERED in signals) is seen


def test_what_asks_for_nothing_is_not_unanswered() -> None:
    """An action whose outputs are known, or one without a question."""
    assert not found("今天下雨了", said_before=("最近睡眠怎么样？",), gathers=False)
    assert not found("今天下雨了", said_before=("我们慢慢来。",), gathers=True)


def test_the_same_question_is_counted() -> None:
    """Slightly other words count as the same; another question does not."""
    said = ("你最近一周睡得怎么样？", "好的。你最近一周睡得怎么样呢？")
    assert found("嗯", "你最近一周睡得怎么样？", said_before=said)[Signal.SAME_QUESTION] == 3
    assert Signal.SAME_QUESTION not in found("嗯", "你和谁住在一起？", said_before=said)


def test_a_reply_in_neither_language_is_a_mismatch() -> None:
    """The session's language and the client's are both right; three words have none."""
    english = "How have you been sleeping lately?"
    assert Signal.LANGUAGE_MISMATCH in found("睡不好", english)
    assert Signal.LANGUAGE_MISMATCH not in found("I do not sleep well", english)
    assert Signal.LANGUAGE_MISMATCH not in found("睡不好", english, language="en")
    assert Signal.LANGUAGE_MISMATCH not in found("睡不好", "OK。")


@pytest.mark.parametrize("reply", ["为什么要问这个？", "为什么要问这个", "why do you ask"])
def test_a_client_who_asks_is_not_answered(reply: str) -> None:
    """Thanks and a new question are no answer, with a question mark or without."""
    assert Signal.CLIENT_NOT_ANSWERED in found(reply, "谢谢你。你多大了？")


@pytest.mark.parametrize(
    "answer",
    [
        "问这个是为了了解你。你多大了？",
        "年龄不同，睡眠的需要也不一样。你多大了？",
        "At another age sleep is another matter. How old are you?",
    ],
)
def test_a_statement_answers_a_client(answer: str) -> None:
    """Words of the question, or a whole statement, are taken for an answer."""
    assert Signal.CLIENT_NOT_ANSWERED not in found("为什么要问这个？", answer)


@pytest.mark.parametrize(
    ("reply", "answer", "seen"),
    [
        ("我真的撑不住了", "嗯。你多大了？", True),
        ("I feel hopeless", "Thanks. How old are you?", True),
        ("我不绝望", "嗯。你多大了？", False),
        ("我真的撑不住了", "听上去你扛了很久。", False),
    ],
)
def test_a_feeling_is_followed_by_a_question(reply: str, answer: str, *, seen: bool) -> None:
    """Denied it is none; a reply that stays with it asks nothing."""
    assert (Signal.FEELING_PASSED_OVER in found(reply, answer)) is seen


def test_a_message_of_any_length_is_looked_at_in_part() -> None:
    """A megabyte costs no more than its beginning, and is judged by that."""
    assert Signal.SHORTER_ANSWER in found("好", client_before=("长" * 1_000_000, "也长一点"))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_signal_is_described_in_both_languages(language: str) -> None:
    """What monitor, strategy and console are told; the count stands where there is one."""
    lines = WORDS.languages[language].lines
    assert set(lines) == {signal.value for signal in Signal}
    (told,) = WORDS.described({Signal.SAME_QUESTION.value: 3}, language)
    assert "3" in told


def test_another_language_is_told_in_the_first() -> None:
    """A session in German has the lines of the file's first language."""
    assert WORDS.described({"echo": 1}, "de-DE") == (WORDS.languages["zh"].lines["echo"],)
