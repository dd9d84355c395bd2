"""What a browser shows of each way in which a provider fails."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from heartrule.words.language import ReaderLanguage
from tests.support.consoles import axe, console
from tests.support.executors import Neighbours
from tests.support.failing_providers import (
    ADDRESS,
    FAILURES,
    KEY,
    FailingProvider,
    SwitchedModel,
    served,
)
from tests.support.scripts import ask_script
from tests.support.source_tree import ROOT

pytestmark = pytest.mark.long(
    short="tests/e2e/console/test_conversation.py::test_a_whole_conversation_is_held_in_the_browser"
)
PAGES = {
    ReaderLanguage.ENGLISH: ROOT / "docs" / "how-to" / "find-what-is-wrong.md",
    ReaderLanguage.CHINESE: ROOT / "docs" / "zh" / "find-what-is-wrong.md",
}
# A failure that may pass is tried again before it is told.
PATIENCE_MS = 30_000
# Behind what a terminal says of every failure, up to the code.
SENTENCE = re.compile(r"(?:the turn failed: |这一回合失败了：)(.*) \([A-Z_]+\)")


def sentence(failing: FailingProvider, language: ReaderLanguage) -> str:
    """Return what the page of failures has of one; its rows are in the order of `FAILURES`."""
    lines = PAGES[language].read_text("utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| ") and ADDRESS in line]
    told = SENTENCE.search(rows[FAILURES.index(failing)])
    assert told is not None
    return told[1]


@pytest.mark.parametrize("failing", FAILURES, ids=lambda each: each.cause.value)
async def test_a_failed_opening_says_cause_and_remedy_in_both_languages(
    failing: FailingProvider,
) -> None:
    """With the address and the model, as at the other doors, and without the key."""
    model = SwitchedModel()
    async with (
        served(failing) as provider,
        model.using(provider),
        console(Neighbours(model=model), size=(1280, 720)) as shown,
    ):
        session_id = await shown.running.client.start(ask_script())
        await shown.visit("sessions", session_id)
        log = shown.page.locator(".log")
        for language in ReaderLanguage:
            await shown.speak(language.value[:2])
            told = sentence(failing, language).replace(ADDRESS, provider.base_url)
            await expect(log).to_contain_text(told, timeout=PATIENCE_MS)
            await shown.picture(f"failure-{failing.cause.value}-{language.value}")
        shown.complaints.clear()  # the browser's own, of the refused opening
        assert KEY not in await shown.page.content()
        assert await axe(shown) == []
