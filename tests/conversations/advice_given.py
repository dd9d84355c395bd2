"""What became of the monitor's advice: made, used, obeyed, and how much of it was wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from heartrule.domain.events import ActionResultRecorded, AdviceChanged
from heartrule.domain.monitoring import Advice, AdviceState
from tests.conversations.fact_sheet import asked_in, plain, questions
from tests.conversations.inner_replies import asks_for
from tests.conversations.playing import Transcript
from tests.conversations.turns import PlayedTurn, assistant_messages


class Advices:
    """The advice of one conversation, read turn by turn."""

    def __init__(self, transcript: Transcript, note: Callable[[str, str], None]) -> None:
        """Count by `note`."""
        self._facts = transcript.facts
        self._note = note
        self._changes = [
            (event.sequence, event.body.advice)
            for event in transcript.events
            if isinstance(event.body, AdviceChanged)
        ]
        shown = (call.shown_advice for call in transcript.calls)
        self._templates = {plain(text) for text in shown} - {""}
        self._ends = iter([*_firsts(transcript.turns), None])
        next(self._ends)

    def read(self, turn: PlayedTurn, told: Mapping[str, Sequence[str]]) -> None:
        """Count what was made and used up to the next turn, by what was told until now."""
        before = next(self._ends)
        while self._changes and (before is None or self._changes[0][0] < before):
            advice = self._changes.pop(0)[1]
            if advice.state is AdviceState.PENDING:
                self._note("advice_made", advice.feedback_text)
                if self._wrong(advice, told):
                    self._note("advice_wrong", advice.feedback_text)
            elif advice.state is AdviceState.CONSUMED:
                self._note("advice_used", advice.feedback_text)
                if self._obeyed(advice, turn, told):
                    self._note("advice_obeyed", advice.feedback_text)
                elif self._overtaken(advice, turn, told):
                    self._note("advice_overtaken", advice.feedback_text)

    def _wrong(self, advice: Advice, told: Mapping[str, Sequence[str]]) -> bool:
        """Return whether it asks for what is known, is the template's, or calls itself needless."""
        copied = plain(advice.analysis.feedback_for_action) in self._templates
        known = any(name in told for name in asks_for(advice.feedback_text, self._facts))
        return known or copied or not advice.analysis.intervention_needed

    def _obeyed(self, advice: Advice, turn: PlayedTurn, told: Mapping[str, Sequence[str]]) -> bool:
        """Return whether the next message asks what was advised; without that, nothing known."""
        texts = [
            message.plain_text()
            for message in assistant_messages(turn.events)
            if message.action_instance_id == advice.action_instance_id
        ]
        asked = {n for t in texts for s in questions(t) for n in asked_in(s, self._facts)}
        wanted = set(asks_for(advice.feedback_text, self._facts))
        return bool(asked & wanted) if wanted else not asked & set(told)

    def _overtaken(
        self, advice: Advice, turn: PlayedTurn, told: Mapping[str, Sequence[str]]
    ) -> bool:
        """Return whether nothing was left to obey: all it proposes was told, or all ended."""
        wanted = set(asks_for(advice.feedback_text, self._facts))
        bodies = (event.body for event in turn.events)
        ended = any(
            isinstance(body, ActionResultRecorded)
            and body.action_result.completed
            and body.action_result.action_instance_id == advice.action_instance_id
            for body in bodies
        )
        return ended or (bool(wanted) and wanted <= set(told))


def _firsts(turns: Sequence[PlayedTurn]) -> Iterator[int]:
    """Yield the sequence of each turn's first durable event."""
    for turn in turns:
        yield next((event.sequence for event in turn.events if event.sequence), 0)
