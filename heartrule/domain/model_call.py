"""The record of one call to a language model (RESOLUTIONS C33; document 000, debugInfo)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from heartrule.domain.json_value import JsonValue
from heartrule.domain.problem import Degradation

# Cuts that earlier messages suffer.
_OF_HISTORY = frozenset({"HISTORY_LEFT_OUT", "MESSAGE_CUT"})
# From this part of its budget on a prompt is soon too long: a turn or two later.
_CROWDED = 0.75


class Purpose(StrEnum):
    """Why a model is called; each purpose may have a model of its own."""

    TALK = "talk"
    """Writes the text for the client."""
    MONITOR = "monitor"
    """Judges a round beside the conversation."""
    THINK = "think"
    """An inner step whose text the client never sees."""
    STRATEGY = "strategy"
    """Recommends how to talk with this client."""
    DECIDE = "decide"
    """Decides what an agent does next; its text reaches the client behind the gate."""
    WORKFLOW = "workflow"
    """Answers what an LLM node of a workflow asks."""
    THREAD = "thread"
    """Answers what a thread's agent asks: a handler of the main thread, or a unit."""


class ParseStrategy(StrEnum):
    """The three ways of reading a reply, in order (RESOLUTIONS C1, C2)."""

    DIRECT_PARSE = "direct_parse"
    TRIM_AND_PARSE = "trim_and_parse"
    EXTRACT_JSON_BLOCK = "extract_json_block"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseError:
    """Why no strategy could read a reply (RESOLUTIONS C3)."""

    retry_count: int
    """Strategies tried: 3 when exhausted."""
    strategies: tuple[str, ...]
    """Their names, in order."""
    final_error: str
    """The error of the last strategy."""
    raw_response: str
    """The reply as it came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseDiagnosis:
    """The record of parsing one reply."""

    strategy: str = ""
    """The strategy that succeeded; empty when none did."""
    retry_count: int = 0
    """Number of the strategy that succeeded, 1 to 3; 3 when none did; 0 when nothing was parsed."""
    repairs: tuple[str, ...] = ()
    """Safe repairs applied, by name."""
    warnings: tuple[str, ...] = ()
    """Fields that were defaulted, dropped or normalised, one sentence each."""
    parse_error: ParseError | None = None
    """Present only when every strategy failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LLMDebugInfo:
    """One model call, whether it answered or failed; a row of the ledger."""

    call_id: str
    purpose: Purpose
    prompt_type: str
    """Name of the template, such as `ai_ask_v1`."""
    provider: str
    model: str
    input: str
    """The messages sent, as one JSON array."""
    output: str
    """The text received, as far as it came."""
    config: Mapping[str, JsonValue] = field(default_factory=dict)
    """Parameters sent besides the messages."""
    template_hash: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    """Those of its thoughts included."""
    latency_ms: int = 0
    """From the request to the last byte."""
    first_token_ms: int = 0
    """From the request to the first text; 0 when none came."""
    finish_reason: str = ""
    error: str = ""
    """Reason of the failure; empty when the call answered."""
    parse: ParseDiagnosis | None = None
    create_time: datetime | None = None
    budget_tokens: int = 0
    """Tokens the prompt could have; 0 where no limit was known."""
    estimated_tokens: int = 0
    """Its tokens as they were counted before it was sent."""
    cuts: tuple[Degradation, ...] = ()
    """What gave way so that it fits; of a node, also that another model answered than it named."""
    reasoning_chars: int = 0
    """Characters of the model's thoughts, which nobody is shown and nothing keeps."""
    reasoning_tokens: int = 0
    """Tokens of them, as the provider counts; 0 where it does not say."""

    @property
    def crowded(self) -> bool:
        """Whether earlier messages gave way, or the prompt takes most of its budget."""
        gave_way = any(cut.reason in _OF_HISTORY for cut in self.cuts)
        return gave_way or self.estimated_tokens > _CROWDED * self.budget_tokens > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """A call as the ledger has it."""

    turn_id: str
    """The turn that made it; for a call of the monitor the turn it judged; of a run: empty."""
    call: LLMDebugInfo
    run_id: str = ""
    """The run whose node or agent made it; empty: no run did."""
    thread_id: str = ""
    """The nested thread for which it was made; empty: none."""
