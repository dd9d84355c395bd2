"""Declarations, conditions, roles and settings of a script's places."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotated_types import Ge, Le

from executor_service.conditions.expression import Expression
from executor_service.scripts.model.findings import Place
from executor_service.scripts.model.kinds import (
    WORD,
    Free,
    FullText,
    NumberOrText,
    Text,
    Variable,
)
from executor_service.scripts.model.mapping import (
    Derived,
    Inferred,
    mapping,
)
from heartrule.domain.conversation import IfBusy
from heartrule.domain.output_type import OutputType
from heartrule.domain.variables import VariableScope

MOST_ROUNDS_BETWEEN = 1_000
"""Largest `n`; no action talks for so long."""


MAX_WAIT_FOR_ADVICE_MS = 30_000
"""Longest wait for an advice; a client takes a longer silence for a failure."""


MAX_MERGE_WINDOW_MS = 60_000
"""Longest wait for fragments; a client takes a longer silence for a failure."""


@mapping(
    "a declaration",
    item="- {var: …, value: …}",
    definition="declaration",
    aliases={"name": "var", "get": "var", "description": "define", "default": "value"},
)
class Declaration:
    """A variable the author names beforehand, with the scope it lives in."""

    var: Annotated[Variable, "变量名。Name of the variable."]
    define: Annotated[Text, "这个变量是什么。What it is."] = ""
    value: Annotated[Free, "初值；不写就没有值。Its first value; unset without one."] = None
    """Its first value; None leaves it unset. 0, false and "" are values (RESOLUTIONS C19)."""
    scope: Annotated[
        VariableScope, WORD, Inferred(), "作用域；不写则由所在位置决定。Overrides where it stands."
    ] = VariableScope.SESSION
    type: Annotated[OutputType, WORD, Inferred(), "类型，默认 text。Its type, text by default."] = (
        OutputType.TEXT
    )
    place: Annotated[Place, Derived()]


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
    place: Place


class Cadence(StrEnum):
    """Which judged rounds the monitor is asked about."""

    EVERY_ROUND = "every_round"
    EVERY_N = "every_n"
    """The n-th round of an action, and each n-th after it."""
    ON_SUGGESTION = "on_suggestion"
    """Rounds whose progress suggestion is blocked or off_topic."""
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

    cadence: Annotated[Annotated[Cadence, WORD] | None, "多久看一次。How often."] = None
    n: Annotated[
        Annotated[
            int,
            Ge(2),
            Le(MOST_ROUNDS_BETWEEN),
        ]
        | None,
        "every_n 时：每几轮看一次。With every_n: every so many rounds.",
    ] = None
    wait_for_advice_ms: Annotated[
        Annotated[int, Ge(0), Le(MAX_WAIT_FOR_ADVICE_MS)] | None,
        "最多等建议多少毫秒；默认不等。Most milliseconds to wait for it.",
    ] = None


UNSAID = MonitorRule()
"""A place that says nothing of the monitor."""


@mapping(
    "a role",
    item="- {role: counsellor, name: …}",
    aliases={"id": "role", "description": "define"},
)
class RoleDefinition:
    """Who speaks, or is spoken to, in this script."""

    role: Annotated[
        FullText, "counsellor 是说话的人（{who}），client 是来访者（{user}）。Who this is."
    ]
    name: Annotated[FullText, "怎样称呼。What it is called."]
    tone: Annotated[Text, "动作没有写 tone 时的语气。Its tone where an action names none."] = ""
    define: Annotated[Text, "是怎样的人。Who that is."] = ""


@mapping("a strategy")
class StrategyKeys:
    """A topic's strategy where it is written with keys."""

    min_completeness_requirement: Annotated[
        NumberOrText, "至少要了解到什么。What must be known at least."
    ] = ""
    retry_strategy: Annotated[NumberOrText, "没问清楚时怎样再问。How to ask again."] = ""
    max_retry_count: Annotated[NumberOrText, "最多再问几次。How often to ask again at most."] = ""


@mapping("`input`")
class InputSettings:
    """What happens to messages that come while a turn runs, or in pieces."""

    if_busy: Annotated[
        IfBusy, WORD, "正在回答时又来消息。What becomes of a message that comes meanwhile."
    ] = IfBusy.MERGE
    merge_window_ms: Annotated[
        int,
        Ge(0),
        Le(MAX_MERGE_WINDOW_MS),
        "等后续片段的毫秒数。How long to wait for more, in milliseconds.",
    ] = 0
