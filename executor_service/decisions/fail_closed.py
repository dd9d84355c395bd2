"""What raises allows nothing, of decisions and of edits of plans alike (RESOLUTIONS D21)."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from heartrule.domain.decisions import FindingCode, RuleFinding

T = TypeVar("T")
_log = logging.getLogger(__name__)


def fail_closed(rule: str, judged: Callable[[], T]) -> T | RuleFinding:
    """Return what a rule says, or the finding that rejects where it raises."""
    try:
        return judged()
    except Exception as error:  # noqa: BLE001 - fail closed, whatever nobody foresaw
        # Without the error's text: that may hold what a model or a client wrote.
        kind = type(error).__name__
        _log.error("rule raised", extra={"rule": rule, "error": kind})
        message = f"this rule could not be applied: {kind}"
        return RuleFinding(FindingCode.VALIDATOR_ERROR, "", message, rule)
