"""Small scripts for tests, written as a counsellor would write them."""

from __future__ import annotations

ASK = """
session:
  session_id: asking
  phases:
    - phase_id: p1
      topics:
        - topic_id: t1
          actions:
            - action_type: ai_ask
              action_id: ask_name
              config: {content: 怎么称呼你, exit: 说出了全名, output: [{get: 称呼}], max_rounds: %d}
            - action_type: ai_say
              action_id: say_bye
              config: {content: "谢谢你，{称呼}", require_acknowledgment: false}
"""
"""One question, then a closing word that waits for nobody."""


def ask_script(max_rounds: int = 3) -> str:
    """Return a script of one question with its limit and a closing word."""
    return ASK % max_rounds
