"""The scope of a running skill (RESOLUTIONS C34)."""

from __future__ import annotations

from dataclasses import dataclass

from executor_service.scripts.model.script import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillScope:
    """A topic scope of its own, inside the topic that uses the skill."""

    scope_id: str
    """See `lookup.skill_scope_id`."""
    topic: Topic
    """The technique's; it alone declares what is written inside."""
