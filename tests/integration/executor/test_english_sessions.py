"""An English session is English from the engine's first word."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.support.fake_model import FakeModel, ask_reply
from tests.support.harness import harness_of
from tests.support.scenes import script_under_test

HAN = re.compile("[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
SCRIPT = """
session:
  session_id: english
  {scheme}
  phases:
    - phase_id: p1
      topics:
        - topic_id: t1
          topic_goal: know whom I talk with
          strategy: {{min_completeness_requirement: a name, retry_strategy: ask gently}}
          actions:
            - action_type: ai_ask
              action_id: ask
              config:
                content: What shall I call you?
                output: [{{get: name, define: what to call the client}}]
                exit_criteria: {{outputs_known: true, min_rounds: 2}}
            - action_type: ai_say
              action_id: say
              config: {{content: Worry is like a smoke alarm.}}
"""


async def prompts(scheme: str, locale: str) -> list[str]:
    """Return every prompt of a short session, its headings without their brackets."""
    model = FakeModel([ask_reply("What shall I call you?"), ask_reply("And?"), ask_reply("Fine.")])
    harness = harness_of(model)
    harness = replace(harness, beginning=replace(harness.beginning, locale=locale))
    text = SCRIPT.format(scheme=scheme and f"template_scheme: {scheme}")
    await harness.create_session(script_under_test(text))
    await harness.initialize()
    await harness.send("m1", "Sam")
    await harness.send("m2", "just that")
    await harness.aclose()
    sent = ["\n".join(each.content for each in request.messages) for request in model.requests]
    return [re.sub("[【】]", "", text) for text in sent]


@pytest.mark.parametrize("scheme", ["", "cbt_anxiety"])
@pytest.mark.parametrize("locale", ["en-US", "en"])
async def test_no_chinese_in_an_english_session(scheme: str, locale: str) -> None:
    """Neither the templates nor the engine put a Chinese sign into its prompts."""
    sent = await prompts(scheme, locale)
    assert len(sent) == 3
    assert [found.group() for text in sent for found in HAN.finditer(text)] == []
    assert all("Where help is" in text for text in sent)


async def test_helplines_are_the_regions() -> None:
    """An American session names 988, and no number of another country."""
    for text in await prompts("", "en-US"):
        assert "988" in text
        assert "12356" not in text


async def test_a_chinese_session_stays_chinese() -> None:
    """The language is the session's, whatever the script's."""
    assert all("求助电话" in text and "12356" in text for text in await prompts("", "zh-CN"))
