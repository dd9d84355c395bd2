"""The prompt that asks for a summary, and the reading of its answer. Pure."""

from __future__ import annotations

from dataclasses import replace

from executor_service.scripts.model.script import Script
from executor_service.sensitive_lookup import sensitive_in
from heartrule.domain.model_call import ParseDiagnosis, Purpose
from heartrule.domain.monitoring import DialogueLine
from heartrule.model.ports import ChatRequest
from heartrule.model.prompt_fitting import cut_middle
from heartrule.model.prompt_words import PromptWords
from heartrule.model.prompts import build_messages
from heartrule.model.quoting import dialogue_text, quoted
from heartrule.model.reply.contract import ReplyContract
from heartrule.model.reply.parser import parse_object
from heartrule.model.template import Template
from heartrule.model.token_counting import estimated_tokens
from session_store.records import SummaryWork

TEMPLATE = "conversation_summary"
# Tokens of a summary: it enters every prompt, and must not crowd it out. In Chinese it may have
# 1,200 characters, in English 4,500.
LONGEST_SUMMARY = 1_500
# Characters of the turns that one revision takes in.
MOST_SUMMARIZED = 6_000
CONTRACT = ReplyContract(fields=("summary",), required=())


def summary_request(
    template: Template, work: SummaryWork, script: Script, words: PromptWords
) -> ChatRequest:
    """Return the request of a revision; values of sensitive variables are masked in it."""
    hidden = sensitive_in(script)
    lines = tuple(replace(e, text=hidden.in_text(e.text, work.values)) for e in work.lines)
    prompt = build_messages(
        template,
        "turn",
        system={
            "earlier_summary": quoted(work.earlier.text),
            "dialogue": dialogue_text(lines, words, longest=MOST_SUMMARIZED),
        },
        script={},
        card={"v": 1, "kind": TEMPLATE, "stage": "turn", "user_input": _last_line(lines)},
    )
    return prompt.request(template, purpose=Purpose.MONITOR, words=words)


def read_summary(text: str, template: Template, words: PromptWords) -> tuple[str, ParseDiagnosis]:
    """Return the summary of an answer; empty where it has none.

    One that is too long keeps its beginning and its end, with a mark of what is missing.
    """
    parsed = parse_object(text, contract=CONTRACT, client_text="")
    found = parsed.value.get("summary") if parsed.value is not None else None
    summary = found.strip() if isinstance(found, str) else ""
    if template.own_words.copied("summary", summary):
        summary = ""
    return cut_middle(summary, LONGEST_SUMMARY, estimated_tokens, words), parsed.diagnosis


def _last_line(lines: tuple[DialogueLine, ...]) -> str:
    return lines[-1].text[:MOST_SUMMARIZED]
