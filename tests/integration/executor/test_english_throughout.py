"""An English session with every action and every helper: no word of it is Chinese."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace

import pytest

from heartrule.domain.events import (
    ActionResultRecorded,
    MessageCommitted,
    SessionEvent,
)
from heartrule.domain.input_request import InputRequested
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.model.ports import ChatRequest, ModelRestarted
from heartrule_cli.rehearsal.doubles import JudgingMonitor
from tests.support.fake_model import FakeModel
from tests.support.harness import harness_of
from tests.support.scenes import script_under_test
from tests.support.shipped_files import shipped_installation

# The brackets of a prompt's headings are marks and no words.
CHINESE = re.compile("[\u3001-\u300f\u3012\u3013\u3016-\u303f\u3400-\u9fff\uff00-\uffef]")
SCRIPT = """
session:
  session_id: english_throughout
  {scheme}
  strategy_engine: on
  phases:
    - phase_id: p1
      phase_goal: begin
      topics:
        - topic_id: t1
          topic_goal: know whom I talk with
          strategy: {{min_completeness_requirement: a name, retry_strategy: ask gently}}
          actions:
            - {{action_type: say, action_id: hello, content: Welcome.}}
            - action_type: show_pic
              action_id: picture
              config: {{source: "https://example.org/a.png", alt: a wave}}
            - action_type: ai_ask
              action_id: ask
              config:
                content: What shall I call you?
                brief: a first name is enough
                options: [Sam, Kim]
                output: [{{get: name, define: what to call the client}}]
                exit_criteria: {{outputs_known: true, min_rounds: 3}}
                max_rounds: 4
            - action_type: ai_ask
              action_id: moments
              config:
                content: When were you tense?
                collect:
                  into: moments
                  fields: [{{get: when}}, {{get: tension, type: integer}}]
                  until: size({{moments}}) >= 1
            - action_type: fill_form
              action_id: sleep
              config:
                content: Some questions about sleep.
                form:
                  title: Sleep
                  fields:
                    - {{name: hours, label: Hours of sleep, type: number, min: 0, max: 24}}
                    - {{name: well, type: boolean, required: false}}
                max_rounds: 3
            - action_type: ai_think
              action_id: think
              config:
                content: What stands out?
                input_variables: [name, moments]
                output: [{{get: idea}}]
            - action_type: ai_say
              action_id: explain
              config:
                content: "Worry is like a smoke alarm, {{name}}."
                require_acknowledgment: true
                max_rounds: 3
                exit_criteria: {{understanding_threshold: 80, has_questions: false}}
            - {{action_type: say, action_id: bye, content: "Until then. Told: {{moments}}"}}
"""
METRICS = {
    "information_completeness": "some is missing",
    "user_engagement": "willing",
    "emotional_intensity": "calm",
    "reply_relevance": "to the point",
    "understanding_level": "most of it",
}
TALK = {
    "EXIT": "NO",
    "content": "I see. What else comes to mind?",
    "variables": {},
    "metrics": METRICS,
    "progress_suggestion": "continue_needed",
    "assessment": {"understanding_level": 50, "has_questions": True},
    "should_exit": False,
}
REPLIES: Mapping[str, Mapping[str, object]] = {
    "ai_ask_v1": TALK,
    "ai_say_v1": TALK,
    "fill_form_v1": TALK,
    "ai_think_v1": {"variables": {"idea": "an alarm that rings early"}},
    "strategy_generation": {"strategyPrompt": {"Language": "short and plain", "Empathy": "little"}},
    "topic_orchestrator_v1": {"action": "none", "reason": "no need"},
}
JUDGED = {
    "intervention_needed": True,
    "understanding_issue": True,
    "feedback_for_action": "The answers grow short: leave more room.",
    "modified_approach": "Invite whatever is easiest.",
    "example_suggestion": "A smoke alarm and a piece of toast.",
    "orchestration_needed": True,
    "orchestration_reason": "plain refusal",
}
SAID: tuple[tuple[str, Mapping[str, object]], ...] = (
    ("just that", {}),
    ("why do you ask?" + " I really do not know." * 300, {}),
    ("you may call me Sam", {"name": {"value": "Sam", "quote": "call me Sam"}}),
    ("no idea", {}),
    (
        "on Monday, a six",
        {
            "when": {"value": "Monday", "quote": "on Monday"},
            "tension": {"value": 6, "quote": "six"},
        },
    ),
    ("plenty", {"hours": {"value": 99, "quote": "plenty"}}),
    ("7 hours", {"hours": {"value": 7, "quote": "7 hours"}}),
    ("what is an alarm?", {}),
    ("I see", {}),
    ("yes", {}),
)


class EnglishModel(FakeModel):
    """Answers each template in English; `variables` are those of the next talk."""

    variables: Mapping[str, object] = {}

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str | ModelRestarted]:
        """Stream what is written for the template."""
        reply = REPLIES.get(request.prompt_type, JUDGED)
        if reply is TALK:
            reply = {**TALK, "variables": self.variables}
        self.will_say(json.dumps(reply))
        async for piece in super().stream(request, calls=calls, visible=visible):
            yield piece


def told(event: SessionEvent) -> list[str]:
    """Return what an event tells a client: messages, forms, why an action ended."""
    match event.body:
        case MessageCommitted(message=message):
            return [message.plain_text(), *(each.fallback_text for each in message.parts)]
        case InputRequested() as asked:
            return [asked.fallback_text, json.dumps(asked.schema, ensure_ascii=False)]
        case ActionResultRecorded(action_result=result) if result.exit_decision:
            return [result.exit_decision.reason]
    return []


async def played(model: FakeModel, scheme: str) -> list[str]:
    """Return all that a whole English session told its client."""
    harness = harness_of(model, monitor=JudgingMonitor(model, shipped_installation()))
    harness = replace(harness, beginning=replace(harness.beginning, locale="en-US"))
    text = SCRIPT.format(scheme=scheme and f"template_scheme: {scheme}")
    await harness.create_session(script_under_test(text))
    events = await harness.initialize()
    for number, (words, variables) in enumerate(SAID):
        model.variables = variables  # type: ignore[attr-defined]
        events += await harness.send(f"m{number}", words)
        await harness.executor.dispatcher.background.idle()
    await harness.aclose()
    return [text for event in events for text in told(event)]


@pytest.mark.parametrize("scheme", ["", "cbt_anxiety"])
async def test_no_chinese_anywhere(scheme: str) -> None:
    """Prompts of every template, messages, forms and reasons of exits are English."""
    model = EnglishModel()
    said = await played(model, scheme)
    kinds = {request.prompt_type for request in model.requests}
    monitors = {"ai_ask_monitor_v1", "ai_say_monitor_v1", "fill_form_monitor_v1"}
    assert kinds == {*REPLIES, *monitors}
    prompts = [each.content for request in model.requests for each in request.messages]
    wrong = [found for text in (*prompts, *said) for found in CHINESE.findall(text)]
    assert wrong == []
    assert "Until then. Told: " in "\n".join(said)
