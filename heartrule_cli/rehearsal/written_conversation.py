"""A conversation as its author wrote it: inputs, answers of the models, and expectations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from executor_service.scripts.loading.tree import MapNode
from executor_service.scripts.model.findings import At, Spot
from heartrule.domain.json_value import JsonValue

# The time in a conversation without `now`; fixed, so that each rehearsal prints the same.
DEFAULT_NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
DEFAULT_LOCALE = "zh-CN"
DEFAULT_TIME_ZONE = "Asia/Shanghai"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """What a model answers to one call."""

    spot: Spot = field(default_factory=At)
    text: str = ""
    """The whole answer; with `cut`, what came before the stream broke off."""
    plain: str = ""
    """The same as it is written, for a call that any text may answer; empty: as `text`."""
    cut: bool = False
    fails: str = ""
    """Reason of the failure that takes the answer's place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorAnswer:
    """What the monitor answers about one round; by default it has no advice."""

    spot: Spot = field(default_factory=At)
    advice: str = ""
    fails: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenTurn:
    """What the client does; with neither text nor form it connects, which opens the session."""

    spot: Spot
    client: str | None = None
    form: Mapping[str, JsonValue] | None = None
    request: str = ""
    """The request the form answers; empty: the one that is open."""
    message_id: str = ""
    """Empty: m1, m2, … as the inputs come."""
    release: bool = False
    """The monitor, held until now, answers after this turn."""
    expected: MapNode | None = None
    """What must then hold; None where nothing is expected."""

    @property
    def opens(self) -> bool:
        """True where the client sends nothing."""
        return self.client is None and self.form is None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenConversation:
    """One conversation; for answers that are None the rehearsal model answers, or no monitor."""

    file: str
    """As its author knows it."""
    title: str = ""
    now: datetime = DEFAULT_NOW
    locale: str = ""
    """Empty: as where nobody names one, `DEFAULT_LOCALE` and the language of the client's words."""
    time_zone: str = DEFAULT_TIME_ZONE
    imported: Mapping[str, JsonValue] = field(default_factory=dict)
    """The state of another engine's session with which this one begins."""
    strategy_engine: bool | None = None
    """None: as the script says."""
    model: tuple[ModelAnswer, ...] | None = None
    """To the session's own prompts, in order; None: the rehearsal model answers."""
    monitor: tuple[MonitorAnswer, ...] | None = None
    """Of the monitor, in order; after the last it has no advice."""
    monitor_model: tuple[ModelAnswer, ...] | None = None
    """Instead of `monitor`: the real handlers judge, and their model gives these answers."""
    held: bool = False
    """The monitor answers nothing before a turn releases it."""
    turns: tuple[WrittenTurn, ...]

    @property
    def expects(self) -> bool:
        """True where something must hold after one of the turns."""
        return any(turn.expected is not None for turn in self.turns)
