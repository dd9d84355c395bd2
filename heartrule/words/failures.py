"""What people read of a model that gave no answer: its cause, its facts and the remedy."""

from __future__ import annotations

from collections.abc import Mapping

from heartrule.words.language import ReaderLanguage
from heartrule.words.words import is_known, say


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
