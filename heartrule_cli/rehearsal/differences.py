"""Finds where what happened is not what was expected. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from executor_service.scripts.loading.tree import ListNode, MapNode, Node, ScalarNode, to_json
from executor_service.scripts.model.findings import Spot
from heartrule.domain.json_value import JsonValue
from heartrule_cli.rehearsal.expectations import is_match
from heartrule_cli.rehearsal.models import PlayedModel, WrittenModel
from heartrule_cli.rehearsal.outcome import Difference, Path, Played


@dataclass(frozen=True, slots=True, kw_only=True)
class Mismatch:
    """One thing that is not as expected."""

    spot: Spot
    """Where the expectation stands."""
    path: Path
    """Keys and numbers of items that lead to it."""
    expected: str
    """In words: a value as JSON, or `to hold …`."""
    got: JsonValue
    word: str = ""
    """The text that has to be in it, or must not."""


def mismatches(expected: Node, actual: JsonValue, path: Path = ()) -> Iterator[Mismatch]:
    """Yield where the actual value is not what was expected.

    Mappings are compared by the expected keys, lists item by item. `{has: x}` wants a text to
    hold every x, `{lacks: x}` none of them; a list of texts is then one text, line by line.
    """
    if isinstance(expected, MapNode) and is_match(expected):
        yield from _text_mismatches(expected, as_text(actual), path)
    elif isinstance(expected, MapNode) and isinstance(actual, Mapping):
        for key, entry in expected.entries.items():
            yield from mismatches(entry.value, actual.get(key), (*path, key))
    elif _pairs(expected, actual):
        assert isinstance(expected, ListNode)
        assert isinstance(actual, list)
        for number, (node, value) in enumerate(zip(expected.items, actual, strict=True), start=1):
            yield from mismatches(node, value, (*path, number))
    elif isinstance(expected, ScalarNode) and _texts(actual):
        if expected.text != as_text(actual):
            yield _mismatch(expected, as_text(actual), path)
    elif not _same(to_json(expected), actual):
        yield _mismatch(expected, actual, path)


def as_text(value: JsonValue) -> str:
    """Return a text as it is, texts as lines, anything else as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(map(str, value))
    return written(value)


def written(value: JsonValue) -> str:
    """Return a value as JSON that a person can read."""
    return json.dumps(value, ensure_ascii=False)


def _texts(actual: JsonValue) -> bool:
    """Say whether one text may stand for all of these."""
    return isinstance(actual, list) and all(isinstance(item, str) for item in actual)


def _pairs(expected: Node, actual: JsonValue) -> bool:
    return (
        isinstance(expected, ListNode)
        and isinstance(actual, list)
        and len(expected.items) == len(actual)
    )


def _same(expected: JsonValue, actual: JsonValue) -> bool:
    """Compare values; true is no number."""
    return expected == actual and isinstance(expected, bool) == isinstance(actual, bool)


def _mismatch(expected: Node, actual: JsonValue, path: Path) -> Mismatch:
    return Mismatch(spot=expected, path=path, expected=written(to_json(expected)), got=actual)


def _text_mismatches(expected: MapNode, actual: str, path: Path) -> Iterator[Mismatch]:
    for key, verb, wanted in (("has", "a text with", True), ("lacks", "a text without", False)):
        for node in _words(expected, key):
            if (node.text in actual) is not wanted:
                told = f"{verb} {written(node.text)}"
                yield Mismatch(spot=node, path=path, expected=told, got=actual, word=node.text)


def _words(expected: MapNode, key: str) -> Sequence[ScalarNode]:
    entry = expected.entries.get(key)
    value = None if entry is None else entry.value
    nodes = value.items if isinstance(value, ListNode) else [value]
    return [node for node in nodes if isinstance(node, ScalarNode)]


_FAILURE = frozenset({"outcome", "problem", "status"})
"""Expectations that tell whether a turn failed."""


def difference_of(found: Mismatch, turn: int) -> Difference:
    """Return what is not as expected as a difference of a turn."""
    return Difference(
        spot=found.spot,
        turn=turn,
        path=found.path,
        expected=found.expected,
        got=found.got,
        word=found.word,
    )


def unanswered(played: Played, model: PlayedModel | None) -> list[Difference]:
    """Return that a list of answers is too short; told once, in the turn that found out."""
    if not isinstance(model, WrittenModel) or not model.unanswered:
        return []
    first = model.unanswered[0]
    count = len(model.requests) - len(model.unanswered)
    model.unanswered.clear()
    message = (
        f"the model is asked once more ({first.prompt_type}), and its {count} "
        f"{'answer is' if count == 1 else 'answers are'} used up"
    )
    return [_difference(played, message)]


def gone_wrong(played: Played) -> list[Difference]:
    """Return that an input was refused or the turn failed, where nothing is said about that."""
    expected = played.turn.expected
    about = set() if expected is None else set(expected.entries)
    reasons, problem = played.seen.get("rejected"), played.seen.get("problem")
    found = []
    if isinstance(reasons, list) and reasons and "rejected" not in about:
        message = f"the input is refused ({reasons[0]}); expect `rejected` where that is meant"
        found.append(_difference(played, message))
    if not played.seen.get("outcome") and not reasons and "outcome" not in about:
        found.append(_difference(played, "nobody answers: what comes before this turn fails again"))
    if isinstance(problem, dict) and not about & _FAILURE:
        message = f"the turn failed ({problem['reason']}); expect `outcome` where that is meant"
        found.append(_difference(played, message))
    return found


def _difference(played: Played, message: str) -> Difference:
    return Difference(
        spot=played.turn.spot,
        turn=played.number,
        path=(),
        expected="",
        got=None,
        message=message,
    )


def nobody_asked(key: str, spot: Spot, count: int) -> Difference:
    """Return that this answer, the first of `count` below `key`, was left over."""
    rest = "" if count == 1 else f", nor for the {count - 1} after it"
    return Difference(
        spot=spot,
        turn=0,
        path=(),
        expected="to be asked for",
        got=None,
        message=f"nobody asked for this answer of `{key}`{rest}",
    )
