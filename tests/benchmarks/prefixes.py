"""What a provider's cache of prompts could serve, modelled. Pure.

A provider keeps prompts it has seen in blocks of tokens, and serves those whole blocks at the head
of a new prompt that equal an earlier one's. Here a block is 384 bytes of the messages: 128 tokens
of three bytes, one Chinese character each.
"""

from __future__ import annotations

from dataclasses import dataclass

import orjson

BLOCK = 384


@dataclass(frozen=True, slots=True)
class Served:
    """How much of some prompts a cache can serve."""

    prompts: int
    sent_bytes: int
    served_bytes: int


class PrefixCache:
    """Remembers every block of every prompt, together with all that precedes it."""

    def __init__(self) -> None:
        """Have seen nothing."""
        self._known: set[int] = set()
        self._served = Served(0, 0, 0)

    def see(self, body: bytes) -> None:
        """Count what of a request was seen before, and remember it."""
        text = b"".join(
            f"{each['role']}\n{each['content']}\n".encode()
            for each in orjson.loads(body)["messages"]
        )
        head, served, known = 0, 0, True
        for at in range(0, len(text) - BLOCK + 1, BLOCK):
            head = hash((head, text[at : at + BLOCK]))
            known = known and head in self._known
            served += BLOCK if known else 0
            self._known.add(head)
        former = self._served
        self._served = Served(
            former.prompts + 1, former.sent_bytes + len(text), former.served_bytes + served
        )

    def served(self) -> Served:
        """Return the sums so far."""
        return self._served
