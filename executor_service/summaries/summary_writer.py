"""Has summaries written beside the turns; whatever happens here delays no turn and fails none."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from executor_service.ports import ScriptLibrary
from executor_service.summaries.summary_prompt import (
    MOST_SUMMARIZED,
    TEMPLATE,
    read_summary,
    summary_request,
)
from heartrule.chassis import telemetry
from heartrule.chassis.background import Background
from heartrule.chassis.latest import Latest
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.model.ports import ChatModel
from heartrule.model.prompt_words import PromptWords, words_in
from heartrule.model.template_store import TemplateStore
from heartrule.model.whole_reply import whole_reply
from session_store.ports import Store
from session_store.records import SummaryRecord, SummaryWork, TurnSnapshot
from session_store.turn_rules import KEPT_TURNS, LEAST_SUMMARIZED

LOG = logging.getLogger(__name__)
# Turns between two attempts at a summary that failed.
_PAUSE_TURNS = 3
# Sessions whose failures are remembered.
_REMEMBERED = 1_000
# Sessions that are summarized at once: turns need the model more.
_MOST_AT_ONCE = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryDeps:
    """What a summary is made with."""

    store: Store
    scripts: ScriptLibrary
    model: ChatModel
    templates: TemplateStore
    words: Mapping[str, PromptWords] = field(default_factory=dict)
    """The engine's own, by language."""
    language_of: Callable[[str], str] = str
    """Returns the language of a tag such as `en-US`."""
    token_budget: int = 0
    """Tokens that may be spent beside one session's conversation; 0: any number."""


class SummaryWriter:
    """Revises the summaries of sessions whose prompts are about to be too long."""

    def __init__(self, deps: SummaryDeps) -> None:
        """Work on some sessions at once; the next turn of one that was dropped asks."""
        self._deps = deps
        self.background = Background("summaries", limit=_MOST_AT_ONCE)
        self._running: set[SessionKey] = set()
        self._not_before = Latest[SessionKey, int](_REMEMBERED)
        # Characters of the turns that one revision takes in; fewer, once its model takes fewer.
        self._most = MOST_SUMMARIZED

    def consider(self, ended: TurnSnapshot) -> None:
        """Begin a revision behind a turn whose prompt was nearly too long, and return at once."""
        key = ended.lease.key
        covered = ended.summary.first_turn
        is_due = ended.turn_no + 1 - KEPT_TURNS - covered >= LEAST_SUMMARIZED
        paused = ended.turn_no < self._not_before.get(key, 0)
        if is_due and not paused and key not in self._running:
            self._running.add(key)
            if not self.background.spawn(self._guarded(key, ended.turn_no), label="summary"):
                self._running.discard(key)

    async def _guarded(self, key: SessionKey, turn_no: int) -> None:
        try:
            done = await self._revise(key)
        except HeartRuleError as error:
            LOG.warning("no summary was written", extra={"reason": error.reason})
            done = False
        finally:
            self._running.discard(key)
        if done:
            self._not_before.pop(key, None)
        else:
            self._not_before[key] = turn_no + _PAUSE_TURNS

    async def _revise(self, key: SessionKey) -> bool:
        """Write one revision; False where a model failed or its answer was none."""
        while (work := await self._deps.store.summary_work(key, most=self._most)) is not None:
            if not self._may_spend(work):
                return False
            calls: list[LLMDebugInfo] = []
            text = await self._answer(work, calls)
            # The turns it covers are in no prompt any more: a summary of half of them loses words.
            too_much = bool(text) and work.turns > 1 and _gave_way(calls)
            await self._deps.store.write_summary(
                SummaryRecord(work=work, text="" if too_much else text, calls=tuple(calls))
            )
            if not too_much:
                return bool(text)
            self._most = work.characters // 2
        return True

    def _may_spend(self, work: SummaryWork) -> bool:
        budget = self._deps.token_budget
        if budget and work.tokens_spent >= budget:
            LOG.warning("no summary was written", extra={"reason": "TOKEN_BUDGET_SPENT"})
            return False
        return True

    async def _answer(self, work: SummaryWork, calls: list[LLMDebugInfo]) -> str:
        """Return a model's summary; empty where there is none."""
        with telemetry.span("summary", session_id=work.key.session_id) as span:
            try:
                return await self._ask(work, calls)
            except HeartRuleError as error:
                span.fail(error.reason)
                LOG.warning("a summary was not answered", extra={"reason": error.reason})
                return ""

    async def _ask(self, work: SummaryWork, calls: list[LLMDebugInfo]) -> str:
        deps, key = self._deps, work.key
        script = await deps.scripts.get(
            key.tenant, work.script_id, work.script_version, work.replacements
        )
        language = deps.language_of(work.language)
        words = words_in(deps.words, language)
        template = deps.templates.get(TEMPLATE, script.template_scheme, language)
        request = summary_request(template, work, script, words)
        answer = await whole_reply(deps.model, request, calls=calls)
        summary, diagnosis = read_summary(answer, template, words)
        if calls:
            calls[-1] = replace(calls[-1], parse=diagnosis)
        return summary


def _gave_way(calls: Sequence[LLMDebugInfo]) -> bool:
    """Return whether the prompt that was answered lost words of the turns to be summarized."""
    return any(cut.reason == "VALUE_CUT" for call in calls[-1:] for cut in call.cuts)
