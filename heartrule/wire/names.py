"""Checks the names and texts of a request."""

from __future__ import annotations

from heartrule.wire.inbound import Reading

# Bytes of UTF-8 in an id, a key or a user's name, a limit of the contract.
LONGEST_NAME = 256
NUL = "\x00"


def check_name(value: str, path: str, reading: Reading) -> None:
    """Note a name that is empty, too long or cannot be stored."""
    if not value:
        reading.wrong(path, "is required")
    elif len(value.encode()) > LONGEST_NAME:
        reading.wrong(path, f"must have at most {LONGEST_NAME} bytes")
    check_text(value, path, reading)


def check_text(value: str, path: str, reading: Reading) -> None:
    """Note a text with U+0000, which no text column of PostgreSQL holds."""
    if NUL in value:
        reading.wrong(path, "must not contain U+0000")
