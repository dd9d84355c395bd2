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
    why_not: Mapping[str, str] = field(default_factory=dict)
    """Keys that others of its kind have → why this one has none."""


NOT_YET_ACTION_TYPES = frozenset({"ai_agent"})
"""Action types of the language that this release does not run."""

ROOT = Shape(what="a script", keys=("metadata", "session"))
GLOBALS = Shape(
    what="global.yaml", keys=("global",), aliases=MappingProxyType({"globals": "global"})
)
SESSION = Shape(
    what="the session",
    keys=(
        *("session_id", "session_name", "description", "template_scheme"),
        *("roles", "strategy_engine", "monitor", "declare", "input", "phases"),
    ),
    aliases=MappingProxyType(
        {"id": "session_id", "name": "session_name", "scheme": "template_scheme"}
    ),
)
PHASE = Shape(
    what="a phase",
    keys=(
        *("phase_id", "phase_name", "phase_goal", "description"),
        *("entry_condition", "on_error", "declare", "topics"),
    ),
    aliases=MappingProxyType(
        {
            "id": "phase_id",
            "name": "phase_name",
            "goal": "phase_goal",
            "condition": "entry_condition",
        }
    ),
)
TOPIC = Shape(
    what="a topic",
    keys=(
        *("topic_id", "topic_name", "topic_goal", "description"),
        *("strategy", "monitor", "edit_budget", "declare", "actions"),
    ),
    aliases=MappingProxyType({"id": "topic_id", "name": "topic_name", "goal": "topic_goal"}),
)
ACTION = Shape(
    what="an action",
    keys=(
        *("action_type", "action_id", "condition", "on_error", "mandatory"),
        *("exit_policy", "strategy_engine", "monitor", "config"),
    ),
    aliases=MappingProxyType(
        {"type": "action_type", "id": "action_id", "entry_condition": "condition"}
    ),
)
MONITOR = Shape(
    what="`monitor`",
    keys=("cadence", "n", "wait_for_advice_ms"),
    aliases=MappingProxyType(
        {"every": "cadence", "every_n": "n", "wait_ms": "wait_for_advice_ms"}
        | {"wait": "wait_for_advice_ms"}
    ),
)
ROLE = Shape(
    what="a role",
    keys=("role", "name", "tone", "define"),
    aliases=MappingProxyType({"id": "role", "description": "define"}),
)
EXIT_POLICY = Shape(
    what="`exit_policy`",
    keys=("enabled_sources",),
    aliases=MappingProxyType({"sources": "enabled_sources", "enabled": "enabled_sources"}),
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
_UNIVERSAL_CRITERIA = ("min_rounds", "custom_conditions")
_CRITERIA = ("understanding_threshold", "has_questions", *_UNIVERSAL_CRITERIA)
_NOT_OF_A_FORM = "a form ends when its fields are filled, and nobody judges understanding"
CRITERIA: Mapping[ActionType, Shape] = MappingProxyType(
    {
        ActionType.AI_ASK: Shape(what="`exit_criteria`", keys=_CRITERIA),
        ActionType.AI_SAY: Shape(what="`exit_criteria`", keys=_CRITERIA),
        ActionType.FILL_FORM: Shape(
            what="`exit_criteria` of fill_form",
            keys=_UNIVERSAL_CRITERIA,
            why_not=MappingProxyType(
                dict.fromkeys(("understanding_threshold", "has_questions"), _NOT_OF_A_FORM)
            ),
        ),
    }
)
"""The criteria an action of each type may have; those of other types end by themselves."""
CUSTOM_CONDITION = Shape(what="a custom condition", keys=("variable", "operator", "value"))
FORM = Shape(what="`form`", keys=("title", "fields"))
FORM_FIELD = Shape(
    what="a field",
    keys=("name", "label", "type", "options", "min", "max", "required"),
    aliases=MappingProxyType(
        {"id": "name", "var": "name", "get": "name", "title": "label", "question": "label"}
    ),
)
SKILL_INPUT = Shape(
    what="an input",
    keys=("name", "value"),
    aliases=MappingProxyType({"var": "name", "from": "value"}),
)
SKILL_OUTPUT = Shape(
    what="an output of a skill",
    keys=("get", "from"),
    aliases=MappingProxyType({"name": "get", "var": "get", "source": "from"}),
)
TECHNIQUE = Shape(
    what="a technique file",
    keys=("technique_id", "technique_name", "input_parameters", "output_variables", "topic"),
    aliases=MappingProxyType(
        {"skill_id": "technique_id", "name": "technique_name", "topics": "topic"}
    ),
)
INPUT_PARAMETER = Shape(
    what="an input parameter",
    keys=("name", "description", "required"),
    aliases=MappingProxyType({"var": "name", "get": "name", "define": "description"}),
)

_OLDER_TEXTS = MappingProxyType(
    dict.fromkeys(("question_template", "prompt_template", "content_template"), "content")
)
_OLDER_OUTPUTS = MappingProxyType(
    dict.fromkeys(("target_variable", "extract_to", "output_variables"), "output")
)
_OLDER_GOALS = MappingProxyType(dict.fromkeys(("think_goal", "say_goal"), "goal"))
EXTRACTION_PROMPT = "extraction_prompt"
"""The older key that stood beside target_variable or extract_to."""


def _never_ended_early(why: str) -> Mapping[str, str]:
    return MappingProxyType(dict.fromkeys(("exit", "exit_criteria", "max_rounds"), why))


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
            why_not=_never_ended_early("it is over after its one step"),
        ),
        ActionType.FILL_FORM: Shape(
            what="fill_form",
            keys=("form", "content", "exit_criteria", "max_rounds"),
            later=ACTION.later,
        ),
        ActionType.USE_SKILL: Shape(
            what="use_skill",
            keys=("skill", "input", "output"),
            later=ACTION.later,
            aliases=MappingProxyType(
                {"technique": "skill", "technique_id": "skill", "inputs": "input"}
                | {"outputs": "output"}
            ),
            why_not=_never_ended_early("the actions of its technique end by themselves"),
        ),
        ActionType.SHOW_PIC: Shape(
            what="show_pic",
            keys=("source", "caption", "alt"),
            later=ACTION.later,
            aliases=MappingProxyType(
                dict.fromkeys(("url", "src", "path", "image", "file"), "source")
            ),
            why_not=_never_ended_early("it is over when the picture is shown"),
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
    parts = (SESSION, PHASE, TOPIC, ACTION, FORM)
    known = [part.what for part in parts if key in part.keys or key in part.later]
    return (*known, *(shape.what for shape in CONFIGS.values() if key in shape.keys))
