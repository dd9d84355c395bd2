"""`heartrule decision check FILE…`: what the gate makes of decisions, as text or JSON."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from executor_service.decisions.coordinator import judge
from executor_service.decisions.ground import Ground
from executor_service.workflows.schema_findings import findings_of
from heartrule.domain.decisions import Correction, Decision, RuleFinding, Verdict
from heartrule.domain.json_value import JsonValue
from heartrule_cli.decision_ground import GroundFile
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.gate_policy import policy_of
from heartrule_cli.text import clean

_EMPTY_SESSION = (
    "judged for a session without workflows, sub-agents, secrets and connections;"
    " --ground FILE names some"
)
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
    for line in FORMATS[args.format](judged):
        print(line)
    if all(each.verdict.is_valid for each in judged):
        return 0
    if not args.ground:
        print(_EMPTY_SESSION, file=sys.stderr)
    return WRONG


def text_lines(judged: Sequence[JudgedDecision]) -> Iterator[str]:
    """Yield a line for each verdict, with its corrections and its errors below it."""
    for each in judged:
        found = "valid" if each.verdict.is_valid else "rejected"
        yield clean(f"{each.place}: {each.decision.decision_type or 'no type'}: {found}")
        for change in each.verdict.corrections:
            yield clean(f"  corrected {change.path}: {_change(change)}")
        for error in each.verdict.errors:
            yield clean(f"  {error.code.value}: {_with_path(error)}")


def json_lines(judged: Sequence[JudgedDecision]) -> Iterator[str]:
    """Yield one document; docs/reference/checking.md describes its keys."""
    found = {
        "version": JSON_VERSION,
        "ok": all(each.verdict.is_valid for each in judged),
        "decisions": [_as_json(each) for each in judged],
    }
    # ASCII: what a payload says cannot steer a terminal.
    yield json.dumps(found, indent=2)


FORMATS: Mapping[str, Callable[[Sequence[JudgedDecision]], Iterator[str]]] = MappingProxyType(
    {"text": text_lines, "json": json_lines}
)
"""How verdicts can be printed."""


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


def _with_path(error: RuleFinding) -> str:
    told = error.path and error.message.startswith(error.path)
    return error.message if told else f"{error.path or 'the payload'}: {error.message}"


def _change(change: Correction) -> str:
    if change.is_removed:
        return "taken out"
    before, after = (json.dumps(each, ensure_ascii=False) for each in (change.before, change.after))
    return f"{before} becomes {after}"


def _decisions(name: str) -> Iterator[tuple[str, Decision]]:
    content = _read_json(name)
    several = content if isinstance(content, list) else [content]
    for number, each in enumerate(several):
        place = f"{name}:{number}" if isinstance(content, list) else name
        yield place, _decision(place, each)


def _decision(place: str, content: JsonValue) -> Decision:
    """Return a decision as it is written, or that of a payload alone."""
    if not isinstance(content, dict):
        raise Failure(clean(f"{place}: a decision is an object"), code=WRONG)
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
        raise Failure(clean(f"{name}: no JSON: {error}"), code=WRONG) from None
    except RecursionError:
        raise Failure(clean(f"{name}: nested too deep to be read"), code=WRONG) from None
