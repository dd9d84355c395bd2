"""The keys each part of a script may have, and what is said about the others.

One table per mapping: known keys, keys of the language that this release does not serve yet, older
names with the name that replaced them, and names from elsewhere that authors tend to use.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from executor_service.scripts.configs import ActionType

_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What one kind of mapping may hold."""

    what: str
    """Its name in messages, such as `a topic`."""
    keys: tuple[str, ...]
    later: frozenset[str] = frozenset()
    """Keys of the language that are not served yet."""
    older: Mapping[str, str] = field(default_factory=dict)
    """Deprecated names → today's."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Names that never were right → the right one."""


NOT_YET_ACTION_TYPES = frozenset({"fill_form", "use_skill", "show_pic", "ai_agent"})
"""Action types of the language that this release does not run."""

ROOT = Shape(what="a script", keys=("metadata", "session"))
GLOBALS = Shape(
    what="global.yaml", keys=("global",), aliases=MappingProxyType({"globals": "global"})
)
SESSION = Shape(
    what="the session",
    keys=(
        *("session_id", "session_name", "description", "template_scheme"),
        *("declare", "input", "phases"),
    ),
    later=frozenset({"roles", "monitor", "strategy_engine"}),
    aliases=MappingProxyType(
        {"id": "session_id", "name": "session_name", "scheme": "template_scheme"}
    ),
)
PHASE = Shape(
    what="a phase",
    keys=("phase_id", "phase_name", "phase_goal", "description", "declare", "topics"),
    later=frozenset({"entry_condition", "on_error"}),
    aliases=MappingProxyType({"id": "phase_id", "name": "phase_name", "goal": "phase_goal"}),
)
TOPIC = Shape(
    what="a topic",
    keys=(
        *("topic_id", "topic_name", "topic_goal", "description"),
        *("strategy", "declare", "actions"),
    ),
    later=frozenset({"monitor", "edit_budget"}),
    aliases=MappingProxyType({"id": "topic_id", "name": "topic_name", "goal": "topic_goal"}),
)
ACTION = Shape(
    what="an action",
    keys=("action_type", "action_id", "mandatory", "config"),
    later=frozenset({"condition", "on_error", "monitor", "strategy_engine", "exit_policy"}),
    aliases=MappingProxyType({"type": "action_type", "id": "action_id"}),
)
STRATEGY = Shape(
    what="a strategy", keys=("min_completeness_requirement", "retry_strategy", "max_retry_count")
)
INPUT = Shape(what="`input`", keys=("if_busy", "merge_window_ms"))
DECLARATION = Shape(
    what="a declaration",
    keys=("var", "define", "value", "scope", "type"),
    aliases=MappingProxyType(
        {"name": "var", "get": "var", "description": "define", "default": "value"}
    ),
)
OUTPUT = Shape(
    what="an output",
    keys=("get", "define", "type", "options", "sensitive"),
    aliases=MappingProxyType(
        {"name": "get", "var": "get", "variable": "get", "description": "define"}
    ),
)
EXIT_CRITERIA = Shape(
    what="`exit_criteria`",
    keys=("understanding_threshold", "has_questions", "min_rounds", "custom_conditions"),
)
CUSTOM_CONDITION = Shape(what="a custom condition", keys=("variable", "operator", "value"))

_OLDER_TEXTS = MappingProxyType(
    dict.fromkeys(("question_template", "prompt_template", "content_template"), "content")
)
_OLDER_OUTPUTS = MappingProxyType(
    dict.fromkeys(("target_variable", "extract_to", "output_variables"), "output")
)
_OLDER_GOALS = MappingProxyType(dict.fromkeys(("think_goal", "say_goal"), "goal"))
EXTRACTION_PROMPT = "extraction_prompt"
"""The older key that stood beside target_variable or extract_to."""

CONFIGS: Mapping[ActionType, Shape] = MappingProxyType(
    {
        ActionType.AI_ASK: Shape(
            what="ai_ask",
            keys=("content", "tone", "exit", "exit_criteria", "output", "required", "max_rounds"),
            later=ACTION.later,
            older=MappingProxyType({**_OLDER_TEXTS, **_OLDER_OUTPUTS, EXTRACTION_PROMPT: "output"}),
        ),
        ActionType.AI_SAY: Shape(
            what="ai_say",
            keys=(
                *("content", "goal", "tone", "exit", "exit_criteria"),
                *("require_acknowledgment", "max_rounds"),
            ),
            later=ACTION.later,
            older=MappingProxyType({**_OLDER_TEXTS, **_OLDER_GOALS}),
        ),
        ActionType.AI_THINK: Shape(
            what="ai_think",
            keys=("content", "goal", "input_variables", "output"),
            later=ACTION.later,
            older=MappingProxyType(
                {
                    **_OLDER_TEXTS,
                    **_OLDER_GOALS,
                    **_OLDER_OUTPUTS,
                    EXTRACTION_PROMPT: "output",
                }
            ),
        ),
    }
)
"""The keys of `config`, by action type."""

_REPLY_FIELDS = (
    *("content", "EXIT", "BRIEF", "variables", "metrics", "progress_suggestion"),
    *("assessment", "should_exit", "exit_reason"),
    *("information_completeness", "user_engagement", "emotional_intensity", "reply_relevance"),
    *("understanding_level", "has_questions"),
)
CONTROL_FIELDS = frozenset(name.casefold() for name in _REPLY_FIELDS)
"""Names of the model's own reply fields, case folded; no output may bear one (RESOLUTIONS C26)."""


def homes_of(key: str) -> tuple[str, ...]:
    """Return the parts of a script that know `key`, served or not yet."""
    parts = (SESSION, PHASE, TOPIC, ACTION)
    known = [part.what for part in parts if key in part.keys or key in part.later]
    return (*known, *(shape.what for shape in CONFIGS.values() if key in shape.keys))
