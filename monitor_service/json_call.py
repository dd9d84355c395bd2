"""One call of the monitor's model: the request, the parsed reply, and the record of both."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from heartrule.domain.model_call import LLMDebugInfo, ParseDiagnosis, Purpose
from heartrule.domain.monitoring import AnalysisReport
from heartrule.model.ports import ChatModel
from heartrule.model.prompt_words import PromptWords, words_in
from heartrule.model.prompts import Prompt
from heartrule.model.reply.contract import ReplyContract
from heartrule.model.reply.parser import STRATEGIES, ParsedReply, parse_object
from heartrule.model.template import Template
from heartrule.model.template_store import TemplateStore
from heartrule.model.whole_reply import whole_reply

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What every handler calls the model with."""

    model: ChatModel
    templates: TemplateStore
    words: Mapping[str, PromptWords] = field(default_factory=dict)
    """The engine's own, by language."""

    def words_of(self, report: AnalysisReport) -> PromptWords:
        """Return the words of the session's language."""
        return words_in(self.words, report.language)


async def ask(
    tools: Tools,
    template: Template,
    prompt: Prompt,
    *,
    words: PromptWords,
    calls: list[LLMDebugInfo],
) -> str:
    """Return the model's whole answer; `calls` gets a record of every attempt.

    Raises:
        ModelUnavailable, ModelRateLimited, ModelStreamCut: There is no whole reply.
    """
    request = prompt.request(template, purpose=Purpose.MONITOR, words=words)
    return await whole_reply(tools.model, request, calls=calls)


def read_reply(text: str, *, contract: ReplyContract, client_text: str) -> ParsedReply:
    """Read an answer with the three strategies (RESOLUTIONS C1) and log those that failed.

    The log names strategies and numbers only: the answer itself belongs to the ledger.
    """
    parsed = parse_object(text, contract=contract, client_text=client_text)
    _log(parsed.diagnosis, length=len(text))
    return parsed


def record_parse(calls: list[LLMDebugInfo], diagnosis: ParseDiagnosis) -> None:
    """Keep with the last call how its answer was read."""
    if calls:
        calls[-1] = replace(calls[-1], parse=diagnosis)


def _log(diagnosis: ParseDiagnosis, *, length: int) -> None:
    failed = diagnosis.parse_error is not None
    tried = diagnosis.retry_count if failed else diagnosis.retry_count - 1
    for number, strategy in enumerate(STRATEGIES[:tried], start=1):
        log.warning(
            "a strategy could not read the monitor's reply",
            extra={"parse_retry": number, "strategy": strategy.value},
        )
    if failed:
        log.error(
            "the monitor's reply is unreadable; there is no advice",
            extra={"parse_retry_count": diagnosis.retry_count, "reply_length": length},
        )
