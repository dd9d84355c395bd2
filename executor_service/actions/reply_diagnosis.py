"""How a reply was parsed, for the log, the result and the degradations of the turn.

None of them repeats text of the model or the client; that belongs to the ledger (RESOLUTIONS C33).
"""

from __future__ import annotations

import logging

from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import ParseDiagnosis, ParseStrategy
from heartrule.domain.problem import Degradation
from heartrule.model.template import Template

LOG = logging.getLogger(__name__)
_STRATEGIES = tuple(ParseStrategy)
# Characters of all warnings together: one reply can cause any number of them.
_LONGEST = 1000


def parse_facts(diagnosis: ParseDiagnosis) -> dict[str, JsonValue]:
    """Return how the reply was parsed, for the result's metadata (RESOLUTIONS C3)."""
    facts: dict[str, JsonValue] = {"parseRetryCount": diagnosis.retry_count}
    if diagnosis.parse_error is not None:
        facts["parseError"] = True
    return facts


def log_diagnosis(diagnosis: ParseDiagnosis, *, prompt_type: str) -> None:
    """Warn of each strategy that failed, and report an error where all did (document 000)."""
    error = diagnosis.parse_error
    failed = diagnosis.retry_count if error else max(diagnosis.retry_count - 1, 0)
    for number, strategy in enumerate(_STRATEGIES[:failed], start=1):
        LOG.warning(
            "a strategy could not read the reply",
            extra={
                "parse_retry": number,
                "strategy": strategy.value,
                "prompt_type": prompt_type,
            },
        )
    if error is not None:
        LOG.error(
            "the reply is unreadable; its text is in the ledger",
            extra={
                "parse_retry_count": error.retry_count,
                "final_error": error.final_error,
                "reply_length": len(error.raw_response),
                "prompt_type": prompt_type,
            },
        )


def diagnosis_degradations(diagnosis: ParseDiagnosis) -> tuple[Degradation, ...]:
    """Return what of a readable reply was mended or defaulted."""
    found = []
    if diagnosis.repairs:
        repairs = ",".join(diagnosis.repairs)
        found.append(Degradation.of("parse", "REPAIRED_REPLY", repairs=repairs))
    if diagnosis.warnings:
        warnings = "; ".join(diagnosis.warnings)[:_LONGEST]
        found.append(Degradation.of("parse", "REPLY_WARNINGS", warnings=warnings))
    return tuple(found)


def layer_degradations(template: Template, scheme: str) -> tuple[Degradation, ...]:
    """Return a degradation where a scheme has no such file, or one that breaks the rules."""
    if template.instead_of:
        broken = {"file": template.instead_of, "template": template.name}
        return (Degradation.of("template", "TEMPLATE_FILE_BROKEN", **broken),)
    if not scheme or not template.is_default:
        return ()
    facts = {"scheme": scheme, "template": template.name}
    return (Degradation.of("template", "SCHEME_FILE_ABSENT", **facts),)
