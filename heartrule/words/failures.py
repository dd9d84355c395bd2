"""What people read of a failure: of a model, cause, facts and remedy; else its reason's words."""

from __future__ import annotations

from collections.abc import Mapping

from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Said, is_known, say, told


def failure_sentence(
    metadata: Mapping[str, str], language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> str:
    """Return what a failure's metadata tells, as one sentence; empty where it has no known cause.

    A fact for operators alone is in it only if it is in the metadata.

    Args:
        metadata: Of a problem, as `ModelFailureDetails.metadata` has it.
        language: Of who reads it.
    """
    code = f"cause.{metadata.get('cause', '')}"
    if not is_known(code):
        return ""
    status, said = metadata.get("status"), metadata.get("provider_message")
    known = (
        metadata.get("base_url"),
        metadata.get("model"),
        f"HTTP {status}" if status else "",
        metadata.get("provider_code"),
        say("causeForm.quote", text=said).told(language) if said else "",
    )
    facts = say("causeForm.comma").told(language).join(fact for fact in known if fact)
    provider = metadata.get("provider")
    sentence = say(
        code,
        provider=provider or say("causeForm.provider"),
        facts=say("causeForm.facts", facts=facts) if facts else "",
    ).told(language)
    return sentence if provider else sentence[:1].upper() + sentence[1:]


def refusal(reason: str, message: str, metadata: Mapping[str, str]) -> Said:
    """Return why a request was refused, by its reason (docs/reference/errors.md).

    It is `message`, the server's own sentence in English, where the catalogues do not know the
    reason, or the metadata lacks a fact that their words tell.
    """
    words = say(f"refusal.{reason}", **{**metadata, "message": message})
    try:
        return words if is_known(words.code) and str(words) else message
    except KeyError:
        return message


def problem_sentence(
    reason: str, message: str, metadata: Mapping[str, str], language: ReaderLanguage
) -> str:
    """Return what a person reads of a problem: the cause of a model's, else the reason's words."""
    return failure_sentence(metadata, language) or told(
        refusal(reason, message, metadata), language
    )
