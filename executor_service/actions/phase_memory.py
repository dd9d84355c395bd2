"""What an ai_agent with `agent` remembers: the settings of the main thread (R21)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer, TypeAdapter

from executor_service.threads.thread_document import PHASE, STATUS, SUGGESTION, print_settings
from heartrule.domain.json_value import JsonValue
from heartrule.domain.threads import ThreadSettings


def _settings(kept: Mapping[str, JsonValue]) -> ThreadSettings:
    """Return settings as an instance keeps them, which is as document 003 prints them."""
    other = {name: value for name, value in kept.items() if name not in {STATUS, SUGGESTION}}
    suggested = _phase(kept.get(SUGGESTION))
    return ThreadSettings(
        phase=_phase(kept.get(STATUS)), suggested_phase=suggested or None, other=other
    )


def _phase(kept: JsonValue) -> str:
    phase = kept.get(PHASE) if isinstance(kept, Mapping) else None
    return phase if isinstance(phase, str) else ""


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

    settings: (
        Annotated[ThreadSettings, BeforeValidator(_settings), PlainSerializer(print_settings)]
        | None
    ) = None
    """None: nothing has happened yet."""
    tasks: tuple[PendingTask, ...] = ()
    """What is to be done next, in order."""
    prepared: PreparedThread | None = None
    judges: bool = False
    """Whether the turn under way judges what the client said, in this step or an earlier one."""

    @classmethod
    def of(cls, kept: Mapping[str, JsonValue]) -> PhaseMemory:
        """Read it from an instance, which may keep more."""
        return _SHAPE.validate_python(kept)

    def kept(self) -> dict[str, JsonValue]:
        """Return it as an instance keeps it; what says nothing is left out."""
        kept: dict[str, JsonValue] = _SHAPE.dump_python(self, exclude_defaults=True)
        return kept


_SHAPE = TypeAdapter(PhaseMemory)
