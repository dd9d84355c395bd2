"""What an ai_agent with `agent` remembers: the settings of the main thread (R21)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from heartrule.domain.json_value import JsonValue
from heartrule.domain.threads import ThreadSettings

_BRIEF, _SUGGESTION, _PHASE = "briefStatus", "_phaseUpdateSuggestion", "phase"
_OF_THREAD = ("message_id", "phase", "thread_id", "run_id", "agent", "first_phase")


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingTask:
    """A task that an agent added, for a further step."""

    message: str = ""
    request: Mapping[str, JsonValue] | None = None
    """What a sub-thread is opened for, whole (RESOLUTIONS T18)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedThread:
    """The placeholder that was said last, and the thread in it."""

    message_id: str
    phase: str = ""
    """The phase in which it was said."""
    thread_id: str = ""
    """Empty, as the next ones: the thread is not open yet."""
    run_id: str = ""
    agent: str = ""
    first_phase: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseMemory:
    """Where an agent with phases stands."""

    settings: ThreadSettings | None = None
    """None: nothing has happened yet."""
    tasks: tuple[PendingTask, ...] = ()
    """What is to be done next, in order."""
    prepared: PreparedThread | None = None
    judges: bool = False
    """Whether the turn under way judges what the client said, in this step or an earlier one."""

    @classmethod
    def of(cls, kept: Mapping[str, JsonValue]) -> PhaseMemory:
        """Read it from an instance."""
        listed, prepared = kept.get("tasks"), kept.get("prepared")
        tasks = listed if isinstance(listed, list | tuple) else ()
        return cls(
            settings=_settings(kept.get("settings")),
            tasks=tuple(_task(each) for each in tasks if isinstance(each, Mapping)),
            prepared=_prepared(prepared) if isinstance(prepared, Mapping) else None,
            judges=bool(kept.get("judges")),
        )

    def kept(self) -> dict[str, JsonValue]:
        """Return it as an instance keeps it, the settings as document 003 prints them."""
        kept: dict[str, JsonValue] = {}
        if self.settings is not None:
            kept["settings"] = _written(self.settings)
        if self.tasks:
            kept["tasks"] = [
                {"message": each.message}
                if each.request is None
                else {"message": each.message, "request": dict(each.request)}
                for each in self.tasks
            ]
        if self.prepared is not None:
            kept["prepared"] = {name: getattr(self.prepared, name) for name in _OF_THREAD}
        return kept | ({"judges": True} if self.judges else {})


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
    phase = _phase(kept.get(_BRIEF))
    return ThreadSettings(phase=phase, suggested_phase=suggested or None, other=other)


def _phase(kept: JsonValue) -> str:
    phase = kept.get(_PHASE) if isinstance(kept, Mapping) else None
    return phase if isinstance(phase, str) else ""


def _task(kept: Mapping[str, JsonValue]) -> PendingTask:
    request = kept.get("request")
    return PendingTask(
        message=str(kept.get("message", "")),
        request=request if isinstance(request, Mapping) else None,
    )


def _prepared(kept: Mapping[str, JsonValue]) -> PreparedThread:
    return PreparedThread(**{name: str(kept.get(name, "")) for name in _OF_THREAD})
