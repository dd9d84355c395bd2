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


def topic_script(*actions: str) -> str:
    """Return a script of one topic; each action is a mapping as YAML writes it in a line."""
    lines = "".join(f"\n            - {action}" for action in actions)
    return f"""
session:
  session_id: one_topic
  phases:
    - phase_id: p1
      topics:
        - topic_id: t1
          actions:{lines}
"""


def form(*fields: str) -> str:
    """Return an action for `topic_script` that has a form filled in, a field like an action."""
    listed = ", ".join(fields)
    return f"{{action_type: fill_form, action_id: fill, form: {{title: 近况, fields: [{listed}]}}}}"
