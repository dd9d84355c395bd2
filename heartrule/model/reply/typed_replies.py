"""Typed replies: every field of a model's reply, normalised, with warnings.

Nothing here fails: an absent, odd or copied field gets its default and a warning in the diagnosis
(document 000; RESOLUTIONS C3-C5, C16, C25, C26, C36).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from heartrule.domain.action_result import UNREADABLE_METRIC, ActionMetrics, ProgressSuggestion
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import ParseDiagnosis
from heartrule.model.reply.contract import ReplyContract
from heartrule.model.reply.field_reader import Assessment, FieldReader
from heartrule.model.reply.parser import parse_object
from heartrule.model.reply.prose import Skeleton, repeats

_CONTENT = re.compile(r'"content"\s*:\s*"([^"\\]{0,500})"')


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkReply:
    """The reply of ai_think; an unreadable one leaves the outputs unset."""

    diagnosis: ParseDiagnosis
    """How it was read, and what had to be defaulted."""
    variables: Mapping[str, JsonValue] = field(default_factory=dict)
    """Values under output names, as given; blanks are left out. `convert` gives the types."""
    quotes: Mapping[str, str] = field(default_factory=dict)
    """By name, the client's words a value is said to rest on; a plain value has none."""
    foreign: Mapping[str, JsonValue] = field(default_factory=dict)
    """Values under names that no output has."""
    brief: str = ""
    """The model's own summary."""

    @property
    def readable(self) -> bool:
        """False when all strategies failed (RESOLUTIONS C3)."""
        return self.diagnosis.parse_error is None


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkReply(ThinkReply):
    """The reply of an action that talks with the client."""

    exit: bool = False
    """EXIT; any unclear value means that the action goes on."""
    content: str = ""
    """The text for the client; empty when nothing could be read, or it was the template's."""
    exit_reason_text: str = ""
    """Why the model asks for the end of the action, in its words."""
    should_exit: bool | None = None
    """The model's own exit decision, where the template asks for one."""
    metrics: ActionMetrics = field(default_factory=ActionMetrics)
    """The metrics of the contract; those of other actions are empty."""
    progress_suggestion: ProgressSuggestion = ProgressSuggestion.CONTINUE_NEEDED
    """Continue, where the model named nothing known."""
    assessment: Assessment | None = None
    """Where the template asks for one."""


def read_talk_reply(
    text: str,
    *,
    contract: ReplyContract,
    own_words: Skeleton,
    client_text: str = "",
    finish_reason: str = "stop",
) -> TalkReply:
    """Read the reply of an action that talks with the client.

    Args:
        text: The model's whole answer.
        contract: Fields, metrics and outputs; without metrics for an opening, which judges nothing.
        own_words: The template's, to know them when they are copied.
        client_text: The client's last message.
        finish_reason: How the model's stream ended.
    """
    parse = partial(parse_object, text, client_text=client_text, finish_reason=finish_reason)
    parsed = parse(contract=contract)
    copied = parsed.value is None and _copies_content(text, contract.content_hint)
    if copied:  # what else it says may be the client's
        parsed = parse(contract=replace(contract, required=(), content_hint=""))
    if parsed.value is None:
        unreadable = dict.fromkeys(contract.metrics, UNREADABLE_METRIC)
        return TalkReply(diagnosis=parsed.diagnosis, metrics=ActionMetrics(**unreadable))
    reader = FieldReader(parsed.value, contract, own_words, client_text)
    found = reader.variables()
    content = reader.content()  # notes that it was copied
    reply = TalkReply(
        diagnosis=parsed.diagnosis,
        exit=reader.exit(),
        content="" if copied else content,
        brief=reader.text("BRIEF"),
        exit_reason_text=reader.text("exit_reason"),
        should_exit=reader.flag("should_exit"),
        variables=found.values,
        quotes=found.quotes,
        foreign=found.foreign,
        metrics=reader.metrics(),
        progress_suggestion=reader.progress(),
        assessment=reader.assessment(),
    )
    if not reader.warnings:  # nearly always
        return reply
    return replace(reply, diagnosis=_noted(parsed.diagnosis, reader))


def read_think_reply(text: str, *, contract: ReplyContract, own_words: Skeleton) -> ThinkReply:
    """Read the reply of ai_think; the arguments are those of `read_talk_reply`."""
    parsed = parse_object(text, contract=contract)
    if parsed.value is None:
        return ThinkReply(diagnosis=parsed.diagnosis)
    reader = FieldReader(parsed.value, contract, own_words)
    reply = ThinkReply(
        diagnosis=parsed.diagnosis, variables=reader.variables().values, brief=reader.text("BRIEF")
    )
    return replace(reply, diagnosis=_noted(parsed.diagnosis, reader))


def _copies_content(text: str, hint: str) -> bool:
    """Return whether the text for the client is the template's description of it, or dots."""
    found = _CONTENT.search(text)
    return found is not None and bool(found.group(1).strip()) and repeats(found.group(1), hint)


def _noted(diagnosis: ParseDiagnosis, reader: FieldReader) -> ParseDiagnosis:
    return replace(diagnosis, warnings=(*diagnosis.warnings, *reader.warnings))
