"""Rehearsals as JSON, for editors and pipelines. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from executor_service.scripts.model.findings import Located
from heartrule.domain.json_value import JsonValue
from heartrule_cli.rehearsal.difference_lines import sentence
from heartrule_cli.rehearsal.outcome import Difference, Played, Rehearsal

_SEEN = (
    *("said", "media", "options", "requests", "rejected", "outcome", "problem", "degradations"),
    *("status", "position", "variables", "judged", "wrote", "skipped", "asked"),
)


def report(script: Path, problems: Iterable[Located], rehearsals: Sequence[Rehearsal]) -> str:
    """Return everything as one JSON object.

    Args:
        script: The script, as its author knows it.
        problems: The errors of script and conversations.
        rehearsals: What was played.
    """
    wrong = [problem(found) for found in problems]
    fine = not wrong and not any(each.differences for each in rehearsals)
    whole: JsonValue = {
        "script": str(script),
        "ok": fine,
        "problems": wrong,
        "conversations": [_rehearsal(each) for each in rehearsals],
    }
    return json.dumps(whole, ensure_ascii=False, indent=2)


def problem(found: Located) -> JsonValue:
    """Return an error of a file."""
    return {
        "file": found.file,
        "line": found.line,
        "column": found.column,
        "severity": found.severity.value,
        "message": found.message,
    }


def _rehearsal(rehearsal: Rehearsal) -> JsonValue:
    return {
        "file": rehearsal.conversation.file,
        "title": rehearsal.conversation.title,
        "ok": not rehearsal.differences,
        "differences": [_difference(each) for each in rehearsal.differences],
        "turns": [_turn(each) for each in rehearsal.played],
    }


def _difference(found: Difference) -> JsonValue:
    return {
        "line": found.spot.line,
        "column": found.spot.column,
        "turn": found.turn,
        "path": list(found.path),
        "expected": found.expected,
        "got": found.got,
        "message": str(sentence(found)),
    }


def _turn(played: Played) -> JsonValue:
    turn = played.turn
    seen = {key: played.seen.get(key) for key in _SEEN}
    asked = seen["asked"]
    calls = [each for each in asked if isinstance(each, dict)] if isinstance(asked, list) else []
    return {
        "turn": played.number,
        "line": turn.spot.line,
        "client": turn.client,
        "form": None if turn.form is None else dict(turn.form),
        **seen,
        "asked": [{"template": call["template"], "prompt": call["prompt"]} for call in calls],
    }
