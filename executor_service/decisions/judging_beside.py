"""Where decisions are judged: in worker processes, but for small ones of a talk.

A plan takes milliseconds to seconds and loads what reads its code and its queries; pydantic reads
a large payload in one go, which holds up the event loop from a thread, too.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace

from executor_service.decisions.ground import Ground
from executor_service.decisions.handling import refusal
from executor_service.decisions.judging import Judgement, judged, judged_apart
from executor_service.decisions.policy import DecisionPolicy
from executor_service.decisions.rules.forced import HOLD_NODES
from executor_service.decisions.sizes import is_small
from executor_service.ports import WorkPool
from heartrule.chassis.worker_pool import WORKER_LOST
from heartrule.domain.decisions import Decision, DecisionType, FindingCode
from heartrule.domain.errors import DeadlinePassed, HeartRuleError, QuotaSpent
from heartrule.domain.workflows import SandboxTier

_log = logging.getLogger(__name__)
_TALK = frozenset({DecisionType.RESPOND, DecisionType.REQUEST_CLARIFICATION, DecisionType.CONTINUE})
_LONG = frozenset(DecisionType) - _TALK


class JudgingBeside:
    """Judges decisions beside the conversations of this process."""

    def __init__(self, pool: WorkPool) -> None:
        """`pool` limits how long a decision may take."""
        self._pool = pool

    async def judged(self, decision: Decision, ground: Ground, policy: DecisionPolicy) -> Judgement:
        """Return what comes of a decision.

        One that takes longer than it may, or that ends its workers, is rejected: it may be the
        decision that does (RESOLUTIONS D21).

        Raises:
            QuotaSpent: The workers are busy: it is not judged, and may be judged again.
        """
        if _is_short(decision):
            return judged(decision, ground, policy)
        # In a thread: this machine's sandboxes are tried for the first plan.
        about = await asyncio.to_thread(_for_others, ground.about(decision))
        try:
            found = await self._pool.run(judged_apart, decision, about, policy)
        except DeadlinePassed as error:
            return _rejected(decision, error, "judging this decision takes longer than it may")
        except QuotaSpent as error:
            if error.reason != WORKER_LOST:
                raise
            return _rejected(decision, error, "judging this decision ended the process that did it")
        if found.verdict.payload is not None:
            return found
        return replace(found, verdict=replace(found.verdict, payload=decision.payload))


def _for_others(ground: Ground) -> Ground:
    """Return a ground for another process, which is told what sandboxes there are."""
    return replace(ground, sandboxes=frozenset(t for t in SandboxTier if t in ground.sandboxes))


def _is_short(decision: Decision) -> bool:
    """Return whether judging takes some milliseconds at most; code and queries may take more."""
    payload = decision.payload
    if decision.decision_type in _LONG or not is_small(payload):
        return False
    return not isinstance(payload, Mapping) or HOLD_NODES.isdisjoint(payload)


def _rejected(decision: Decision, error: HeartRuleError, message: str) -> Judgement:
    _log.error("decision not judged", extra={"reason": error.reason})
    code = FindingCode.VALIDATOR_ERROR
    return Judgement(verdict=refusal(decision.payload, code, message, "6.1 middleware"))
