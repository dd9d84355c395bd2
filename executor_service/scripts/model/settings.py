"""Declarations, conditions, roles and settings of a script's places."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le

from executor_service.conditions.expression import Expression
from executor_service.scripts.model.findings import SourcePlace
from executor_service.scripts.model.kinds import WORD, Free, FullText, NumberOrText, Text, Variable
from executor_service.scripts.model.mapping import Derived, Inferred, mapping
from heartrule.domain.conversation import IfBusy
from heartrule.domain.input_limit import MOST_INPUT_CHARS
from heartrule.domain.output_type import OutputType
from heartrule.domain.variables import VariableScope
from heartrule.words.words import say

# The largest `n`: no action talks for so many rounds, so a larger one would mean never.
MOST_ROUNDS_BETWEEN = 1_000


# A client takes a longer silence for a failure, and writes again.
MAX_WAIT_FOR_ADVICE_MS = 30_000


# A client takes a longer silence for a failure, and writes again.
MAX_MERGE_WINDOW_MS = 60_000


@mapping(
    say("what.declaration"),
    item="- {var: …, value: …}",
    definition="declaration",
    aliases={"name": "var", "get": "var", "description": "define", "default": "value"},
)
class Declaration:
    """A variable the author names beforehand, with the scope it lives in."""

    var: Variable
    define: Text = ""
    value: Free = None
    """Its first value; None leaves it unset. 0, false and "" are values (RESOLUTIONS C19)."""
    scope: Annotated[VariableScope, WORD, Inferred()] = VariableScope.SESSION
    type: Annotated[OutputType, WORD, Inferred()] = OutputType.TEXT
    explicit_type: Annotated[OutputType | None, Derived()] = None
    """The type where the author named one."""
    place: Annotated[SourcePlace, Derived()]


class OnError(StrEnum):
    """What a condition that cannot be evaluated means; either way it is recorded."""

    RUN = "run"
    SKIP = "skip"


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A `condition` or `entry_condition`, checked and compiled when the script was loaded."""

    source: str
    """As the author wrote it."""
    expression: Expression
    on_error: OnError = OnError.RUN
    place: SourcePlace


class WhenKnown(StrEnum):
    """What becomes of a question whose answers the client gave before it was put."""

    CONFIRM = "confirm"
    """It is not put; the next message confirms the answers in half a sentence."""
    SKIP = "skip"
    """It is not put."""
    ASK = "ask"
    """It is put all the same."""


class Cadence(StrEnum):
    """Which judged rounds the monitor is asked about."""

    EVERY_ROUND = "every_round"
    EVERY_N = "every_n"
    """The n-th round of an action, and each n-th after it."""
    ON_SUGGESTION = "on_suggestion"
    """Rounds whose progress suggestion is blocked or off_topic."""
    ON_SIGNAL = "on_signal"
    """Rounds in which a signal was found, and each third of an action (ADR 64)."""
    OFF = "off"


@mapping(
    "`monitor`",
    definition="monitor",
    aliases={
        "every": "cadence",
        "every_n": "n",
        "wait_ms": "wait_for_advice_ms",
        "wait": "wait_for_advice_ms",
    },
)
class MonitorRule:
    """A `monitor` key as one place of a script writes it; None leaves it to the place around."""

    cadence: Annotated[Cadence, WORD] | None = None
    n: Annotated[int, Ge(2), Le(MOST_ROUNDS_BETWEEN)] | None = None
    wait_for_advice_ms: Annotated[int, Ge(0), Le(MAX_WAIT_FOR_ADVICE_MS)] | None = None


# The rule of a place that has no `monitor` key.
UNSAID = MonitorRule()


@mapping(
    say("what.role"),
    item="- {role: counsellor, name: …}",
    aliases={"id": "role", "description": "define"},
)
class RoleDefinition:
    """A person of the conversation, as this script names them."""

    role: FullText
    name: FullText
    tone: Text = ""
    define: Text = ""


@mapping(say("what.strategy"))
class StrategyKeys:
    """A topic's strategy where it is written with keys."""

    min_completeness_requirement: NumberOrText = ""
    retry_strategy: NumberOrText = ""
    max_retry_count: NumberOrText = ""


class SafetyMode(StrEnum):
    """Whether a session has a crisis path."""

    ON = "on"
    OFF = "off"


@mapping("`safety`")
class SafetySettings:
    """A script's word about the crisis path."""

    mode: Annotated[SafetyMode, WORD] = SafetyMode.ON
    reason: FullText = ""

    @property
    def opt_out(self) -> str:
        """Why the script has no crisis path; empty: it has one."""
        return self.reason if self.mode is SafetyMode.OFF else ""


@mapping("`input`")
class InputSettings:
    """How long messages may be, and what happens to those that come meanwhile or in pieces."""

    if_busy: Annotated[IfBusy, WORD] = IfBusy.MERGE
    merge_window_ms: Annotated[int, Ge(0), Le(MAX_MERGE_WINDOW_MS)] = 0
    max_input_chars: Annotated[int, Ge(0), Le(MOST_INPUT_CHARS)] = 0
    """Characters of one message; 0: as many as the server's setting says."""
