"""Signals in a turn: found when a round was judged, kept in its result, told to the next round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from executor_service.actions.action_context import RoundContext, RoundOutcome
from executor_service.actions.message_order import unanswered
from executor_service.actions.outgoing.text_fault import TextFault
from executor_service.engine.running_turn import RunningTurn
from executor_service.engine.step_hook import Round, StepHook
from executor_service.monitoring.pacing import SIGNALS
from executor_service.monitoring.signal_words import SignalWords
from executor_service.monitoring.signals import RoundSeen, Signal, signals_of
from heartrule.domain.json_value import JsonValue

# Messages of each author that are looked at: a question of long ago may be put again.
_MESSAGES = 12
# What the result of a round says itself, by the key of its metadata.
_RECORDED = {
    "repeated_content": Signal.REPETITION,
    "late_exit": Signal.LATE_EXIT,
    "late_question": Signal.LATE_EXIT,
    "unsupported": Signal.UNSUPPORTED_VALUE,
}
# The same of a text that was caught before it was sent, by the fault its degradation names.
_CAUGHT: Mapping[str, Signal] = {
    TextFault.ECHO: Signal.ECHO,
    TextFault.REPETITION: Signal.REPETITION,
}


class RoundSignals(StepHook):
    """Adds what code saw in a judged round to its result."""

    def __init__(self, turn: RunningTurn, *, words: SignalWords) -> None:
        """Find signals by `words`."""
        super().__init__(turn)
        self._words = words
        self._context: RoundContext | None = None
        self._before: Mapping[str, JsonValue] = {}
        self._gathers = False

    async def before_round(self, round_: Round) -> Round:
        """Tell the round what was seen in the one before it; note the values it begins with."""
        context = round_.context
        seen = context.instance.memory.get(SIGNALS)
        if isinstance(seen, Mapping):
            lines = self._words.described(seen, context.scene.language)
            context = replace(context, signals=lines)
        outputs = [output.get for output in context.action.config.output]
        self._context = _as_judged(context)
        self._before = {name: context.variables.get(name) for name in outputs}
        self._gathers = any(not context.known(name) for name in outputs)
        return replace(round_, context=context)

    def after_round(self, outcome: RoundOutcome) -> RoundOutcome:
        """Keep the signals of a judged round in its result, and in its instance's memory."""
        context, result = self._context, outcome.result
        if context is None or context.reply is None or result.exit_decision is None:
            return outcome
        found = signals_of(self._seen(context, context.reply, outcome), self._words)
        if not found:
            return outcome
        kept: dict[str, JsonValue] = {signal.value: count for signal, count in found.items()}
        metadata = {**result.metadata, SIGNALS: kept}
        return replace(
            outcome,
            result=replace(result, metadata=metadata),
            memory={**outcome.memory, SIGNALS: kept},
        )

    def _seen(self, context: RoundContext, reply: str, outcome: RoundOutcome) -> RoundSeen:
        variables = context.variables
        return RoundSeen(
            reply=reply,
            answer="\n".join(each.text for each in outcome.messages),
            client_before=_texts(context, "user"),
            said_before=_texts(context, "assistant"),
            gathers=self._gathers,
            gathered=any(variables.get(name) != value for name, value in self._before.items()),
            caught=frozenset(_caught(outcome)),
            language=context.scene.language.partition("-")[0],
        )


def _as_judged(context: RoundContext) -> RoundContext:
    """Return the round with the client's words, which a further step of it finds as history."""
    if context.reply is not None or not context.beside.unjudged:
        return context
    history, words = unanswered(context.history)
    return replace(context, reply=words, history=history)


def _texts(context: RoundContext, role: str) -> tuple[str, ...]:
    return tuple(each.content for each in context.history if each.role == role)[-_MESSAGES:]


def _caught(outcome: RoundOutcome) -> Iterator[Signal]:
    metadata = outcome.result.metadata
    yield from (signal for key, signal in _RECORDED.items() if metadata.get(key))
    for each in outcome.degradations:
        if signal := _CAUGHT.get(each.metadata.get("fault", "")):
            yield signal
