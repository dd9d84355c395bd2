"""Hits of rules, and which of them count together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from heartrule.domain.safety import SafetyLevel, Subject
from heartrule.safety.safety_rules import Excuse, SafetyRule

_QUOTED = frozenset({Excuse.REPORTED, Excuse.FRAMED, Excuse.TOLD})
_OF_OTHERS = frozenset({SafetyLevel.THIRD_PARTY, SafetyLevel.EMERGENCY})


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleHit:
    """A place where a rule is met, and what that means."""

    rule: SafetyRule
    level: SafetyLevel
    subject: Subject = Subject.SELF
    excuse: Excuse | None = None


def standing(hits: Iterable[RuleHit]) -> list[RuleHit]:
    """Return the hits that count, the gravest first."""
    found = tuple(hits)
    counted = [hit for hit in found if hit.level > SafetyLevel.NONE]
    alone = [hit for hit in counted if hit.rule.beside is SafetyLevel.NONE]
    # Danger to or from others is no sign that a plan is the client's own death.
    own = (hit.level for hit in alone if hit.level not in _OF_OTHERS)
    most = max(own, default=SafetyLevel.NONE)
    grave = {
        hit.excuse for hit in found if hit.rule.level >= SafetyLevel.CRISIS and not hit.rule.admits
    }
    denied, quoted = Excuse.DENIED in grave, not _QUOTED.isdisjoint(grave)
    beside = [
        hit
        for hit in counted
        if SafetyLevel.NONE < hit.rule.beside <= most
        or (denied and hit.rule.admits)
        or (quoted and hit.rule.agrees)
    ]
    return sorted(alone + beside, key=lambda hit: -hit.level)
