"""`heartrule decision check FILE…`: what the gate makes of decisions, as text or JSON."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from executor_service.decisions.coordinator import judge
from executor_service.decisions.ground import Ground
from executor_service.workflows.schema_findings import findings_of
from heartrule.domain.decisions import Correction, Decision, RuleFinding, Verdict
from heartrule.domain.json_value import JsonValue
from heartrule.words.language import ReaderLanguage, language_in
from heartrule.words.words import Fact, Words, say
from heartrule_cli.decision_ground import GroundFile
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.gate_policy import policy_of
from heartrule_cli.text import clean

# Of the shape of the JSON; it changes when a key goes or means something else.
JSON_VERSION = 1


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """A decision of a file, and the verdict on it."""

    place: str
    """The file, with the number of the decision where it holds several."""
    decision: Decision
    verdict: Verdict


def decision(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print the verdict on each decision; return 2 where one is rejected, else 0."""
    ground = _ground(args.ground) if args.ground else Ground()
    policy = policy_of(environ)
    judged = [
        JudgedDecision(place, each, judge(each, ground, policy))
        for name in args.files
        for place, each in _decisions(name)
    ]
    language = language_in(environ)
    is_json = args.format == "json"
    for line in json_lines(judged) if is_json else text_lines(judged, language):
        print(line)
    if all(each.verdict.is_valid for each in judged):
        return 0
    if not args.ground:
        print(say("cli.decision.empty_session").told(language), file=sys.stderr)
    return WRONG


def text_lines(judged: Sequence[JudgedDecision], language: ReaderLanguage) -> Iterator[str]:
    """Yield a line for each verdict, with its corrections and its errors below it."""
    for each in judged:
        is_valid = each.verdict.is_valid
        found = say("cli.decision.valid") if is_valid else say("cli.decision.refused")
        kind = each.decision.decision_type or say("cli.decision.no_type")
        told = say("cli.decision.verdict", place=each.place, kind=kind, verdict=found)
        yield clean(told.told(language))
        for one in (*map(_change, each.verdict.corrections), *map(_error, each.verdict.errors)):
            yield clean(f"  {one.told(language)}")


def json_lines(judged: Sequence[JudgedDecision]) -> Iterator[str]:
    """Yield one document; docs/reference/checking.md describes its keys."""
    found = {
        "version": JSON_VERSION,
        "ok": all(each.verdict.is_valid for each in judged),
        "decisions": [_as_json(each) for each in judged],
    }
    # ASCII: what a payload says cannot steer a terminal.
    yield json.dumps(found, indent=2)


def _as_json(each: JudgedDecision) -> dict[str, Any]:
    return {
        "place": each.place,
        "decision_type": each.decision.decision_type,
        "is_valid": each.verdict.is_valid,
        "payload": each.verdict.payload,
        "corrections": [
            {"path": change.path, "from": change.before}
            | ({"removed": True} if change.is_removed else {"to": change.after})
            for change in each.verdict.corrections
        ],
        "errors": [
            {"code": error.code.value, "path": error.path}
            | {"message": error.message, "rule": error.rule}
            for error in each.verdict.errors
        ],
    }


def _error(error: RuleFinding) -> Words:
    facts: dict[str, Fact] = {"code": say(f"gate.{error.code}"), "message": error.message}
    if error.path and error.message.startswith(error.path):
        return say("cli.decision.told_error", **facts)
    return say("cli.decision.error", path=error.path or say("cli.decision.payload"), **facts)


def _change(change: Correction) -> Words:
    if change.is_removed:
        return say("cli.decision.taken_out", path=change.path)
    before, after = (json.dumps(each, ensure_ascii=False) for each in (change.before, change.after))
    return say("cli.decision.corrected", path=change.path, before=before, after=after)


def _decisions(name: str) -> Iterator[tuple[str, Decision]]:
    content = _read_json(name)
    several = content if isinstance(content, list) else [content]
    for number, each in enumerate(several):
        place = f"{name}:{number}" if isinstance(content, list) else name
        yield place, _decision(place, each)


def _decision(place: str, content: JsonValue) -> Decision:
    """Return a decision as it is written, or that of a payload alone."""
    if not isinstance(content, dict):
        raise Failure(say("cli.decision.no_object", place=clean(place)), code=WRONG)
    whole = content if "payload" in content else {"payload": content}
    payload, confidence = whole["payload"], whole.get("confidence")
    stated = payload.get("action_type") if isinstance(payload, dict) else None
    kind = whole.get("decision_type", stated)
    return Decision(
        decision_id=place,
        correlation_id=place,
        decision_type=kind if isinstance(kind, str) else "",
        payload=payload,
        confidence=_number(confidence),
    )


def _number(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number else None  # type: ignore[return-value]  # it is one


def _ground(name: str) -> Ground:
    try:
        return GroundFile.model_validate(_read_json(name)).ground()
    except ValidationError as error:
        found = findings_of(error, "")
        raise Failure(clean(f"{name}: {found[0].message}"), code=WRONG) from None


def _read_json(name: str) -> Any:
    try:
        return json.loads(Path(name).read_text(encoding="utf-8"))
    except OSError as error:
        raise Failure(clean(f"{name}: {error.strerror}"), code=WRONG) from None
    except ValueError as error:  # bytes that are no UTF-8 are one, too
        raise Failure(
            say("cli.decision.no_json", file=clean(name), why=str(error)), code=WRONG
        ) from None
    except RecursionError:
        raise Failure(say("cli.decision.too_deep", file=clean(name)), code=WRONG) from None
