"""What the instance of an ai_agent with `agent` remembers: the settings of the main thread (R21)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from heartrule.domain.json_value import JsonValue
from heartrule.domain.threads import ThreadSettings

_BRIEF, _SUGGESTION, _PHASE = "briefStatus", "_phaseUpdateSuggestion", "phase"


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingThread:
    """A sub-thread that was prepared, or is worked on: the task that an agent added goes on."""

    message_id: str
    """The placeholder."""
    phase: str = ""
    """The phase in which it was said."""
    message: str = ""
    """The task's own words."""
    request: Mapping[str, JsonValue] = field(default_factory=dict)
    """What the thread is opened for, whole (RESOLUTIONS T18)."""
    thread_id: str = ""
    """Empty: it is not open yet."""
    run_id: str = ""
    agent: str = ""
    first_phase: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseMemory:
    """Where an agent with phases stands."""

    settings: ThreadSettings | None = None
    """None: nothing has happened yet."""
    pending: PendingThread | None = None

    @classmethod
    def of(cls, kept: Mapping[str, JsonValue]) -> PhaseMemory:
        """Read it from an instance."""
        return cls(settings=_settings(kept.get("settings")), pending=_pending(kept.get("pending")))

    def kept(self) -> dict[str, JsonValue]:
        """Return it as an instance keeps it, the settings as document 003 prints them."""
        kept: dict[str, JsonValue] = {}
        if self.settings is not None:
            kept["settings"] = _written(self.settings)
        if self.pending is not None:
            pending = self.pending
            kept["pending"] = {
                "message_id": pending.message_id,
                "phase": pending.phase,
                "message": pending.message,
                "request": dict(pending.request),
                "thread_id": pending.thread_id,
                "run_id": pending.run_id,
                "agent": pending.agent,
                "first_phase": pending.first_phase,
            }
        return kept


def _written(settings: ThreadSettings) -> dict[str, JsonValue]:
    written: dict[str, JsonValue] = {**settings.other, _BRIEF: {_PHASE: settings.phase}}
    if settings.suggested_phase is not None:
        written[_SUGGESTION] = {_PHASE: settings.suggested_phase}
    return written


def _settings(kept: JsonValue) -> ThreadSettings | None:
    if not isinstance(kept, Mapping):
        return None
    suggested = _phase(kept.get(_SUGGESTION))
    other = {name: value for name, value in kept.items() if name not in {_BRIEF, _SUGGESTION}}
    return ThreadSettings(
        phase=_phase(kept.get(_BRIEF)), suggested_phase=suggested or None, other=other
    )


def _phase(kept: JsonValue) -> str:
    phase = kept.get(_PHASE) if isinstance(kept, Mapping) else None
    return phase if isinstance(phase, str) else ""


def _pending(kept: JsonValue) -> PendingThread | None:
    if not isinstance(kept, Mapping):
        return None
    texts = {
        name: str(kept.get(name, ""))
        for name in (
            "message_id",
            "phase",
            "message",
            "thread_id",
            "run_id",
            "agent",
            "first_phase",
        )
    }
    request = kept.get("request")
    return PendingThread(request=request if isinstance(request, Mapping) else {}, **texts)
