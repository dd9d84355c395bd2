"""Whether an ask's `content` is a question for the client, and what else stands in it."""

from __future__ import annotations

import re

from executor_service.scripts.loading.section import Section
from executor_service.scripts.model.wording import quoted

MAX_SENTENCES = 3
"""Most sentences of a question; more is a brief for the model."""
_PLACEHOLDER = re.compile(r"\$?\{+%?[^{}]*%?\}+")
_SENTENCE = re.compile(r"[^。！？!?…\n.]+(?:[。！？!?…]+|\.(?=\s|$)|\n|$)")
# Words about the client, which are not for the client to read.
_OF_THE_CLIENT = re.compile(r"来访者|求助者|\bthe (?:client|patient|user)\b", re.IGNORECASE)
_ORDER = re.compile(
    r"^\s*(?:询问|了解|收集|探索|引导|评估|确认|请?追问|请?询问|请?了解"
    r"|(?:ask|find out|explore|gather|collect|assess)\b)",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(r"[你您]|\byou", re.IGNORECASE)


def is_question(text: str) -> bool:
    """Return whether a text asks the client something, and is nothing else."""
    return (
        text.rstrip().endswith(("？", "?"))
        and not _instruction(text)
        and (_sentences(text) <= MAX_SENTENCES)
    )


def check_question(section: Section, content: str) -> None:
    """Warn where `content` has more sentences than a question, or tells the model what to do."""
    if shown := _instruction(content):
        section.report("instruction_as_question", "content", shown=quoted(shown))
        return
    count = _sentences(content)
    if count > MAX_SENTENCES:
        section.report("long_question", "content", count=count, most=MAX_SENTENCES)


def _instruction(content: str) -> str:
    """Return the words of a text that are for the model; "" where there are none."""
    text = _PLACEHOLDER.sub("", content)
    found = _OF_THE_CLIENT.search(text)
    if found is None and not _ADDRESSED.search(text):
        found = _ORDER.match(text)
    return found[0].strip() if found else ""


def _sentences(content: str) -> int:
    text = _PLACEHOLDER.sub("", content)
    return sum(1 for each in _SENTENCE.finditer(text) if each[0].strip())
