"""A reply that is the client's text and nothing else, as agents of threads write it."""

from __future__ import annotations

from typing import Protocol

from heartrule.model.reply.contract import ReplyContract
from heartrule.model.reply.scanner import ContentScanner


class ReplyScanner(Protocol):
    """Takes the pieces of one reply and returns what the client may see of each."""

    @property
    def complete(self) -> bool:
        """Whether the end of the client's text has come."""

    def feed(self, piece: str) -> str:
        """Return the newly visible text."""


class FreeReply:
    """All of a reply is the client's text; it is complete once nothing more comes."""

    def __init__(self) -> None:
        """Nothing has come."""
        self.complete = False

    def feed(self, piece: str) -> str:
        """Return the piece."""
        return piece


def scanner_of(contract: ReplyContract | None) -> ReplyScanner:
    """Return what reads a reply; without a contract it is free."""
    return FreeReply() if contract is None else ContentScanner(contract)
