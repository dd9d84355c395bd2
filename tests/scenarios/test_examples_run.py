"""Every example runs to its end: the rehearsal model speaks, a client answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from heartrule.domain.events import MessageCommitted, Outcome, SessionEvent, TurnEnded
from heartrule_cli.rehearsal.doubles import RehearsalModel
from tests.support.harness import harness_of
from tests.support.scenes import script_under_test

FOLDER = Path(__file__).parents[2] / "_system" / "scripts"
NAMES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
MOST_TURNS = 30


async def talk(name: str, *answers: str) -> str:
    """Run an example to its end and return what was said; after the answers comes 好的."""
    text = (FOLDER / f"{name}.yaml").read_text("utf-8")
    harness = harness_of(RehearsalModel())
    await harness.create_session(
        script_under_test(text.replace("assets/slow_breathing.png", "https://example.org/a.png"))
    )
    events = await harness.initialize()
    for turn in range(MOST_TURNS):
        if outcome(events) is Outcome.SESSION_COMPLETED:
            return spoken(events)
        words = answers[turn] if turn < len(answers) else "好的"
        events += await harness.send(f"m{turn}", words)
    raise AssertionError(f"{name} goes on after {MOST_TURNS} turns:\n{spoken(events)}")


def outcome(events: list[SessionEvent]) -> Outcome:
    """Return how the last turn ended."""
    return [event.body.outcome for event in events if isinstance(event.body, TurnEnded)][-1]


def spoken(events: list[SessionEvent]) -> str:
    """Return all messages, one a line."""
    said = [event.body.message for event in events if isinstance(event.body, MessageCommitted)]
    return "\n".join(message.plain_text() for message in said)


@pytest.mark.parametrize("name", NAMES)
async def test_an_example_comes_to_its_end(name: str) -> None:
    """Even with a client who says little; no placeholder is left in what is said."""
    said = await talk(name)
    assert "{" not in said


async def test_a_calm_day_needs_no_thought_record() -> None:
    """The score of the form decides about the second phase."""
    said = await talk("mood_homework", "平静", "1", "在家看书")
    assert "值得记下来：在家看书" in said
    assert "那句话是什么" not in said


async def test_a_bad_day_leads_through_the_thought_record() -> None:
    """The technique gets the situation of the form, and hands a number out."""
    answers = (
        "难过",
        "8",
        "和朋友吵架",
        "他不在乎我",
        "90",
        "没回消息",
        "他陪过我",
        "我想他在忙",
        "40",
    )
    said = await talk("mood_homework", *answers)
    assert "回到那个时刻：和朋友吵架" in said
    assert "我们把刚才找到的说法再读一遍：我想他在忙" in said
    assert "从 90 变成了 40" in said


async def test_who_does_not_want_to_practise_is_let_go() -> None:
    """The condition of the phase reads the answer."""
    assert "三次" not in await talk("calm_down", "工作", "不愿意")


async def test_a_practice_that_helps_is_told_in_numbers() -> None:
    """The technique hands both numbers out."""
    said = await talk("calm_down", "工作", "愿意", "8", "做完了", "松了 3")
    assert "从 8 到 3，这是你自己做到的" in said
