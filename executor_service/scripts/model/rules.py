"""The rules a script is checked by: each finding names the one it breaks.

The names are stable: other tools may sort and count by them. docs/reference/checking.md
explains each.
"""

from __future__ import annotations

from enum import StrEnum


class CheckRule(StrEnum):
    """What a finding is about."""

    # the file
    YAML_SYNTAX = "yaml-syntax"
    YAML_FEATURE = "yaml-feature"
    ENCODING = "encoding"
    TOO_LARGE = "too-large"
    EMPTY_FILE = "empty-file"
    WRONG_FILE = "wrong-file"
    OTHER_DIALECT = "other-dialect"
    # keys
    DUPLICATE_KEY = "duplicate-key"
    UNKNOWN_KEY = "unknown-key"
    MISPLACED_KEY = "misplaced-key"
    MISSING_KEY = "missing-key"
    CONFLICTING_NAMES = "conflicting-names"
    OLDER_NAME = "older-name"
    # values
    WRONG_VALUE = "wrong-value"
    UNSAFE_NUMBER = "unsafe-number"
    BAD_ID = "bad-id"
    BAD_NAME = "bad-name"
    RESERVED_NAME = "reserved-name"
    BAD_BOUNDS = "bad-bounds"
    BAD_SOURCE = "bad-source"
    BAD_CONDITION = "bad-condition"
    OPT_OUT_FORBIDDEN = "opt-out-forbidden"
    # what belongs together
    DUPLICATE_NAME = "duplicate-name"
    TYPE_CONFLICT = "type-conflict"
    WRONG_SCOPE = "wrong-scope"
    UNKNOWN_OUTPUT = "unknown-output"
    MISSING_FILE = "missing-file"
    UNKNOWN_SKILL = "unknown-skill"
    SKILL_NESTING = "skill-nesting"
    SKILL_INTERFACE = "skill-interface"
    UNKNOWN_SCHEME = "unknown-scheme"
    NEEDS_ASSESSMENT = "needs-assessment"
    NO_EXIT = "no-exit"
    # what belongs together in an agent
    UNKNOWN_PHASE = "unknown-phase"
    UNKNOWN_AGENT = "unknown-agent"
    WRONG_HOLDING = "wrong-holding"
    WRONG_ORDER = "wrong-order"
    AGENT_NESTING = "agent-nesting"
    AGENT_INTERFACE = "agent-interface"
    # what a script can run with
    EMPTY_VARIABLE = "empty-variable"
    ARCHIVED_VARIABLE = "archived-variable"
    SYSTEM_VARIABLE = "system-variable"
    CONSTANT_CONDITION = "constant-condition"
    NEVER_EQUAL = "never-equal"
    UNREACHABLE = "unreachable"
    NEVER_ENDS = "never-ends"
    IDLE_SETTING = "idle-setting"
    UNKNOWN_ROLE = "unknown-role"
    LONG_QUESTION = "long-question"
    MISSING_TEMPLATE = "missing-template"
    UNUSED_OUTPUT = "unused-output"
    FALLBACK_TEMPLATE = "fallback-template"
    OTHER = "other"
    """None of these; unused by our own checks."""
