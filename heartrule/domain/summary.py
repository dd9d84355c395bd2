"""The summary of what a session's prompts no longer hold word for word."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a model wrote of a conversation's beginning; data wherever it is used."""

    first_turn: int = 0
    """The first turn that it does not cover; prompts go on with that one."""
    text: str = ""
    """Empty: there is none."""


NO_SUMMARY = Summary()
