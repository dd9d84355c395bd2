"""The card of a refused input, as a detail of its status."""

from __future__ import annotations

from heartrule.domain.errors import HeartRuleError
from heartrule.v1 import safety_pb2
from heartrule.wire.message_mapping import to_message


def fallback_detail(error: HeartRuleError) -> safety_pb2.SafetyFallback | None:
    """Return the message a client is shown in place of a refusal; None where there is none."""
    if error.fallback is None:
        return None
    return to_message(error.fallback, safety_pb2.SafetyFallback)
