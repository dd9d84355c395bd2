"""Decisions of agents and operators as text for a person. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from heartrule.domain.decision_events import (
    DecisionMade,
    DecisionRejected,
    DecisionValidated,
    WorkflowChanged,
)
from heartrule.domain.decisions import Correction, RuleFinding
from heartrule.domain.events import EventBody
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Said, Words, say, told
from heartrule_cli.narration.session_texts import value_text
from heartrule_cli.text import one_line

# Errors of one decision that are told; the API has them all.
_MOST = 3


def decision_lines(
    body: EventBody, language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> tuple[str, ...]:
    """Return the line of `--debug` for an event of a decision; none for other kinds."""
    match body:
        case DecisionMade():
            return (say("cli.debug.decision", text=made_text(body, language)).told(language),)
        case DecisionValidated() | DecisionRejected():
            text = judged_text(body, language)
            judged = say("cli.debug.judged", decision=one_line(body.decision_id), text=text)
            return (judged.told(language),)
        case WorkflowChanged():
            return (workflow_text(body, language),)
        case _:
            return ()


def made_text(made: DecisionMade, language: ReaderLanguage = ReaderLanguage.ENGLISH) -> str:
    """Return what was decided, by whom, and with which payload."""
    written = one_line(made.written_type)[:64] or say("cli.decision.no_type")
    payload = made.payload
    if isinstance(payload, Mapping):
        payload = {name: value for name, value in payload.items() if name != "action_type"}
    decided = say(
        "cli.decision.made",
        kind=made.decision_type or written,
        author=say(f"cli.author.{made.author}"),
        id=one_line(made.decision_id),
        payload=value_text(payload),
    )
    return decided.told(language)


def judged_text(
    judged: DecisionValidated | DecisionRejected, language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> str:
    """Return the verdict with its corrections, or with the first errors."""
    sign = say("cli.semicolon").told(language)

    def joined(several: Iterable[Said]) -> str:
        return sign.join(told(each, language) for each in several)

    if isinstance(judged, DecisionValidated):
        return joined((say("cli.decision.valid"), *map(_corrected, judged.corrections)))
    errors: list[Said] = [_error(each) for each in judged.errors[:_MOST]]
    if (more := len(judged.errors) - _MOST) > 0:
        errors.append(say("cli.decision.more", more=more))
    return say("cli.decision.rejected", errors=joined(errors)).told(language)


def workflow_text(
    changed: WorkflowChanged, language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> str:
    """Return a workflow's new revision."""
    name = f"{one_line(changed.name)} " if changed.name else ""
    made = say(
        "cli.decision.workflow",
        name=f"{name}({one_line(changed.workflow_id)})",
        revision=changed.revision,
        status=say(f"cli.state.{changed.status}"),
    )
    return made.told(language)


def _corrected(made: Correction) -> Words:
    path = one_line(made.path)
    if made.is_removed:
        return say("cli.decision.removed", path=path)
    before, after = value_text(made.before), value_text(made.after)
    return say("cli.decision.changed", path=path, before=before, after=after)


def _error(error: RuleFinding) -> Words:
    message = one_line(error.message)
    return say("cli.decision.told_error", code=say(f"gate.{error.code}"), message=message)
