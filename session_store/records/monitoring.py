"""Monitor requests, what came of them, and edits of plans that wait."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from heartrule.domain.action_result import ActionResult
from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.monitoring import (
    Advice,
    AnalysisOutcome,
    ClientReply,
    DialogueLine,
    MonitorAnalysis,
    PlanningState,
    RoundMetrics,
)
from heartrule.domain.orchestration import PlanEdit
from heartrule.domain.replacement import ActionReplacement
from heartrule.domain.variables import VariableValue

# Number of the turn of an edit that waits.
UNDECIDED = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorTicket:
    """Names one monitor request."""

    key: SessionKey
    action_instance_id: str
    round: int
    exhausted: bool = field(default=False, compare=False)
    """True when two attempts in a row died without a result: not to be claimed, but finished."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorWork:
    """A claimed monitor request with the rows it is made of."""

    ticket: MonitorTicket
    attempt: int
    """From 1; it grows with each attempt that failed or died."""
    late: bool = False
    """True: it was claimed so long ago that the claim may have run out since."""
    script_id: str
    script_version: str
    phase_id: str
    topic_id: str
    technique_id: str = ""
    """The technique that defines the judged action; empty: the topic does."""
    definition: Mapping[str, JsonValue] = field(default_factory=dict)
    """What an edit of the plan gave the judged action; empty: the script defines it."""
    turn_id: str
    max_rounds: int
    result: ActionResult
    trend: tuple[RoundMetrics, ...]
    dialogue: tuple[DialogueLine, ...]
    """The question, the client's reply, and the answer given."""
    dialogue_before: tuple[DialogueLine, ...] = ()
    """Messages before the question, oldest first."""
    gathered: tuple[VariableValue, ...] = ()
    """What rounds of the session gathered, this one included, from the longest unwritten."""
    earlier_replies: tuple[ClientReply, ...] = ()
    """The client's in this instance's judged rounds before this one: the newest, oldest first."""
    traceparent: str
    stale: bool
    """True once the session is more than `ttl_turns` turns further: drop it with a reason."""
    usable: bool = True
    """False, from the second attempt on, once the action has ended and no plan edit can come of
    the round (RESOLUTIONS C13), or the session has ended: drop it with a reason."""
    replacements: tuple[ActionReplacement, ...] = ()
    """Configs in the place of the script's, in this session alone."""
    tokens_spent: int = 0
    """Tokens of all the session's analyses and plans so far."""
    language: str = ""
    """The session's, as a tag such as `en-US`: its own, else its locale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingAnalysis:
    """What a turn may still expect of the analysis of one round."""

    open: bool
    """True while it is to come; False where it ended or was never asked for."""
    advice: Advice | None = None
    """What it advised, where that still waits for a prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisRecord:
    """How a monitor request ended."""

    ticket: MonitorTicket
    outcome: AnalysisOutcome
    reason: str = ""
    analysis: MonitorAnalysis | None = None
    advice: Advice | None = None
    """To be stored; the store decides whether it is pending, expired or superseded."""
    calls: tuple[LLMDebugInfo, ...] = ()
    retry_after: timedelta | None = None
    """Failed, and owed still: the pause before the next attempt, with no event yet. None: ended."""
    plan_owed: bool = False
    """True: a plan is to be made of it; the request is marked until one was, or was given up."""
    judged_turn_id: str = ""
    """The turn that was judged; where another has taken its place, nothing is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptEdit:
    """An edit with the turns it depends on."""

    edit: PlanEdit
    judged_turn_no: int = 0
    """Number of the turn that was judged; of an undo, of the newest turn then."""
    decided_turn_no: int = UNDECIDED
    sequence: int = 0
    """Of its first event; it orders edits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditsAtHand:
    """What a turn needs to decide edits; empty for a session in which none waits."""

    waiting: tuple[KeptEdit, ...] = ()
    """In the order in which they were made."""
    past: tuple[PlanEdit, ...] = ()
    """Edits applied to the session's current topic, undone ones too, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedEdit:
    """What an orchestrator proposed, to be kept for the next turn."""

    key: SessionKey
    edit: PlanEdit | None
    """None: nothing was proposed; the calls are kept all the same."""
    judged_turn_id: str = ""
    calls: tuple[LLMDebugInfo, ...] = ()
    ticket: MonitorTicket | None = None
    """The round whose analysis asked for it; None: no analysis did."""
    state: PlanningState = PlanningState.PROPOSED
    """What became of the wish: one that is owed no longer proposes nothing."""
    reason: str = ""
    """Why there is no plan, in UPPER_SNAKE."""
    retry_after: timedelta | None = None
    """Failed, and owed still: the pause before the next attempt. None: it is owed no longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanningWork:
    """A plan that is owed, claimed, with what it is to be made from."""

    judged: MonitorWork
    """The round; `attempt` counts those at the plan."""
    analysis: MonitorAnalysis
    advice_id: str = ""
    """The advice the analysis gave; empty for none."""
