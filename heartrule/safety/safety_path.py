"""The crisis path: from a session's state and what a turn brought to what is said; pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from heartrule.domain.safety import (
    GUARD_TURNS,
    LEFT,
    NEVER,
    SafetyLevel,
    SafetySource,
    SafetyState,
)

_CARD_EVERY = 3
_CONCERN_EVERY = 5
_QUIET_TURNS = 5
_DENIALS = 2


class Asks(StrEnum):
    """What a step asks."""

    NOTHING = ""
    DIRECT = "direct"
    """Whether the client thinks of suicide now."""
    GENTLE = "gentle"
    """The one careful question of a concern."""
    REACH = "reach"
    """What makes it hard to reach help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathStep:
    """One step of a level."""

    step: str
    asks: Asks = Asks.NOTHING
    resources: bool = False
    """Its texts list where help is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Barrier:
    """Something that makes it hard to reach help."""

    barrier: str
    words: tuple[str, ...]
    """In lower case; none: it stands for everything else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """The steps of each level, in order, and the barriers."""

    levels: Mapping[SafetyLevel, tuple[PathStep, ...]]
    barriers: tuple[Barrier, ...]

    def barrier_in(self, text: str) -> str:
        """Return the first barrier whose words a text holds, else the last one."""
        lower = text.casefold()
        for each in self.barriers:
            if any(word in lower for word in each.words):
                return each.barrier
        return self.barriers[-1].barrier

    def lists_resources(self, said: Said) -> bool:
        """Return whether a text says where help is."""
        steps = (each for each in self.levels[said.level] if each.step == said.step)
        return said.with_card or any(each.resources and not said.barrier for each in steps)

    def after(self, level: SafetyLevel, step: str) -> PathStep:
        """Return the step behind another; the last one follows itself."""
        steps = self.levels[level]
        names = [each.step for each in steps]
        place = names.index(step) + 1 if step in names else 0
        return steps[min(place, len(steps) - 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnHearing:
    """What a turn's inputs mean."""

    level: SafetyLevel = SafetyLevel.NONE
    source: SafetySource = SafetySource.RULE
    denied: bool = False
    """The client clearly said no to the question asked last."""
    text: str = ""
    """The client's words, searched for barriers."""

    @property
    def is_hit(self) -> bool:
        """True unless there is nothing, or only an evasive answer."""
        evasive = self.source is SafetySource.CONTEXT and self.level <= SafetyLevel.CONCERN
        return self.level > SafetyLevel.NONE and not evasive


#: Nothing was written, or nothing that matters.
NOTHING_HEARD = TurnHearing()


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Which fixed text is said."""

    level: SafetyLevel
    step: str
    further: int | None = None
    """Number of the further wording; None: the first form."""
    short: bool = False
    barrier: str = ""
    """The barrier that is answered in the place of the step's text."""
    with_card: bool = False
    """The short form of the level's card stands before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """What the path does in a turn."""

    state: SafetyState
    said: Said | None = None
    ends: bool = False
    """The turn ends here: the script does not go on in it."""
    raised: bool = False
    """The level rose."""
    resumes: bool = False
    """The script goes on behind a safety text that asked something else than the script."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyPath:
    """Decides what is said; it holds nothing between two turns."""

    steps: Steps

    def react(self, before: SafetyState, heard: TurnHearing, turn: int) -> Reaction:
        """Return what a turn's inputs lead to; `turn` is its number in the session."""
        if before.opt_out:
            return Reaction(state=before)
        state = _counted(before, heard)
        raised = heard.level > before.level
        if raised and heard.level >= SafetyLevel.CRISIS:
            return self._entered(before, replace(state, frozen=True), turn)
        if state.frozen:
            return self._frozen(state, heard, turn)
        resumes = before.step == LEFT or before.question == Asks.GENTLE
        step = "" if before.step == LEFT else state.step
        state = replace(state, step=step, question=Asks.NOTHING)
        if heard.level in (SafetyLevel.THIRD_PARTY, SafetyLevel.EMERGENCY):
            done = self._carded(before, state, heard.level, turn)
        elif heard.is_hit and _is_due(state.concern_turn, turn, _CONCERN_EVERY):
            done = self._asked(state, turn)
        else:
            done = Reaction(state=_faded(state, turn))
        return replace(done, raised=raised, resumes=resumes and not done.ends)

    def _entered(self, before: SafetyState, state: SafetyState, turn: int) -> Reaction:
        """Show the full card of a level that was reached from below."""
        step = self.steps.after(state.level, "")
        said = _worded(before, state.level, step)
        state = _noted(state, step, carded=turn)
        return Reaction(state=state, said=said, ends=True, raised=True)

    def _frozen(self, state: SafetyState, heard: TurnHearing, turn: int) -> Reaction:
        """Go to the next step, answer a barrier, or leave."""
        if state.denials >= _DENIALS and state.quiet_turns >= _QUIET_TURNS:
            return _left(state, turn)
        due = _is_due(state.last_card_turn, turn, _CARD_EVERY)
        carded = turn if due else state.last_card_turn
        if state.question == Asks.REACH:
            barrier = self.steps.barrier_in(heard.text)
            said = Said(level=state.level, step=state.step, barrier=barrier, with_card=due)
            state = replace(state, question=Asks.NOTHING, last_card_turn=carded)
            return Reaction(state=state, said=said, ends=True)
        step = self.steps.after(state.level, state.step)
        said = _worded(state, state.level, step)
        if due and not step.resources:
            said = Said(level=state.level, step=step.step, short=True, with_card=True)
        return Reaction(state=_noted(state, step, carded=carded), said=said, ends=True)

    def _carded(
        self, before: SafetyState, state: SafetyState, level: SafetyLevel, turn: int
    ) -> Reaction:
        """Show a card beside the script: the full one at a rise, later a short one."""
        step = self.steps.after(level, "")
        if level > before.level:
            said = _worded(before, level, step)
        elif _is_due(state.last_card_turn, turn, _CARD_EVERY):
            again = state.wording % 2 == 0
            said = _further(state, level, step) if again else _short(level, step)
        else:
            return Reaction(state=state)
        return Reaction(state=_noted(state, step, carded=turn), said=said)

    def _asked(self, state: SafetyState, turn: int) -> Reaction:
        """Ask the gentle question in place of the script's next one."""
        step = self.steps.after(SafetyLevel.CONCERN, "")
        known = state.concern_turn != NEVER
        first = Said(level=SafetyLevel.CONCERN, step=step.step)
        said = _further(state, SafetyLevel.CONCERN, step) if known else first
        state = replace(_noted(state, step, carded=state.last_card_turn), concern_turn=turn)
        return Reaction(state=state, said=said, ends=True)


def is_guarded(state: SafetyState, turn: int) -> bool:
    """Return whether a model's texts are guarded in a turn."""
    watched = state.level > SafetyLevel.NONE or turn <= state.guard_until_turn
    return watched and not state.opt_out


def _counted(state: SafetyState, heard: TurnHearing) -> SafetyState:
    """Return the state with the level raised, and denials and quiet turns counted."""
    # Whoever was asked what makes it hard may name a burden or shame: an answer, no new hit.
    is_barrier = state.question == Asks.REACH and heard.level <= SafetyLevel.CONCERN
    if heard.is_hit and not is_barrier:
        level = max(state.level, heard.level)
        return replace(state, level=level, denials=0, quiet_turns=0)
    answers = heard.denied and state.question == Asks.DIRECT
    watched = state.level > SafetyLevel.NONE
    return replace(
        state,
        level=max(state.level, heard.level),
        denials=state.denials + answers,
        quiet_turns=state.quiet_turns + watched,
    )


def _faded(state: SafetyState, turn: int) -> SafetyState:
    """Return the state without its level where that was quiet for long enough."""
    if state.level is SafetyLevel.NONE or state.quiet_turns < _QUIET_TURNS:
        return state
    return _without_level(state, turn, step="")


def _left(state: SafetyState, turn: int) -> Reaction:
    """Leave a frozen level with a text of its own; the script goes on in the next turn."""
    step = PathStep(step=LEFT)
    said = _worded(state, SafetyLevel.NONE, step)
    after = _noted(_without_level(state, turn, step=LEFT), step, carded=state.last_card_turn)
    return Reaction(state=after, said=said, ends=True)


def _without_level(state: SafetyState, turn: int, *, step: str) -> SafetyState:
    return replace(
        state,
        level=SafetyLevel.NONE,
        frozen=False,
        step=step,
        question=Asks.NOTHING,
        denials=0,
        quiet_turns=0,
        guard_until_turn=turn + GUARD_TURNS,
    )


def _noted(state: SafetyState, step: PathStep, *, carded: int) -> SafetyState:
    return replace(
        state,
        step=step.step,
        question=step.asks,
        wording=state.wording + 1,
        last_card_turn=carded,
    )


def _worded(state: SafetyState, level: SafetyLevel, step: PathStep) -> Said:
    """Return the first form; a further one where the step, or a whole level, comes again."""
    again = state.guard_until_turn != NEVER or (state.level is level and state.step == step.step)
    return _further(state, level, step) if again else Said(level=level, step=step.step)


def _further(state: SafetyState, level: SafetyLevel, step: PathStep) -> Said:
    return Said(level=level, step=step.step, further=state.wording)


def _short(level: SafetyLevel, step: PathStep) -> Said:
    return Said(level=level, step=step.step, short=True)


def _is_due(last: int, turn: int, every: int) -> bool:
    return last == NEVER or turn - last >= every
