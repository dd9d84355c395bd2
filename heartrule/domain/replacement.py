"""Another config for one action of a script, in one session alone (RESOLUTIONS C22)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from heartrule.domain.json_value import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionReplacement:
    """The config that replaces the script's."""

    phase_id: str
    topic_id: str
    action_id: str
    config: Mapping[str, JsonValue] = field(default_factory=dict)
    """All of it: a key that is not here has its default."""
