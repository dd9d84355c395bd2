"""A conversation as its author wrote it: who says what, and what must then hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from executor_service.scripts.loading.tree import MapNode
from executor_service.scripts.model.findings import Spot
from heartrule.domain.json_value import JsonValue

DEFAULT_NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
"""The moment at which a conversation that names none is played."""
DEFAULT_LOCALE = "zh-CN"
DEFAULT_TIME_ZONE = "Asia/Shanghai"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """What a model answers to one call."""

    spot: Spot
    text: str
    """All it writes; with `cut`, what came before the stream broke off."""
    cut: bool = False
    fails: str = ""
    """Reason of the failure that stands instead of an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorAnswer:
    """What the second mind answers about one round; nothing of it set: it is silent."""

    spot: Spot
    advice: str = ""
    fails: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenTurn:
    """What the client does; neither words nor a form: it connects, which opens the session."""

    spot: Spot
    client: str | None = None
    form: Mapping[str, JsonValue] | None = None
    request: str = ""
    """The request the form answers; empty: the one that is open."""
    message_id: str = ""
    """Empty: m1, m2, … as the inputs come."""
    release: bool = False
    """The second mind, held until now, answers after this turn."""
    expected: MapNode | None = None
    """What must then hold; None where nothing is said about it."""

    @property
    def opens(self) -> bool:
        """True where the client sends nothing."""
        return self.client is None and self.form is None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenConversation:
    """One conversation; fields of None are left to the rehearsal model, or to silence."""

    file: str
    """As its author knows it."""
    title: str = ""
    now: datetime = DEFAULT_NOW
    locale: str = DEFAULT_LOCALE
    time_zone: str = DEFAULT_TIME_ZONE
    imported: Mapping[str, JsonValue] = field(default_factory=dict)
    """The state of another engine's session with which this one begins."""
    strategy_engine: bool | None = None
    """None: as the script says."""
    model: tuple[ModelAnswer, ...] | None = None
    """Of the model that talks and thinks, in order; None: the rehearsal model speaks."""
    monitor: tuple[MonitorAnswer, ...] | None = None
    """Of the second mind, in order, then it is silent."""
    monitor_model: tuple[ModelAnswer, ...] | None = None
    """Instead of `monitor`: the real handlers judge, and this is what their model answers."""
    held: bool = False
    """The second mind answers nothing before a turn releases it."""
    turns: tuple[WrittenTurn, ...]

    @property
    def expects(self) -> bool:
        """True where something must hold after one of the turns."""
        return any(turn.expected is not None for turn in self.turns)
