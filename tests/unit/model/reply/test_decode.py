"""The four safe repairs and their limits."""

from __future__ import annotations

import json

import pytest

from heartrule.model.reply.decode import MAX_LENGTH, repair

KNOWN = frozenset({"EXIT", "content", "BRIEF"})


@pytest.mark.parametrize(
    ("broken", "value", "done"),
    [
        ('{"a": "x。",\n}', {"a": "x。"}, "trailing_comma"),
        ('{"a": [1, 2,], "b": 1 , }', {"a": [1, 2], "b": 1}, "trailing_comma"),
        ('{"a": "x\ny"}', {"a": "x\ny"}, "control_character"),
        ('{"a": "C:\\dir\\q"}', {"a": "C:\\dir\\q"}, "unknown_escape"),
        ('{"a": "\\u12"}', {"a": "\\u12"}, "unknown_escape"),
        ('{"a": "说："好！"，然后"}', {"a": '说："好！"，然后'}, "inner_quote"),
        ('{"a": "叫"小明"的"}', {"a": '叫"小明"的'}, "inner_quote"),
        ('{"a": "“一”"，二"}', {"a": '“一”"，二'}, "inner_quote"),
        ('{"a": "他"："好"}', {"a": '他"："好'}, "inner_quote"),
        ('{"a": "是"EXIT"吗"}', {"a": '是"EXIT"吗'}, "inner_quote"),
    ],
)
def test_single_repairs(broken: str, value: object, done: str) -> None:
    """Each repair mends its own kind of damage and names itself."""
    mended = repair(broken, known=KNOWN)
    assert mended is not None
    assert json.loads(mended.text) == value
    assert mended.repairs == (done,)


@pytest.mark.parametrize(
    "good",
    [
        '{"a": ["x", 1], "b": ["y", true, null, {"c": []}, -1, [0]]}',
        '{"a": ",}", "b": "\\"}\\\\", "c": "\\ud83d\\ude00"}',
        '{ "a" : "x" , "b" : { } }',
    ],
)
def test_good_json_is_untouched(good: str) -> None:
    """What is already JSON comes out as it went in."""
    mended = repair(good, known=KNOWN)
    assert mended is not None
    assert (mended.text, mended.repairs) == (good, ())


@pytest.mark.parametrize(
    "lost",
    [
        '{"content": "你好, "EXIT": "NO"}',
        '{"content": "你好" "EXIT": "NO"}',
        '{"content": "你好"EXIT": "NO"}',
        '{"content": "你好, "EXIT"："NO"}',
        '{"content": "你好',
        '{"a": ' + "[" * 100 + "]" * 100 + "}",
        '{"a": "' + "x" * MAX_LENGTH + '"}',
    ],
)
def test_not_repaired(lost: str) -> None:
    """A lost quote or comma, depth and length are not mended: that would be guessing."""
    assert repair(lost, known=KNOWN) is None
