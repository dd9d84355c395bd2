"""What is wrong with a condition, and where."""

from __future__ import annotations


class ConditionError(ValueError):
    """A condition that does not compile; `message` names what would be right."""

    def __init__(self, message: str, offset: int) -> None:
        """Keep the message, and where in the condition it applies, in code points from 0."""
        super().__init__(message)
        self.message = message
        self.offset = offset
