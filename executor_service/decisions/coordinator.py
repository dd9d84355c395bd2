"""The coordinator: the one gate that every decision passes before anything happens (section 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from executor_service.decisions.correcting import corrected, merged
from executor_service.decisions.decision_case import (
    DecisionCase,
    DecisionRule,
    Findings,
    RuleStage,
)
from executor_service.decisions.fail_closed import fail_closed
from executor_service.decisions.ground import Ground
from executor_service.decisions.policy import NO_POLICY, DecisionPolicy
from executor_service.decisions.rules.table import RULES
from executor_service.decisions.sizes import SIZE_LIMITS, size_findings
from heartrule.domain.decisions import (
    Correction,
    Decision,
    DecisionType,
    FindingCode,
    RuleFinding,
    Verdict,
)

MOST_CORRECTIONS = 200
"""Each copies what it changes, so that many would take a long time."""
MOST_TOLD = 65_536
"""Bytes of paths and sentences of a verdict; the payload itself is told but once."""
_MISSING = frozenset({FindingCode.MISSING_FIELD, FindingCode.MISSING_CONDITIONAL})


def judge(
    decision: Decision,
    ground: Ground,
    policy: DecisionPolicy = NO_POLICY,
    rules: Mapping[DecisionType, tuple[DecisionRule, ...]] = RULES,
) -> Verdict:
    """Return the verdict on a decision; nothing is read or written.

    What can be corrected is corrected once and judged again (section 3.3); what is then still
    wrong, dangerous or too large rejects it. A rule that raises rejects it too (RESOLUTIONS D21),
    and so does more to say of it than `MOST_TOLD`.
    """
    verdict = fail_closed("coordinator", lambda: _judged(decision, ground, policy, rules))
    if not isinstance(verdict, Verdict):
        return Verdict.refusing(decision.payload, verdict)
    if _told(verdict) > MOST_TOLD:
        message = f"what is wrong with the payload takes more than {MOST_TOLD} bytes to say"
        too_much = RuleFinding(FindingCode.TOO_LARGE, "", message, SIZE_LIMITS)
        return Verdict.refusing(decision.payload, too_much)
    return verdict


def _judged(
    decision: Decision,
    ground: Ground,
    policy: DecisionPolicy,
    rules: Mapping[DecisionType, tuple[DecisionRule, ...]],
) -> Verdict:
    if wrong := _unreadable(decision):
        return Verdict.refusing(decision.payload, *wrong)
    case = DecisionCase.of(decision, decision.payload, ground, policy)
    reviewed = _reviewed(case, rules[case.decision_type])
    if not reviewed.errors and reviewed.corrections:
        again = _reviewed(reviewed.case, rules[case.decision_type])
        # A payload that could be corrected again is not one that a correction made valid.
        reviewed = replace(reviewed, errors=again.errors or again.corrected)
    if reviewed.errors:
        return Verdict.refusing(decision.payload, *reviewed.errors)
    made = merged(reviewed.corrections)
    return Verdict(is_valid=True, payload=reviewed.case.payload, corrections=made)


def _unreadable(decision: Decision) -> Findings:
    """Return why a decision cannot be judged by the rules of its type (D4, D20)."""
    if too_large := size_findings(decision.payload):
        return too_large
    if decision.decision_type not in set(DecisionType):
        message = f"{decision.decision_type[:64]!r} is no type of decision"
        code = FindingCode.UNKNOWN_DECISION_TYPE
        return (RuleFinding(code, "", message, "2 types of decisions"),)
    if not isinstance(decision.payload, Mapping):
        message = "the payload must be an object"
        return (RuleFinding(FindingCode.WRONG_TYPE, "", message, "2 payloads"),)
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reviewed:
    case: DecisionCase
    """With the corrections made."""
    corrected: Findings = ()
    errors: Findings = ()

    @property
    def corrections(self) -> tuple[Correction, ...]:
        return tuple(each.correction for each in self.corrected if each.correction)


def _reviewed(case: DecisionCase, rules: Iterable[DecisionRule]) -> _Reviewed:
    """Return the case after all stages, or after the first one with errors."""
    made: Findings = ()
    for stage in RuleStage:
        found = tuple(
            finding for rule in rules if rule.stage is stage for finding in _found_by(rule, case)
        )
        errors = tuple(each for each in found if each.correction is None)
        if not errors and len(found) > MOST_CORRECTIONS:
            message = f"the payload has more than {MOST_CORRECTIONS} fields to correct"
            errors = (RuleFinding(FindingCode.TOO_LARGE, "", message, SIZE_LIMITS),)
        elif found and not errors:
            made += found
            changes = [each.correction for each in found if each.correction]
            payload = corrected(case.payload, changes)
            assert isinstance(payload, Mapping)
            case = replace(case, payload=payload)
            if stage >= RuleStage.SCHEMA and isinstance(case.parsed, tuple):
                errors = case.parsed
        if errors:
            return _Reviewed(case=case, corrected=made, errors=_missing_first(errors))
    return _Reviewed(case=case, corrected=made)


def _found_by(rule: DecisionRule, case: DecisionCase) -> Findings:
    found = fail_closed(rule.name, lambda: tuple(rule.check(case)))
    return (found,) if isinstance(found, RuleFinding) else found


def _missing_first(errors: Findings) -> Findings:
    return tuple(sorted(errors, key=lambda each: each.code not in _MISSING))


def _told(verdict: Verdict) -> int:
    """Return the bytes of what a verdict says, besides the values of the payload."""
    said = [text for each in verdict.errors for text in (each.path, each.message)]
    said += [each.path for each in verdict.corrections]
    return sum(len(text.encode(errors="surrogatepass")) for text in said)
