"""What a workflow or a sub-agent is given against what it takes (sections 2.4 and 2.10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from executor_service.workflows.plan_models import fits
from heartrule.domain.decisions import Correction, FindingCode, RuleFinding
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import WorkflowInput


def parameter_findings(
    given: Mapping[str, JsonValue], taken: Mapping[str, WorkflowInput], path: str, rule: str
) -> Iterator[RuleFinding]:
    """Yield what is missing, of another type, or not taken; the last is taken out (D3).

    Args:
        given: The values by name.
        taken: What may and must be given, by name.
        path: Where `given` stands in the payload.
        rule: The name of the rule that asks.
    """
    for name, each in taken.items():
        place = f"{path}.{name}"
        if name not in given:
            if each.is_required and each.default is None:
                message = f"{place} is missing: it is required"
                yield RuleFinding(FindingCode.MISSING_FIELD, place, message, rule)
        elif not fits(given[name], each.type):
            message = f"{place} must be of type {each.type}"
            yield RuleFinding(FindingCode.WRONG_TYPE, place, message, rule)
    for name in (each for each in given if each not in taken):
        place = f"{path}.{name}"
        message = f"{place} is not declared; declared are: {', '.join(taken) or 'none'}"
        gone = Correction(path=place, before=given[name], is_removed=True)
        yield RuleFinding(FindingCode.UNKNOWN_REFERENCE, place, message, rule, correction=gone)
