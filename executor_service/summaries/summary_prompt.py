"""The prompt that asks for a summary, and the reading of its answer. Pure."""

from __future__ import annotations

from dataclasses import replace

from executor_service.scripts.model.script import Script
from executor_service.sensitive_lookup import sensitive_in
from heartrule.domain.model_call import ParseDiagnosis, Purpose
from heartrule.domain.monitoring import DialogueLine
from heartrule.model.ports import ChatRequest
from heartrule.model.prompts import build_messages
from heartrule.model.quoting import dialogue_text, quoted
from heartrule.model.reply.contract import ReplyContract
from heartrule.model.reply.parser import parse_object
from heartrule.model.reply.prose import Skeleton
from heartrule.model.template import Template
from session_store.records import SummaryWork

TEMPLATE = "conversation_summary"
# Characters of a summary: it enters every prompt, and must not crowd it out.
LONGEST_SUMMARY = 1_200
# Characters of one message; the middle of a longer one is left out.
_LONGEST_LINE = 1_500
# Seconds of one attempt: the conversation goes on meanwhile.
_ATTEMPT_S = 60.0
CONTRACT = ReplyContract(fields=("summary",), required=())


def summary_request(template: Template, work: SummaryWork, script: Script) -> ChatRequest:
    """Return the request of a revision; values of sensitive variables are masked in it."""
    hidden = sensitive_in(script)
    lines = tuple(replace(e, text=hidden.in_text(e.text, work.values)) for e in work.lines)
    prompt = build_messages(
        template,
        "turn",
        system={
            "earlier_summary": quoted(work.earlier.text),
            "dialogue": dialogue_text(lines, longest=_LONGEST_LINE),
        },
        script={},
        card={"v": 1, "kind": TEMPLATE, "stage": "turn", "user_input": _last_line(lines)},
    )
    return ChatRequest(
        purpose=Purpose.MONITOR,
        messages=prompt.messages,
        prompt_type=template.prompt_type,
        template_hash=template.content_hash,
        card=prompt.card,
        reply_fields=template.reply_fields(),
        yielding=prompt.yielding,
        timeout_s=_ATTEMPT_S,
    )


def read_summary(text: str, template: Template) -> tuple[str, ParseDiagnosis]:
    """Return the summary of an answer, cut to its longest; empty where it has none."""
    parsed = parse_object(text, contract=CONTRACT, client_text="")
    found = parsed.value.get("summary") if parsed.value is not None else None
    summary = found.strip() if isinstance(found, str) else ""
    if Skeleton(template.fields).copied("summary", summary):
        summary = ""
    return summary[:LONGEST_SUMMARY], parsed.diagnosis


def _last_line(lines: tuple[DialogueLine, ...]) -> str:
    return lines[-1].text[:_LONGEST_LINE]
