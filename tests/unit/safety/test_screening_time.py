"""The screen's time grows with the text and no faster, whatever a stranger writes."""

from __future__ import annotations

import time

import pytest

from heartrule.domain.safety import SafetyLevel
from heartrule.safety.screen import SafetyScreen, ScreenContext
from tests.support.shipped_files import shipped_screen
from tests.support.worst_texts import worst_texts

SMALL = 2**14
GROWTH = 4


@pytest.fixture(scope="module")
def screen() -> SafetyScreen:
    """Give the screen of this installation."""
    return shipped_screen()


@pytest.mark.parametrize("name", worst_texts(SMALL))
def test_four_times_the_text_takes_about_four_times_as_long(
    screen: SafetyScreen, name: str
) -> None:
    """A term that grew faster would take sixteen times as long; the machine's noise is allowed."""
    small, large = (cpu_s(screen, worst_texts(size)[name]) for size in (SMALL, GROWTH * SMALL))
    assert large < 2 * GROWTH * small + 0.002


def test_words_at_the_end_of_a_long_text_are_found(screen: SafetyScreen) -> None:
    """No length hides them."""
    for hidden in ("我今晚就自杀", "I will kill myself tonight"):
        text = worst_texts(SMALL)["different words"] + "\n" + hidden
        assert screen.screen(text, ScreenContext()).level >= SafetyLevel.CRISIS


def cpu_s(screen: SafetyScreen, text: str) -> float:
    """Return the least CPU time of three runs."""
    found = []
    for _ in range(3):
        before = time.thread_time()
        screen.screen(text, ScreenContext())
        found.append(time.thread_time() - before)
    return min(found)
