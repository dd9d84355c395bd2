"""What the instance of an ai_agent remembers between its steps: ids and counters (C22)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pydantic import TypeAdapter

from executor_service.decisions.effects import Effect
from heartrule.domain.json_value import JsonValue

# Characters of a metric that are kept until the round's last step, which may ask no model.
_LONGEST = 100
# Runs that an agent goes on being told of.
_MOST_RUNS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentMemory:
    """Where an agent stands; nothing of it is longer than an id but the metrics of its round."""

    turn_id: str = ""
    """The turn that the counters are of."""
    made: int = 0
    """Decisions of this turn; an unreadable reply counts as one (RESOLUTIONS D13, D18)."""
    rejected: int = 0
    """Those among them that the gate rejected."""
    correlation_id: str = ""
    """Of the rejected decision that the next one replaces; empty: none waits for that."""
    last_id: str = ""
    """The decision handled last in this turn."""
    has_heard: bool = False
    """Whether the client has spoken in this action."""
    has_queued: bool = False
    """Whether decisions wait for their turn in a further step."""
    judges: bool = False
    """Whether this round judges what the client said."""
    metrics: Mapping[str, str] = field(default_factory=dict)
    """Of the round, as far as a reply gave them."""
    progress: str = ""
    """The round's progress_suggestion."""
    runs: tuple[str, ...] = ()
    """The runs that it began or changed last, of any turn."""
    waits_for: str = ""
    """The run whose end the next step of this turn waits for."""
    is_over: bool = False
    """Whether it began a run in this turn that it does not wait for: then it asks no model more."""

    @classmethod
    def of(cls, kept: Mapping[str, JsonValue]) -> AgentMemory:
        """Read it from an instance, which may keep more."""
        return _SHAPE.validate_python(kept)

    def kept(self) -> dict[str, JsonValue]:
        """Return it as an instance keeps it; what says nothing is left out."""
        short = {name: text[:_LONGEST] for name, text in self.metrics.items()}
        kept: dict[str, JsonValue] = _SHAPE.dump_python(
            replace(self, metrics=short), mode="json", exclude_defaults=True
        )
        return kept

    def in_turn(self, turn_id: str, *, is_answer: bool) -> AgentMemory:
        """Return it as a step of a turn begins; a new turn begins to count.

        Args:
            turn_id: The turn that runs.
            is_answer: Whether the step finds what the client said.
        """
        has_heard = self.has_heard or is_answer
        if turn_id != self.turn_id:
            begun = AgentMemory(turn_id=turn_id, has_heard=has_heard, judges=is_answer)
            return replace(begun, runs=self.runs)
        return replace(self, has_heard=has_heard, judges=self.judges or is_answer)

    def after(self, effect: Effect) -> AgentMemory:
        """Return it behind a decision that took effect, with the runs of that."""
        touched = (*(each.run_id for each in effect.runs), effect.waits_for)
        runs = dict.fromkeys((*self.runs, *filter(None, touched)))
        return replace(
            self,
            runs=tuple(runs)[-_MOST_RUNS:],
            waits_for=effect.waits_for,
            is_over=self.is_over or effect.leaves_a_run,
        )


_SHAPE = TypeAdapter(AgentMemory)
