"""The output guard: what a model may not say in a watched session, whole and on the stream."""

from __future__ import annotations

import itertools
import re
import time
import timeit
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartrule.safety.guard import OutputGuard, guarded
from heartrule.safety.safety_texts import load_safety_texts
from tests.support.watched_replies import forbidden_in, watched_replies

TEXTS = load_safety_texts(Path(__file__).parents[3] / "_system" / "safety")
RULES = TEXTS.guard
LINES = TEXTS.messages_for("en").lines


def out(text: str) -> str:
    """Return a text as it leaves."""
    return guarded(text, RULES, LINES)


@pytest.mark.parametrize(
    "text",
    [
        "Call 988 or 911 now. Someone will answer.",
        "请拨打12356，或者120、110。",
        "Dial nine eight eight.",
        "On a scale of 0-10, how strong is it? Reach for a number.",
        "Let's count: one, two, three, four, five. Breathe out: five, four, three, two, one.",
        "一二三四五，慢慢呼气。",
        "你满分一百分里打八分。",
        "It took 24 hours, e.g. a day. That is 3.5 times more.",
        "你好\n\n我在听。今天有15分钟？",
        "",
    ],
)
def test_plain_texts_stay(text: str) -> None:
    """What names no unknown number, link, promise or goodbye leaves as it is."""
    assert out(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "Call 1-800-273-8255 now.",
        "Call (800) 273 8255.",
        "Call 800. 273. 8255.",
        "Call 999.",
        "Call 9 9 9.",
        "Call nine nine nine.",
        "Text HOME to 741741.",
        "Call 800-SUICIDE.",
        "请拨打 400-161-9995。",
        "打9\u200b9\u200b9",
        "请拨打４００１６１９９９５",
        "热线是四〇〇一六一九九九五",
        "拨打⑨⑨⑨",
        "call ٩٩٩",
        "call 9️⃣9️⃣9️⃣",
        "988 555 1234",
    ],
)
def test_unknown_numbers_are_cut(text: str) -> None:
    """A phone number that no resource table has is cut, however it is written."""
    left = re.sub("988", "", out(text))
    assert re.findall(r"[\d⑨]", left) == []
    assert re.findall("nine|四〇", left) == []


@pytest.mark.parametrize(
    "text",
    [
        "See https://help.example/chat?x=1 now",
        "See www.example.org.",
        "See example.org/help, please",
        "Write to someone@example.org",
        "看看 example.com。",
        "see exam\u200bple.com",
    ],
)
def test_unknown_links_are_cut(text: str) -> None:
    """A link or address that no resource table has is cut."""
    assert "example" not in out(text)


@pytest.mark.parametrize(
    "text",
    [
        "Promise me that you will stay alive.",
        "Can you promise not to hurt yourself?",
        "I need you to promise me you won't do it",
        "答应我，不要做傻事。",
        "你能向我保证今晚不伤害自己吗？",
        "請你答應我好好活下去。",
    ],
)
def test_promises(text: str) -> None:
    """A sentence that demands a promise is replaced by a fixed line."""
    assert out(f"I hear you. {text}\nI am here.") == f"I hear you. {LINES.promise}\nI am here."


@pytest.mark.parametrize(
    "text",
    [
        "Goodbye!",
        "Take care, bye for now.",
        "祝你接下来的一天顺顺利利",
        "再见。",
        "我們下次見！",
        "Good night.",
    ],
)
def test_goodbyes(text: str) -> None:
    """A goodbye is replaced by a fixed line."""
    assert out(text) == LINES.goodbye


def test_a_line_stands_once() -> None:
    """Several sentences of one kind leave one line."""
    assert out("Goodbye. See you. Good night. I am here.") == f"{LINES.goodbye} I am here."


def test_whole_sentences_leave_at_once() -> None:
    """A sentence leaves as soon as the next one begins, not at the text's end."""
    guard = OutputGuard(RULES, LINES)
    assert guard.feed("I hear you. How") == "I hear you. "
    assert guard.feed(" are you?") == ""
    assert guard.finish() == "How are you?"


@given(watched_replies, st.lists(st.integers(0, 200), max_size=8))
def test_the_stream_leaves_as_the_whole(text: str, cuts: list[int]) -> None:
    """In whatever pieces a text comes, what leaves is the same, and nothing is taken back."""
    guard, left = OutputGuard(RULES, LINES), ""
    places = sorted({0, *(min(cut, len(text)) for cut in cuts), len(text)})
    for start, end in itertools.pairwise(places):
        left += guard.feed(text[start:end])
    assert left + guard.finish() == out(text)


@given(watched_replies)
def test_nothing_forbidden_leaves(text: str) -> None:
    """No long unknown number, no link, no promise and no goodbye leaves."""
    assert forbidden_in(out(text), RULES, own=LINES.promise) == ""


@given(watched_replies)
def test_guarding_twice_changes_nothing(text: str) -> None:
    """What has left would leave again as it is."""
    once = out(text)
    assert out(once) == once


@pytest.mark.parametrize(
    "piece", ["a", "1 ", "一", "a.", "a@", "http:", "九", "保证不", "。”", "-9"]
)
def test_linear(piece: str) -> None:
    """Four times the text of the worst kind takes at most about four times as long."""

    def taken(characters: int) -> float:
        text = piece * (characters // len(piece))
        return min(timeit.repeat(lambda: out(text), time.thread_time, repeat=5, number=1))

    assert taken(20_000) < 10 * taken(5_000)
