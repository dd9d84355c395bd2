"""What is wrong with a text that does not leave."""

from __future__ import annotations

from enum import StrEnum


class TextFault(StrEnum):
    """Why a reply's text is not sent."""

    ECHO = "echo"
    """It is what the client said."""
    REPETITION = "repetition"
    """It is what the assistant said before."""
    CLAIM = "claim"
    """It says that it is a person, or has a name that is not the role's."""
