"""A turn late in a session is made of as much as an early one (document 001, 2.2.3)."""

from __future__ import annotations

from tests.support.fake_model import FakeModel, ask_reply
from tests.support.harness import harness_of
from tests.support.scenes import script_under_test

TOPICS = 30
HEAD = "session:\n  session_id: long\n  phases:\n    - phase_id: p1\n      topics:\n"
TOPIC = """        - topic_id: t{n:03}
          actions:
            - action_type: ai_ask
              action_id: ask
              config: {{content: 说说这件事, output: [{{get: 心情}}, {{get: 想法}}], max_rounds: 1}}
"""


async def test_prompts_and_rows_do_not_grow_with_the_topics_left() -> None:
    """After many topics with the same names a prompt has the same length, a turn as many rows."""
    first, *others = (ask_reply(f"第 {n:02} 件怎么样？") for n in range(TOPICS))
    answer = ask_reply("好。", variables={"心情": "平静", "想法": "没有"})
    model = FakeModel([first, *(each for other in others for each in (answer, other)), answer])
    harness = harness_of(model)
    await harness.create_session(
        script_under_test(HEAD + "".join(TOPIC.format(n=n) for n in range(TOPICS)))
    )
    await harness.initialize()
    sizes, kept = [], []
    for turn in range(TOPICS - 1):
        await harness.send(f"m{turn}", "平静，没有")
        sizes.append(len(model.last_prompt().encode()))
        kept.append(len(await harness.store.list_variables(harness.key)))
    # Up to twelve outputs of the topics ahead are listed, two of each topic.
    assert sizes[10] == sizes[-7]
    assert kept[10] == kept[-1] == 2
