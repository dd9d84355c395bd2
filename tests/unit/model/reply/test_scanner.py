"""Content comes out of a reply while it is being written, and nothing else does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heartrule.model.reply.contract import talk_contract
from heartrule.model.reply.scanner import ContentScanner

CONTRACT = talk_contract(metrics=(), outputs=("姓名",))


def fed(*pieces: str) -> ContentScanner:
    scanner = ContentScanner(CONTRACT)
    for piece in pieces:
        scanner.feed(piece)
    return scanner


def test_pieces_come_out_at_once() -> None:
    """Each piece of content is returned by the call that brought it."""
    scanner = ContentScanner(CONTRACT)
    shown = [scanner.feed(p) for p in ['{"EXIT": "NO", "con', 'tent": "你', "好", '，"}', "x"]]
    assert shown == ["", "你", "好", "，", ""]


def test_complete_is_told_at_once() -> None:
    """The text is complete with the next key's quote, long before the object ends."""
    assert not fed('{"content": "你好"').complete
    assert not fed('{"content": "你好",\n ').complete
    assert fed('{"content": "你好",\n "').complete
    assert fed('{"content": "你好"}').complete


@pytest.mark.parametrize(
    "before", ["", "\ufeff", " \n", "```json\n", "```\n", " ```JSON ", "\n" * 500]
)
def test_fence_or_space_before(before: str) -> None:
    """White space, a byte order mark and a fence do not hold the text back."""
    assert fed(before + '{"content": "你好').text == "你好"


@pytest.mark.parametrize(
    "before",
    [
        "好的：",
        "我建议{深呼吸}。",
        "{",
        '[{"a": 1}, ',
        "x" * 300,
        "```json\n说明\n",
        "json\n",
        "``",
    ],
)
def test_prose_before_is_held_back(before: str) -> None:
    """Behind prose nothing streams: the object may be a quotation, the parser decides."""
    assert fed(before + '{"EXIT": "NO", "content": "你好"}').text == ""


@pytest.mark.parametrize(
    "text",
    [
        '{"variables": {"content": "泄"}}',
        '{"content": {"text": "泄"}, "content": "泄"}',
        '{"content": ["泄"]}',
        '{"content": null, "content": "泄"}',
        '{"contents": "泄", "Content": "泄", "content ": "泄"}',
        '{"BRIEF": "他打了{"content": "泄"}", "x": 1}',
        '{"BRIEF": "泄", content: "泄"}',
        '{"BRIEF" "content": "泄"}',
        '{"a": 1} {"content": "泄"}',
        '{"a"]: {"content": "泄"}}',
        '{"a": ' + "[" * 70 + "]" * 70 + ', "content": "泄"}',
        '{"content"："泄"，"EXIT"："NO"}',
        '[{"content": "泄"}]',
    ],
)
def test_nothing_to_show(text: str) -> None:
    """Only a string under the exact key `content` at the top level is shown, the first one."""
    assert fed(*text).text == ""
    assert fed(text).text == ""


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ('一\\n二\\t\\"三\\"\\\\\\/', '一\n二\t"三"\\/'),
        ("一\n二", "一\n二"),
        ("\\u4f60\\u597d", "你好"),
        ("\\ud83d\\ude00", "😀"),
        ("\\ud83d好", "\ufffd好"),
        ("\\ude00\\ud83d", "\ufffd\ufffd"),
        ("\\ud83d\\ud83d\\ude00", "\ufffd😀"),
        ("\\ud83d\\n", "\ufffd\n"),
        ("C:\\q\\u12x", "C:\\q\\u12x"),
        ("\\u0000\x00", "\ufffd\ufffd"),
        ('说："好！"，然后', '说："好！"，然后'),
        ('"开头"和"结尾"。', '"开头"和"结尾"。'),
        ('是"EXIT"吗', '是"EXIT"吗'),
        ('a", b', 'a", b'),
        ('a", EXIT 是', 'a", EXIT 是'),
    ],
)
def test_text_inside_content(written: str, shown: str) -> None:
    """Escapes are decoded, raw breaks kept, stray quotes are text, lone surrogates U+FFFD."""
    reply = f'{{"content": "{written}", "EXIT": "NO"}}'
    assert fed(reply).text == shown
    assert fed(*reply).text == shown


def test_half_a_pair_waits() -> None:
    """The first half of a surrogate pair is not shown before the second."""
    scanner = ContentScanner(CONTRACT)
    pieces = ['{"content": "x\\ud8', "3d", "\\u", "de00", "y"]
    assert [scanner.feed(p) for p in pieces] == ["x", "", "", "😀", "y"]


@pytest.mark.parametrize(
    "reply",
    [
        '{"content": "你好, "EXIT": "泄", "BRIEF": "泄"}',
        '{"content": "你好 "姓名": "泄"}',
        '{"content": "你好"\n"BRIEF": "泄"}',
        '{"content": "你好"EXIT": "泄"}',
        '{"content": "你好, "EXIT"："泄"}',
        '{"content": "你好", EXIT": "泄"}',
        '{"content": "你好", EXIT: "泄"}',
        '{"content": "你好, "EXIT : "泄"}',
        '{"content": "你好", "content": "泄"}',
        '{"content": "你好"} {"content": "泄"}',
    ],
)
def test_lost_quote_never_leaks(reply: str) -> None:
    """A lost closing quote or comma ends the text where the next known field begins."""
    for scanner in (fed(reply), fed(*reply)):
        assert scanner.text.startswith("你好")
        assert scanner.complete
        assert not set("泄EXIT姓名BRIEF") & set(scanner.text)


def test_leading_space_waits_for_words() -> None:
    """White space is shown with the first word; alone it is no content."""
    scanner = ContentScanner(CONTRACT)
    assert [scanner.feed(p) for p in ['{"content": " ', "\\n", "好"]] == ["", "", " \n好"]
    assert fed('{"content": " \\n", "EXIT": "NO"}').text == ""


def test_keys_are_decoded() -> None:
    """A key written with escapes is the key it stands for."""
    assert fed('{"cont\\u0065nt": "你好"}').text == "你好"


def test_text_adds_up() -> None:
    """`text` is all that was returned."""
    scanner = ContentScanner(CONTRACT)
    assert "".join(map(scanner.feed, '{"content": "一二三", "x": 1}')) == scanner.text == "一二三"


@pytest.mark.parametrize(
    ("content", "shown"),
    [("这一轮要说的话", ""), (" 这一轮 要说的话 ", ""), ("这一轮", "这一轮"), ("这一次", "这一次")],
)
def test_the_templates_own_words_are_held_back(content: str, shown: str) -> None:
    """Content that only repeats its description is never shown; any other loses nothing."""
    contract = replace(CONTRACT, content_hint="这一轮要说的话")
    for size in (1, 100):
        reply, scanner = f'{{"content": "{content}", "EXIT": "NO"}}', ContentScanner(contract)
        for at in range(0, len(reply), size):
            scanner.feed(reply[at : at + size])
        assert scanner.text == shown
