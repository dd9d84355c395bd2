"""A reply in a wrong language is sent, recorded, and told to the next prompt."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from executor_service.actions import language_check
from executor_service.actions.language_check import language_faults, language_of
from executor_service.actions.prompting import Brief, talk_values
from executor_service.actions.talk import Talk, talk
from tests.support.engine_builders import ask, round_context
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.written_templates import REASK

ENGLISH = "I hear you, and it sounds hard. What would help you this week?"
CHINESE = "我听到了，这确实不容易。这一周什么会对你有帮助？"
GERMAN = "Wie haben Sie in letzter Zeit geschlafen? Erzählen Sie mir bitte davon."
BRIEF = Brief(task="问称呼", own_text="What should I call you when we talk?", max_rounds=3)


async def talked(reply: str, *, said: str, language: str = "zh") -> Talk:
    """Let the model answer the client in a session of a language."""
    context = round_context(ask(), FakeModel([reply]), reply=said)
    return await talk(replace(context, scene=replace(context.scene, language=language)), BRIEF)


def wrong(one: Talk) -> list[dict[str, str]]:
    """Return what was recorded of a wrong language."""
    return [dict(e.metadata) for e in one.degradations if e.reason == "WRONG_LANGUAGE"]


async def test_a_reply_in_another_language_is_sent_and_recorded() -> None:
    """Nothing is withheld: the client reads it, and the turn says what was wrong."""
    one = await talked(ask_reply(ENGLISH), said="最近一直睡不好")
    assert one.message.text == ENGLISH
    assert wrong(one) == [{"expected": "zh", "found": "en"}]


@pytest.mark.parametrize(
    ("reply", "said", "language"),
    [
        (CHINESE, "最近一直睡不好", "zh"),
        (ENGLISH, "I cannot sleep at all these days", "zh"),
        (CHINESE, "最近一直睡不好", "en"),
        ("OK, 小明。", "最近一直睡不好", "en"),
    ],
)
async def test_the_sessions_language_and_the_clients_are_right(
    reply: str, said: str, language: str
) -> None:
    """Who goes on in English is answered in English before the session has changed."""
    assert wrong(await talked(ask_reply(reply), said=said, language=language)) == []


async def test_the_engines_line_and_the_scripts_are_not_the_models() -> None:
    """A line of the template in the place of a broken reply is nobody's mistake."""
    one = await talked("{}", said="I cannot sleep at all these days", language="en")
    assert (one.message.text, wrong(one)) == (REASK, [])


async def test_a_latin_text_in_doubt_is_classified(monkeypatch: pytest.MonkeyPatch) -> None:
    """No stop word of English: the classifier, loaded only then, names the language."""
    monkeypatch.setattr(language_check, "_LONGEST_S", 60)  # loading it takes a busy machine longer
    assert await language_of(GERMAN) == "de"
    assert await language_of(
        "Breathing, walking, swimming, reading, cooking, singing, resting."
    ) in {
        "en",
        "",
    }


async def test_a_classifier_that_cannot_run_says_nothing() -> None:
    """A check fails no turn."""
    gone = ThreadPoolExecutor(1)
    gone.shutdown()
    asyncio.get_running_loop().set_default_executor(gone)
    assert await language_of(GERMAN) == ""


async def test_a_reply_in_the_clients_german_is_right() -> None:
    """The classifier hears the client as well."""
    said = "Ich schlafe seit zwei Wochen sehr schlecht und bin immer müde."
    context = round_context(ask(), FakeModel([]), reply=said)
    context = replace(context, scene=replace(context.scene, language="en"))
    assert await language_faults(context, GERMAN) == ()


def test_the_next_prompt_asks_for_the_right_language() -> None:
    """In a line of the session's language, where a template has its hints."""
    context = round_context(ask(), FakeModel([]), reply="嗯")
    assert talk_values(context, BRIEF, "")["repeated_hint"] == ""
    told = talk_values(replace(context, wrong_language=True), BRIEF, "")["repeated_hint"]
    assert told == context.scene.words.wrong_language
