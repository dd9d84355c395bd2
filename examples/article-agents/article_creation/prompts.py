"""The prompts of the package, filled in one pass: what somebody said is a value in them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from executor_service.threads.written_values import filled_prompt
from heartrule.domain.json_value import JsonValue

_FOLDER = Path(__file__).with_name("prompt")


def prompt(phase: str, values: Mapping[str, JsonValue]) -> str:
    """Return what tells the model about a phase."""
    text = (_FOLDER / f"{phase}_system_prompt.md").read_text("utf-8")
    return filled_prompt(text.strip(), values)
