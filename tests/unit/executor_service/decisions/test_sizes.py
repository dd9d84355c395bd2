"""How large and how deep a payload may be."""

from __future__ import annotations

import pytest

from executor_service.decisions.sizes import (
    FEW_CHARACTERS,
    FEW_VALUES,
    MOST_BYTES,
    MOST_LEVELS,
    is_small,
    size_findings,
)
from heartrule.domain.decisions import FindingCode
from heartrule.domain.json_value import JsonValue


def nested(levels: int) -> JsonValue:
    value: JsonValue = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("over", "found"), [(0, []), (1, [FindingCode.TOO_LARGE])], ids=["just", "one more"]
)
def test_a_payload_has_a_mebibyte_at_most(over: int, found: list[FindingCode]) -> None:
    """Bytes of compact UTF-8 JSON count, not characters."""
    text = "语" * ((MOST_BYTES - 10) // 3)
    rest = MOST_BYTES - len(text.encode()) - len('{"a":""}') + over
    assert [each.code for each in size_findings({"a": text + "x" * rest})] == found


@pytest.mark.parametrize("levels", [MOST_LEVELS + 1, 100_000])
def test_what_is_nested_too_deep_is_too_large(levels: int) -> None:
    """Depth is found without recursion, so that it cannot exhaust the stack."""
    (found,) = size_findings(nested(levels))
    assert (found.code, found.correction) == (FindingCode.TOO_LARGE, None)


def test_thirty_two_levels_are_allowed() -> None:
    """The last level may hold values."""
    assert size_findings(nested(MOST_LEVELS)) == ()


@pytest.mark.parametrize("letters", [200, 201])
def test_a_key_has_two_hundred_characters_at_most(letters: int) -> None:
    """At any depth: it would stand in the path of every fault below it."""
    found = size_findings({"a": [{"键" * letters: 1}]})
    assert [each.code for each in found] == [FindingCode.TOO_LARGE] * (letters - 200)


def test_half_a_surrogate_is_counted_and_does_not_raise() -> None:
    """JSON of others may hold one; whether it may be said is another rule's matter."""
    assert size_findings({"a": "\ud800"}) == ()


def test_a_payload_is_small_by_values_and_by_characters() -> None:
    """Both are counted through lists, objects and keys; a flat list counts as a deep one."""
    rest = FEW_VALUES - 1
    small: list[JsonValue] = ["x" * FEW_CHARACTERS, [0] * rest, dict.fromkeys(map(str, range(9)))]
    assert [is_small(each) for each in small] == [True] * 3
    large: list[JsonValue] = [
        "x" * (FEW_CHARACTERS + 1),
        {"x" * (FEW_CHARACTERS + 1): 0},
        [0] * (rest + 1),
        {"a": [[0] * rest, 0]},
        dict.fromkeys(map(str, range(FEW_VALUES))),
    ]
    assert [is_small(each) for each in large] == [False] * 5
