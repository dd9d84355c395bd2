"""A session that nobody named a language for speaks its client's."""

from __future__ import annotations

from dataclasses import replace

from heartrule_cli.rehearsal.doubles import WrittenMonitor
from heartrule_cli.rehearsal.harness import Harness
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.harness import harness_of
from tests.support.scenes import script_under_test

SCRIPT = """
session:
  session_id: followed
  phases:
    - phase_id: p1
      topics:
        - topic_id: t1
          actions:
            - action_type: ai_ask
              action_id: ask
              config:
                content: 最近怎么样？
                options: [还可以吧, 睡得不太好]
                output: [{get: 近况}]
                exit: 说了
                max_rounds: 9
"""
LISTS = ("还可以吧", "睡得不太好", "总是这样的", "从来没有过")
IN_A_ROW = """
session:
  session_id: in_a_row
  phases:
    - phase_id: p1
      topics:
        - topic_id: t1
          actions:
""" + "".join(
    f"""
            - action_type: ai_ask
              action_id: ask_{number}
              config: {{content: 怎么样？, options: [{option}], exit: 说了, max_rounds: 1}}
"""
    for number, option in enumerate(LISTS)
)
ENGLISH = ("I have been tense for weeks", "mostly at work, in long meetings")
CHINESE = ("还是说中文吧，我最近很累", "晚上总是睡不着，白天没有精神")


async def opened(
    model: FakeModel, monitor: WrittenMonitor, locale: str = "", *, script: str = SCRIPT
) -> Harness:
    """Return a session behind its opening."""
    harness = harness_of(model, monitor=monitor)
    harness = replace(harness, beginning=replace(harness.beginning, locale=locale))
    await harness.create_session(script_under_test(script))
    model.will_say(ask_reply("最近怎么样？"))
    await harness.initialize()
    return harness


async def languages(*said: str, locale: str = "") -> list[str]:
    """Return the language of each prompt, the opening's first, and of each analysis."""
    model, monitor = FakeModel(), WrittenMonitor()
    harness = await opened(model, monitor, locale)
    for number, words in enumerate(said):
        model.will_say(ask_reply(f"{number}"))
        await harness.send(f"m{number}", words)
        await harness.executor.dispatcher.background.idle()
    record = await harness.store.get_session(harness.key)
    await harness.aclose()
    spoken = ["en" if "You are" in r.messages[0].content else "zh" for r in model.requests]
    assert [each.language for each in monitor.reports] == spoken[1:]
    assert record.locale == (locale or "zh-CN")
    return spoken


async def test_the_first_words_decide() -> None:
    """A greeting of a word decides nothing, the first sentence does, and it stays."""
    assert await languages("hi", *ENGLISH, "ok") == ["zh", "zh", "en", "en", "en"]
    assert await languages(*CHINESE, "很 down") == ["zh"] * 4


async def test_it_changes_where_the_client_goes_on() -> None:
    """One message in the other language changes nothing, the second in a row does."""
    assert await languages(*ENGLISH, *CHINESE) == ["zh", "en", "en", "en", "zh"]
    assert await languages(ENGLISH[0], CHINESE[0], ENGLISH[1]) == ["zh", "en", "en", "en"]


async def test_a_named_language_stands_until_the_client_goes_on_in_another() -> None:
    """What the caller asked for is not the client's first words' to change."""
    assert await languages(*ENGLISH, locale="zh-CN") == ["zh", "zh", "en"]
    assert await languages(CHINESE[0], locale="en-US") == ["en", "en"]


async def test_answers_the_script_offers_are_nobodys_language() -> None:
    """Who chooses from a Chinese list, or names its words, goes on in English."""
    chosen = ("还可以吧", "still: 睡得不太好", "睡得不太好")
    assert await languages(ENGLISH[0], *chosen, locale="en-US") == ["en"] * 5


async def test_answers_that_earlier_questions_offered_are_nobodys_language() -> None:
    """Who chooses from one Chinese list after the other has an English session still."""
    model = FakeModel([])
    harness = await opened(model, WrittenMonitor(), "en-US", script=IN_A_ROW)
    for number, option in enumerate(LISTS[:3]):
        model.will_say(ask_reply(f"{number}"), ask_reply(f"{number} more"))
        await harness.send(f"m{number}", option)
    record = await harness.store.get_session(harness.key)
    await harness.aclose()
    assert record.language == "en-US"


async def test_helplines_stay_those_of_the_region() -> None:
    """The numbers are of where the client is, their names in the language spoken."""
    model = FakeModel([])
    harness = await opened(model, WrittenMonitor())
    model.will_say(ask_reply("I see."))
    await harness.send("m1", ENGLISH[0])
    await harness.aclose()
    told = model.requests[-1].messages[0].content
    assert "12356" in told
    assert "988" not in told
    assert "热线" in model.requests[0].messages[0].content
    assert "热线" not in told
