"""Finds the differences between what was expected and what happened. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from executor_service.scripts.loading.tree import ListNode, MapNode, Node, ScalarNode, to_json
from executor_service.scripts.model.findings import Spot
from heartrule.domain.json_value import JsonValue
from heartrule.words.words import Words, say
from heartrule_cli.rehearsal.doubles import PlayedModel, WrittenModel
from heartrule_cli.rehearsal.outcome import Difference, Path, Played
from heartrule_cli.rehearsal.shapes import is_match


def differences(expected: Node, actual: JsonValue, path: Path = ()) -> Iterator[Difference]:
    """Yield where the actual value is not what was expected.

    Mappings are compared by the expected keys, lists item by item. `{has: x}` wants a text to
    hold every x, `{lacks: x}` none of them; a list of texts is then one text, line by line.
    """
    if isinstance(expected, MapNode) and is_match(expected):
        yield from _text_differences(expected, as_text(actual), path)
    elif isinstance(expected, MapNode) and isinstance(actual, Mapping):
        for key, entry in expected.entries.items():
            yield from differences(entry.value, actual.get(key), (*path, key))
    elif (
        isinstance(expected, ListNode)
        and isinstance(actual, list)
        and len(expected.items) == len(actual)
    ):
        for number, (node, value) in enumerate(zip(expected.items, actual, strict=True), start=1):
            yield from differences(node, value, (*path, number))
    elif isinstance(expected, ScalarNode) and _are_texts(actual):
        if expected.text != as_text(actual):
            yield _difference(expected, as_text(actual), path)
    elif not _same(to_json(expected), actual):
        yield _difference(expected, actual, path)


def as_text(value: JsonValue) -> str:
    """Return a text as it is, texts as lines, anything else as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and _are_texts(value):
        return "\n".join(map(str, value))
    return written(value)


def written(value: JsonValue) -> str:
    """Return a value as JSON that a person can read."""
    return json.dumps(value, ensure_ascii=False)


def _are_texts(value: JsonValue) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _same(expected: JsonValue, actual: JsonValue) -> bool:
    """Return whether two values are equal; true is no number."""
    return expected == actual and isinstance(expected, bool) == isinstance(actual, bool)


def _difference(expected: Node, actual: JsonValue, path: Path) -> Difference:
    return Difference(spot=expected, path=path, expected=written(to_json(expected)), got=actual)


def _text_differences(expected: MapNode, actual: str, path: Path) -> Iterator[Difference]:
    for key, verb, wanted in (("has", "a text with", True), ("lacks", "a text without", False)):
        for node in _words(expected, key):
            if (node.text in actual) is not wanted:
                yield Difference(
                    spot=node,
                    path=path,
                    expected=f"{verb} {written(node.text)}",
                    got=actual,
                    word=node.text,
                )


def _words(expected: MapNode, key: str) -> Sequence[ScalarNode]:
    entry = expected.entries.get(key)
    value = None if entry is None else entry.value
    nodes = value.items if isinstance(value, ListNode) else [value]
    return [node for node in nodes if isinstance(node, ScalarNode)]


# Expectations about a turn's failure; without one of them a failure is a difference.
_FAILURE = frozenset({"outcome", "problem", "status"})


def missing_answers(played: Played, model: PlayedModel | None) -> list[Difference]:
    """Return that a list of answers is too short, in the turn that needed one more."""
    if not isinstance(model, WrittenModel) or not model.unanswered:
        return []
    first = model.unanswered[0]
    count = len(model.requests) - len(model.unanswered)
    model.unanswered.clear()
    return [_of_turn(played, say("rehearsal.used_up", prompt=first.prompt_type, count=count))]


def unexpected_failures(played: Played) -> list[Difference]:
    """Return that an input was refused or the turn failed, unless that is expected."""
    expected = played.turn.expected
    about = set() if expected is None else set(expected.entries)
    reasons, problem = played.seen.get("rejected"), played.seen.get("problem")
    found = []
    if isinstance(reasons, list) and reasons and "rejected" not in about:
        found.append(_of_turn(played, say("rehearsal.refused", reason=str(reasons[0]))))
    if not played.seen.get("outcome") and not reasons and "outcome" not in about:
        found.append(_of_turn(played, say("rehearsal.nobody_answers")))
    if isinstance(problem, dict) and not about & _FAILURE:
        found.append(_of_turn(played, say("rehearsal.failed", reason=str(problem["reason"]))))
    return found


def _of_turn(played: Played, message: Words) -> Difference:
    return Difference(spot=played.turn.spot, turn=played.number, message=message)


def unused_answers(key: str, spot: Spot, count: int) -> Difference:
    """Return that the last `count` answers below `key`, the first at `spot`, were not used."""
    return Difference(
        spot=spot,
        expected="to be asked for",
        message=say("rehearsal.unused", key=key)
        if count == 1
        else say("rehearsal.unused_more", key=key, count=count - 1),
    )
