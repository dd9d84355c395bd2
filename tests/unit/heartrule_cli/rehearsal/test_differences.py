"""What differs is found, and where it stands."""

from __future__ import annotations

import pytest

from executor_service.scripts.loading.tree import Node
from executor_service.scripts.loading.yaml_reader import read_yaml
from executor_service.scripts.model.findings import Findings
from heartrule.domain.json_value import JsonValue
from heartrule_cli.rehearsal.differences import differences


def node(text: str) -> Node:
    document = read_yaml(text.encode(), Findings("x.yaml"))
    assert document is not None
    return document.root


@pytest.mark.parametrize(
    ("expected", "actual", "differ"),
    [
        ("{a: 1}", {"a": 1, "b": 2}, False),
        ("{a: 1}", {"a": 2}, True),
        ("{a: {has: x}}", {"a": "xy"}, False),
        ("{a: {has: [x, z]}}", {"a": "xy"}, True),
        ("{a: {lacks: x}}", {"a": "xy"}, True),
        ("[1, 2]", [1], True),
        ("[{a: 1}]", [{"a": 1, "b": 2}], False),
        ("{a: {b: 1}}", {"a": None}, True),
        ("{a: null}", {}, False),
        ("{a: 1}", {"a": True}, True),
        ("{a: 25}", {"a": "25"}, True),
        ("{a: 1}", {"a": 1.0}, False),
        ("{a: {has: [一, 二]}}", {"a": ["一", "二"]}, False),
        ("{a: 你好}", {"a": ["你好"]}, False),
        ("{a: 你好}", {"a": ["你好", "再见"]}, True),
    ],
)
def test_what_differs_is_found(expected: str, actual: JsonValue, *, differ: bool) -> None:
    """Mappings count by the expected keys, lists item by item, and true is no number."""
    assert bool(list(differences(node(expected), actual))) is differ


def test_a_mismatch_knows_its_place_and_its_way() -> None:
    """The author is led to the very text that is not as expected."""
    (found,) = differences(node("said:\n- 你好\n- 再见\n"), {"said": ["你好", "回见"]})
    assert (found.spot.line, found.spot.column) == (3, 3)
    assert (found.path, found.expected, found.got) == (("said", 2), '"再见"', "回见")


def test_every_text_that_lacks_is_told() -> None:
    """Each of `has` at its own place."""
    found = list(differences(node("prompt: {has: [一, 二, 三]}"), {"prompt": "二"}))
    assert [(each.spot.column, each.expected) for each in found] == [
        (16, 'a text with "一"'),
        (22, 'a text with "三"'),
    ]
