"""The reply of an agent: what it decides, besides what any reply that judges a client says.

What it writes is only read here; whether it may be done is the gate's to say.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from heartrule.domain.action_result import UNREADABLE_METRIC, ActionMetrics
from heartrule.domain.decisions import Intent
from heartrule.domain.json_value import JsonValue
from heartrule.model.reply.contract import ReplyContract
from heartrule.model.reply.field_reader import FieldReader
from heartrule.model.reply.parser import parse_object
from heartrule.model.reply.prose import Skeleton, is_placeholder
from heartrule.model.reply.typed_replies import TalkReply

_TYPE, _PAYLOAD, _CONFIDENCE = "decision_type", "payload", "confidence"
_ACTION_TYPE = "action_type"
# The fields of payloads that a client reads.
_SAID = frozenset({"response", "question", "options"})


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenDecision:
    """A decision as the model wrote it."""

    decision_type: str
    """In lower case; empty where it names none."""
    payload: JsonValue
    """As written, without dots and without the template's own words to a client."""
    confidence: float | None = None
    """From 0 to 1; None where it says none, or none that can be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentReply(TalkReply):
    """The reply of an agent; its text for the client stands in a decision, so `content` is empty.

    `exit` is False: a RESPOND that ends the action is one only behind its verdict.
    """

    intent: Intent = Intent.UNKNOWN
    """What the client wants; unknown where the model names nothing known."""
    decisions: tuple[WrittenDecision, ...] = ()
    """In the order in which they were written; empty where the reply is unreadable, or is the
    template's shape: then it decided nothing."""


def read_agent_reply(
    text: str,
    *,
    contract: ReplyContract,
    own_words: Skeleton,
    client_text: str = "",
    finish_reason: str = "stop",
) -> AgentReply:
    """Read the reply of an agent.

    Args:
        text: The model's whole answer.
        contract: Of `agent_contract`; without metrics where nobody reads them.
        own_words: The template's, to know them when they are copied.
        client_text: The client's last message.
        finish_reason: How the model's stream ended: what was cut is not mended.
    """
    parsed = parse_object(
        text, contract=contract, client_text=client_text, finish_reason=finish_reason
    )
    if parsed.value is None:
        unreadable = dict.fromkeys(contract.metrics, UNREADABLE_METRIC)
        return AgentReply(diagnosis=parsed.diagnosis, metrics=ActionMetrics(**unreadable))
    reader = FieldReader(parsed.value, contract, own_words, client_text)
    found, decisions = reader.variables(), _DecisionReader(own_words, client_text)
    reply = AgentReply(
        diagnosis=parsed.diagnosis,
        intent=decisions.intent(parsed.value.get("intent")),
        decisions=decisions.read(parsed.value.get("decisions")),
        variables=found.values,
        quotes=found.quotes,
        foreign=found.foreign,
        metrics=reader.metrics(),
        progress_suggestion=reader.progress(),
    )
    noted = (*parsed.diagnosis.warnings, *reader.warnings, *decisions.warnings)
    return replace(reply, diagnosis=replace(parsed.diagnosis, warnings=noted))


class _DecisionReader:
    """Reads intent and decisions; `warnings` says what was left out or taken from elsewhere."""

    def __init__(self, own_words: Skeleton, client_text: str) -> None:
        self.warnings: list[str] = []
        self._own_words = own_words
        self._client_text = client_text

    def intent(self, raw: JsonValue) -> Intent:
        """Return the intent; unknown where it is none of the table's (document 002, section 5)."""
        word = raw.strip().lower() if isinstance(raw, str) else ""
        if word in set(Intent):
            return Intent(word)
        self.warnings.append("intent is missing or unknown; unknown")
        return Intent.UNKNOWN

    def read(self, raw: JsonValue) -> tuple[WrittenDecision, ...]:
        """Return the decisions of a list, or of one that stands alone."""
        if not isinstance(raw, list):
            self.warnings.append("decisions is one object; taken as a list of one")
            raw = [raw]
        written = [item for item in raw if isinstance(item, Mapping) and not _is_shape(item)]
        if len(written) < len(raw):
            left_out = len(raw) - len(written)
            self.warnings.append(f"{left_out} in decisions are no decisions; left out")
        return tuple(map(self._decision, written))

    def _decision(self, item: Mapping[str, JsonValue]) -> WrittenDecision:
        payload, kind = self._payload(item), item.get(_TYPE)
        if kind is None and isinstance(payload, Mapping):
            kind = payload.get(_ACTION_TYPE)
            self.warnings.append("decision_type is missing; taken from action_type")
        return WrittenDecision(
            decision_type=kind.strip().lower() if isinstance(kind, str) else "",
            payload=self._without_copies(payload),
            confidence=_confidence(item.get(_CONFIDENCE)),
        )

    def _payload(self, item: Mapping[str, JsonValue]) -> JsonValue:
        """Return the payload; fields that were written beside it where there is none."""
        if _PAYLOAD in item:
            return item[_PAYLOAD]
        self.warnings.append("payload is missing; taken from the fields beside it")
        return {name: value for name, value in item.items() if name not in {_TYPE, _CONFIDENCE}}

    def _without_copies(self, value: JsonValue, *, is_said: bool = False) -> JsonValue:
        """Return a value with "" for dots, and for a template's words that a client would read.

        The gate refuses an empty text where one is needed, and the model is told. What nobody
        reads, such as a thought, may well say what the template says (RESOLUTIONS C36).
        """
        if isinstance(value, Mapping):
            return {
                name: self._without_copies(inner, is_said=name in _SAID)
                for name, inner in value.items()
            }
        if isinstance(value, list):
            return [self._without_copies(inner, is_said=is_said) for inner in value]
        if not isinstance(value, str):
            return value
        copied = is_said and self._own_words.copied("decisions", value, said=self._client_text)
        if not copied and not is_placeholder(value):
            return value
        self.warnings.append("a text of a decision repeats the template; emptied")
        return ""


def _is_shape(item: Mapping[str, JsonValue]) -> bool:
    """Return whether an item is the template's, which has dots in the place of a type."""
    kind = item.get(_TYPE)
    return isinstance(kind, str) and is_placeholder(kind)


def _confidence(raw: JsonValue) -> float | None:
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        return None
    return float(raw) if math.isfinite(raw) and 0 <= raw <= 1 else None
