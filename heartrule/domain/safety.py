"""The words of the crisis path: levels, sources, what the client was asked, where a session is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import IntEnum, StrEnum

# Turns after the last one at CONCERN or above in which the output guard still reads.
GUARD_TURNS = 10
# No turn.
NEVER = -1
# The step of a session that left its level: its next turn resumes the script.
LEFT = "left"


class SafetyLevel(IntEnum):
    """How much danger was found, in rising order; a source may raise it and never lower it."""

    NONE = 0
    CONCERN = 1
    """Something to ask about."""
    THIRD_PARTY = 2
    """Somebody else may be in danger of suicide or self-harm."""
    EMERGENCY = 3
    """Danger to or from others."""
    CRISIS = 4
    """The client names suicide or self-harm."""
    IMMINENT = 5
    """With a plan, a time, means at hand, a farewell, or under way."""


class SafetySource(StrEnum):
    """What raised a level."""

    RULE = "rule"
    FORM_ITEM = "form_item"
    CONTEXT = "context"
    """What an answer means after a safety question."""
    CLASSIFIER = "classifier"
    MONITOR = "monitor"
    OPERATOR = "operator"


class Subject(StrEnum):
    """Whom a sentence is about."""

    SELF = "self"
    OTHER = "other"


class ResourceKind(StrEnum):
    """How a resource is reached."""

    PHONE = "phone"
    TEXT = "text"
    CHAT = "chat"
    URL = "url"


class AlertState(StrEnum):
    """Whether an alert has reached its receiver."""

    PENDING = "pending"
    DELIVERED = "delivered"


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyResource:
    """Where help is."""

    name: str
    kind: ResourceKind
    number: str
    """The number to call or to write to; of a CHAT or URL the address."""
    hours: str = ""
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyCard:
    """A fixed text with resources, as a client receives it."""

    level: SafetyLevel
    text: str
    """Everything to be shown, the resources included."""
    short: bool = False
    """True: the short form."""
    locale: str = ""
    resources: tuple[SafetyResource, ...] = ()
    """The same resources for a client that makes links of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyFallback:
    """What a client is shown where its input was refused."""

    card: SafetyCard


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyState:
    """Where a session is on the crisis path; turns are named by number, NEVER is none."""

    level: SafetyLevel = SafetyLevel.NONE
    step: str = ""
    """The step of path.yaml it is at; empty: at none."""
    frozen: bool = False
    """True: the script's position stays, no session ends."""
    question: str = ""
    """Id of the safety question asked last; empty: none waits for its answer."""
    denials: int = 0
    """Clear denials of direct questions since the last hit."""
    quiet_turns: int = 0
    """Turns without a hit."""
    last_card_turn: int = NEVER
    wording: int = 0
    """Which wording comes next, so that none comes twice running."""
    concern_turn: int = NEVER
    """When the gentle question was asked last."""
    guard_until_turn: int = NEVER
    """The last turn in which the output guard reads what a model writes."""
    opt_out: str = ""
    """Why the script turned the path off; empty: it is on."""


# Where a session is in which nothing was found.
NOTHING_FOUND = SafetyState()


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyEvent:
    """A hit, or an operator's decision, as operators list it; without the client's words."""

    safety_event_id: str
    session_id: str
    turn_id: str = ""
    """Empty for a refused input and outside a turn."""
    client_message_ids: tuple[str, ...] = ()
    refused: bool = False
    """True: the input was refused; the card went with the refusal."""
    level: SafetyLevel
    step: str = ""
    source: SafetySource
    rules: tuple[str, ...] = ()
    subject: Subject | None = None
    """None: it is about nobody, such as a form's item."""
    language: str = ""
    locale: str = ""
    """Of the card; empty: none was shown."""
    create_time: datetime | None = None
    alert: AlertState | None = None
    """None: it asked for no alert."""
    alert_failures: int = 0
    acknowledge_time: datetime | None = None
    """None: no operator has seen it."""
    acknowledged_by: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyCount:
    """How many hits a month had of one level, source and language."""

    month: str
    """Such as 2026-11, in UTC."""
    level: SafetyLevel
    source: SafetySource
    language: str
    count: int
    refused: int = 0
    """How many of them were of refused inputs."""


def raised_in_fork(then: SafetyState, now: SafetyState) -> SafetyState:
    """Return the state of a fork whose last turn left its source at `then`, which is `now` higher.

    The level begins at its first step: nothing that was said or asked since is in the fork.
    """
    return replace(
        then,
        level=now.level,
        step="",
        frozen=now.frozen,
        question="",
        denials=0,
        quiet_turns=0,
        last_card_turn=NEVER,
    )


def left_by_operator(state: SafetyState, level: SafetyLevel, turn_no: int) -> SafetyState:
    """Return the state after an operator set its level; the guard reads on for GUARD_TURNS.

    `turn_no` is the session's newest turn.
    """
    return replace(
        state,
        level=level,
        step=LEFT,
        frozen=False,
        question="",
        denials=0,
        quiet_turns=0,
        guard_until_turn=max(state.guard_until_turn, turn_no + GUARD_TURNS),
    )
