"""What one conversation shows, as counts; judged by the fact sheets, never by the engine's word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from executor_service.scripts.model.actions import ActionType
from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import Message
from heartrule.domain.events import (
    ActionResultRecorded,
    EventBody,
    Outcome,
    SafetyChanged,
    SafetyRaised,
    TurnEnded,
    VariableChanged,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import Purpose
from heartrule.domain.safety import SafetyLevel
from heartrule.domain.skipping import StepSkipped
from heartrule.domain.variables import VariableOperationKind
from tests.conversations.advice_given import Advices
from tests.conversations.fact_sheet import asked_in, asks, language_of, plain, questions
from tests.conversations.personas import PERSONAS
from tests.conversations.playing import Transcript
from tests.conversations.scripted_talker import tokens
from tests.conversations.turns import PlayedTurn, assistant_messages

_ASKING = {ActionType.AI_ASK.value, ActionType.FILL_FORM.value}
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(slots=True)
class Tally:
    """The counts of one conversation, and the lines behind them."""

    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)

    def note(self, name: str, example: str) -> None:
        """Count once, and keep the example."""
        self.counts[name] += 1
        self.examples.setdefault(name, []).append(example)


def measure(transcript: Transcript) -> Tally:
    """Return the counts of a conversation."""
    reading = _Reading(transcript)
    for turn in transcript.turns:
        reading.read(turn)
    reading.close()
    return reading.tally


class _Reading:
    """A transcript while it is read, turn by turn, with what the client has told so far."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.tally = Tally()
        self._persona = PERSONAS[transcript.case.persona]
        self._told: dict[str, list[str]] = {}
        self._said: list[str] = []
        self._earlier: set[str] = set()
        self._reached: set[str] = set()
        self._advices = Advices(transcript, self.tally.note)

    def read(self, turn: PlayedTurn) -> None:
        """Count what a turn shows."""
        if turn.said:
            self._said.append(turn.said)
            self._learn(turn)
        for message in assistant_messages(turn.events):
            self._judge(message, turn)
        self._reached |= set(_known_before(turn))
        results = list(_results(turn))
        self._reached |= {each.action_id for each in results}
        judged = [each for each in results if each.metrics and each.action_type in _ASKING]
        self.tally.counts["rounds"] += len(judged)
        self._judge_values(turn, {each.action_id for each in results if _talks(each)})
        self.tally.counts["alarms"] += sum(
            isinstance(event.body, SafetyRaised) for event in turn.events
        )
        self.tally.counts["levels"] += sum(
            isinstance(event.body, SafetyChanged) and event.body.level > SafetyLevel.NONE
            for event in turn.events
        )
        self.tally.counts["unreadable"] += sum(_unreadable(event.body) for event in turn.events)
        self._advices.read(turn, self._told)

    def close(self) -> None:
        """Count what belongs to the whole conversation."""
        counts, transcript = self.tally.counts, self.transcript
        counts["conversations"] = 1
        counts["turns"] = len(transcript.turns) - 1
        counts["alarmed"] = int(counts["alarms"] > 0)
        counts["concerned"] = int(counts["levels"] > 0)
        counts["outputs"] = sum(
            len(names) for action, names in transcript.outputs.items() if action in self._reached
        )
        if not transcript.over:
            self.tally.note("unfinished", transcript.case.name)
        self._count_calls()

    def _learn(self, turn: PlayedTurn) -> None:
        """Note what the client tells with these words, by a whole sentence or in answer."""
        words = plain(turn.said)
        for name, fact in self.transcript.facts.items():
            for entry in fact.told:
                answer = entry.by(self._persona.language)
                answered = turn.about == name and plain(answer.short) in words
                if answered or plain(answer.says) in words:
                    self._told.setdefault(name, []).append(str(answer.value))

    def _judge(self, message: Message, turn: PlayedTurn) -> None:
        """Count what is wrong with one message; fixed safety texts belong to no action."""
        text, tally = message.plain_text(), self.tally
        tally.counts["messages"] += 1
        own = bool(message.action_instance_id)
        if own:
            self._judge_questions(text)
        if own and asks(text) and _unheard(message, turn):
            tally.note("unawaited", text)
        if own and asks(text) and message.action_instance_id in _ended(turn):
            tally.note("late_exits", text)
        if own and plain(text) in self._earlier:
            tally.note("repeated", text)
        if turn.said and plain(text) and plain(text) == plain(turn.said):
            tally.note("echoed", text)
        if language_of(text, self._persona.language) != self._persona.language:
            tally.note("mismatched", text)
        self._earlier |= {plain(text)} - {""}

    def _judge_questions(self, text: str) -> None:
        for sentence in questions(text):
            names = asked_in(sentence, self.transcript.facts)
            self.tally.counts["questions"] += max(1, len(names))
            for name in names:
                # A sentence that names the value confirms it.
                values = self._told.get(name, ())
                if values and not any(plain(each) in plain(sentence) for each in values):
                    self.tally.note("asked_known", f"{name}: {sentence.strip()}")

    def _judge_values(self, turn: PlayedTurn, talking: set[str]) -> None:
        """Count values of talking actions, and those the client's words do not hold."""
        for event in turn.events:
            if not isinstance(event.body, VariableChanged):
                continue
            written = event.body.variable_operation
            gone = written.operation is VariableOperationKind.DELETE
            if gone or written.action_id not in talking or written.value in {None, ""}:
                continue
            self.tally.counts["values"] += 1
            if not self._supported(written.variable_name, written.value):
                self.tally.note("unsupported", f"{written.variable_name}={written.value}")

    def _supported(self, name: str, value: JsonValue) -> bool:
        """Return whether the client said it: the fact itself, the number, or the words."""
        if str(value) in self._told.get(name, ()):
            return True
        said = "\n".join(self._said)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return any(float(each) == value for each in _NUMBER.findall(said))
        return isinstance(value, str) and bool(plain(value)) and plain(value) in plain(said)

    def _count_calls(self) -> None:
        counts = self.tally.counts
        for call in self.transcript.calls:
            counts["calls"] += 1
            counts["prompt_tokens"] += call.prompt_tokens
            counts["reply_tokens"] += call.reply_tokens
            if call.purpose is Purpose.TALK and not call.opening:
                counts["judged_chars"] += len(call.reply)
                counts["content_chars"] += len(call.content)
                counts["judged_tokens"] += call.reply_tokens
                counts["content_tokens"] += tokens(call.content)


def _results(turn: PlayedTurn) -> Iterator[ActionResult]:
    for event in turn.events:
        if isinstance(event.body, ActionResultRecorded):
            yield event.body.action_result


def _unreadable(body: EventBody) -> int:
    """Return how many replies of a turn that ends here could not be read."""
    if not isinstance(body, TurnEnded):
        return 0
    return sum(each.reason == "UNREADABLE_REPLY" for each in body.degradations)


def _known_before(turn: PlayedTurn) -> Iterator[str]:
    """Yield the actions whose questions were not put, as the client had answered them."""
    for event in turn.events:
        if isinstance(event.body, StepSkipped) and event.body.reason.startswith("KNOWN"):
            yield event.body.action_id


def _talks(result: ActionResult) -> bool:
    return result.action_type in {*_ASKING, ActionType.AI_SAY.value}


def _ended(turn: PlayedTurn) -> set[str]:
    """Return the actions that a judged reply of this turn ended."""
    results = _results(turn)
    return {each.action_instance_id for each in results if each.completed and each.metrics}


def _unheard(message: Message, turn: PlayedTurn) -> bool:
    """Return whether nobody waits for an answer: another action speaks next, or all is over."""
    last = assistant_messages(turn.events)[-1]
    moved = message.action_instance_id != last.action_instance_id
    return moved or turn.outcome is Outcome.SESSION_COMPLETED


def sum_of(tallies: Sequence[Tally]) -> Counter[str]:
    """Return the counts of several conversations together."""
    total: Counter[str] = Counter()
    for tally in tallies:
        total.update(tally.counts)
    return total
