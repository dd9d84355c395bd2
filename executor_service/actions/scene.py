"""Where and when a round takes place, and who talks there."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from executor_service.scripts.model.script import Phase, Topic
from heartrule.model.prompt_words import PromptWords, base_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """The names of {who} and {user}, as the roles of a script give them."""

    who: str = "咨询助手"
    user: str = "来访者"
    tone: str = ""
    """The counsellor's tone, where an action names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Where and when the round takes place."""

    phase: Phase
    topic: Topic
    """The one that defines the action, in the script or in a technique."""
    scheme: str
    now: datetime
    """In the session's time zone."""
    cast: Cast = Cast()
    language: str = "zh"
    """Of the session's locale."""
    words: PromptWords = field(default_factory=base_words)
    """The engine's own, in that language."""
    hotlines: str = ""
    """Where help is in the client's region, in one line."""
    watched: bool = True
    """False where the script has no round of the action analysed."""
