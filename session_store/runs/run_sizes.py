"""What a run may keep of values and files, and how values are written; pure."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256

from heartrule.domain.errors import QuotaSpent
from heartrule.domain.json_value import JsonValue
from session_store.decisions.decision_rules import is_too_deep, payload_text

# Bytes of a value that its own row holds; a larger one has a row apart, by its hash.
INLINE = 16_384
# Bytes of one value or file.
LARGEST_VALUE = 8_388_608
# Bytes of all values apart and files of one run.
MOST_OF_RUN = 67_108_864
_MOST_FILES = 8


@dataclass(frozen=True, slots=True)
class WrittenValue:
    """A value as rows have it: the text, or the hash of the text that lies apart."""

    text: str = ""
    sha256: str = ""
    apart: str = ""
    """The text that lies apart; empty: none does."""

    @property
    def size(self) -> int:
        """Bytes that lie apart."""
        return len(self.apart.encode()) if self.apart else 0


NO_VALUE = WrittenValue()


def written(value: JsonValue) -> WrittenValue:
    """Return a value as it is kept; null is kept as nothing.

    Errors:
        QuotaSpent: it is too large or too deep; reason RUN_VALUE_TOO_LARGE.
    """
    if value is None:
        return NO_VALUE
    if is_too_deep(value):
        raise _too_large("a value has too many levels")
    text = payload_text(value)
    encoded = text.encode()
    if len(encoded) > LARGEST_VALUE:
        raise _too_large(f"a value has more than {LARGEST_VALUE} bytes")
    if len(encoded) <= INLINE:
        return WrittenValue(text)
    return WrittenValue(sha256=sha256(encoded).hexdigest(), apart=text)


def read_value(text: str, apart: str = "") -> JsonValue:
    """Return the value of a text, or of the one that lies apart."""
    found: JsonValue = json.loads(text or apart) if text or apart else None
    return found


def require_room(stored: int) -> None:
    """Refuse that a run keeps so many bytes of values apart and files.

    Errors:
        QuotaSpent: reason RUN_VALUES_SPENT.
    """
    if stored > MOST_OF_RUN:
        raise QuotaSpent(
            f"a run keeps at most {MOST_OF_RUN} bytes of values and files",
            reason="RUN_VALUES_SPENT",
        )


def require_files(sizes: list[int]) -> None:
    """Refuse more or larger files than a node may write.

    Errors:
        QuotaSpent: reason RUN_VALUE_TOO_LARGE.
    """
    if len(sizes) > _MOST_FILES or sum(sizes) > LARGEST_VALUE:
        raise _too_large(f"a node keeps {_MOST_FILES} files of {LARGEST_VALUE} bytes in all")


def _too_large(why: str) -> QuotaSpent:
    return QuotaSpent(why, reason="RUN_VALUE_TOO_LARGE")
