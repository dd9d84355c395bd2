"""A script of two topics for the tests of warnings: the second one reads what the first gathers."""

from __future__ import annotations

from textwrap import dedent

ASK = "{action_type: ai_ask, action_id: ask, content: x, output: [{get: 甲}]}"


def two_topics(reader: str, *, declare: str = "[]", apart: bool = False) -> str:
    """Return a script whose first topic gathers 甲 (line 8) and whose second one reads."""
    phase = "- phase_id: q\n  topics:\n  " if apart else "  "
    head = dedent(f"""\
        session:
          session_id: s
          declare: {declare}
          phases:
          - phase_id: p
            topics:
            - topic_id: t
              actions: [{ASK}]
        """)
    body = f"{phase}- topic_id: u\n    actions: [{reader}]\n"
    return head + "".join(f"  {line}\n" for line in body.splitlines())


def say(content: str) -> str:
    """Return an action that says `content`."""
    return f'{{action_type: ai_say, action_id: say, content: "{content}"}}'
