"""The tokens of a prompt's parts."""

from __future__ import annotations

from heartrule.domain.model_call import Purpose
from heartrule.model.ports import ChatMessage
from heartrule.model.prompt_words import base_words
from heartrule.model.prompts import build_messages
from heartrule.model.template import parse_template
from heartrule.model.token_counting import estimated_tokens
from heartrule_cli.prompts.rendered_prompt import rendered_prompt

TEXT = """---
template: ai_ask
version: 1
fields:
  content: what is said
---
<!-- section: system -->
You ask.
<!-- section: turn -->
【Task】{%task%}
【Tone】{%tone%}
【Known】
{%variables%}
【Question】number {%current_round%} of {%max_rounds%}
{%user_input%}
Reply with {%shape%}
"""
TEMPLATE = parse_template(TEXT, source="t")
DATA = {"task": "ask for the name 【Tone】", "current_round": "2", "max_rounds": "3"}


def test_the_last_message_is_parted_into_task_and_data() -> None:
    """Words of the template that were left out are not counted, nor those that data repeats."""
    history = (ChatMessage(role="assistant", content="What is your name?"),)
    prompt = build_messages(
        TEMPLATE,
        "turn",
        history=history,
        system=DATA,
        script={},
        card={"stage": "turn", "round": 2, "max_rounds": 3},
        asked=("content",),
    )
    made = rendered_prompt(
        prompt.request(TEMPLATE, purpose=Purpose.TALK, words=base_words()),
        TEMPLATE,
        state="s",
        turn=4,
    )
    own = "【Task】\n【Question】number  of \nReply with " + TEMPLATE.shape(["content"])
    last = prompt.messages[-1].content
    assert abs(made.tokens.task - estimated_tokens(own)) <= 2
    assert made.tokens.task + made.tokens.data == estimated_tokens(last)
    assert made.tokens.system == estimated_tokens("You ask.")
    assert made.tokens.earlier == estimated_tokens("What is your name?")
    assert (made.title, made.state, made.turn) == ("ai_ask, round 2 of 3", "s", 4)
