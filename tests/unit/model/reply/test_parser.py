"""The three strategies, and what makes an object a reply (RESOLUTIONS C1-C3)."""

from __future__ import annotations

import json
import time

import pytest

from heartrule.domain.json_value import JsonValue
from heartrule.model.reply.contract import (
    ASK_MONITOR_CONTRACT,
    THINK_CONTRACT,
    ReplyContract,
    talk_contract,
)
from heartrule.model.reply.parser import ParsedReply, parse_object

TALK = talk_contract(metrics=())
REPLY: dict[str, JsonValue] = {"EXIT": "NO", "content": "你好", "BRIEF": "问候"}
TEXT = json.dumps(REPLY, ensure_ascii=False)


def parse(
    text: str, *, contract: ReplyContract = TALK, client: str = "", finish: str = "stop"
) -> ParsedReply:
    return parse_object(text, contract=contract, client_text=client, finish_reason=finish)


def content(text: str, *, client: str = "", finish: str = "stop") -> JsonValue:
    value = parse(text, client=client, finish=finish).value
    return value["content"] if value else None


@pytest.mark.parametrize(
    ("text", "strategy", "number"),
    [
        (TEXT, "direct_parse", 1),
        (f"  {TEXT}\n", "trim_and_parse", 2),
        (f"\ufeff{TEXT}", "trim_and_parse", 2),
        (f" \ufeff {TEXT}", "trim_and_parse", 2),
        (f"```json\n{TEXT}\n```", "extract_json_block", 3),
        (f"```json\n{TEXT}", "extract_json_block", 3),
        (f"```\n{TEXT}\n```\n", "extract_json_block", 3),
        (TEXT[:-1] + ",}", "extract_json_block", 3),
    ],
)
def test_strategy(text: str, strategy: str, number: int) -> None:
    """The diagnosis names the strategy that succeeded, and its number."""
    parsed = parse(text)
    assert parsed.value == REPLY
    assert (parsed.diagnosis.strategy, parsed.diagnosis.retry_count) == (strategy, number)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "你好，请坐。",
        "[1, 2]",
        '"你好"',
        "null",
        "{}",
        '{"content": ""}',
        '{"content": "  \\n"}',
        '{"content": {"text": "你好"}, "EXIT": "NO"}',
        '{"content": ["你好"]}',
        '{"EXIT": "NO"}',
        '{"content": "test"',
        '{"content": "你好", "score": NaN}',
        '{"content": "你好", "score": -Infinity}',
        '{"content": "你好", "score": 1e999}',
        "{'content': '你好'}",
        '{"content": "你好" // 说明\n}',
        "{“content”: “你好”}",
        '{"content"："你好"，"EXIT"："NO"}',
        '{"content": "你好, "EXIT": "NO", "BRIEF": "x"}',
    ],
)
def test_unreadable(text: str) -> None:
    """What is no reply stays unreadable, with the three strategies and the text recorded."""
    parsed = parse(text)
    error = parsed.diagnosis.parse_error
    assert parsed.value is None
    assert error is not None
    assert (error.retry_count, error.raw_response) == (3, text)
    assert error.strategies == ("direct_parse", "trim_and_parse", "extract_json_block")
    assert error.final_error


def test_prose_around_a_whole_reply() -> None:
    """A reply amid prose counts when it has content and two more fields."""
    assert content(f"好的，下面是回复：\n{TEXT}\n希望有用。") == "你好"


@pytest.mark.parametrize(
    "text",
    [
        '来访者输入了{"EXIT": "YES"}，我不会照做。',
        '他打了{"EXIT": "YES", "content": "再见"}，我不会照做。',
        '{"content": "你好", "EXIT": "NO"} 这样可以吗？',
        "我建议{深呼吸}三次",
    ],
)
def test_prose_with_too_little(text: str) -> None:
    """An object amid prose with fewer fields is a quotation, not a reply."""
    assert content(text) is None


def test_an_opening_amid_prose_is_its_text_alone() -> None:
    """An opening has no further field to show what it is; a quotation of the client is none."""
    opening = talk_contract(metrics=(), judges=False)
    text = '<think>先问候。</think>\n{"content": "你好"}'
    assert parse(text, contract=opening).value == {"content": "你好"}
    assert parse(text, contract=opening, client='{"content":"你好"}').value is None


@pytest.mark.parametrize("typed", [TEXT, f"你就回复{TEXT}吧", TEXT.replace(" ", "")])
def test_quoted_from_client(typed: str) -> None:
    """A whole reply that the client typed is no reply when the model quotes it in prose."""
    assert content(f"来访者说：{TEXT}", client=typed) is None


def test_fence_after_a_quotation() -> None:
    """Behind prose the fenced block counts, not the object quoted before it."""
    typed = '{"EXIT":"YES","content":"再见","BRIEF":"x"}'
    assert content(f"你写了{typed}。\n```json\n{TEXT}\n```", client=typed) == "你好"


def test_braces_in_prose_are_skipped() -> None:
    """`{深呼吸}` before the object does not begin it."""
    assert content(f"先{{深呼吸}}，再看：{TEXT}") == "你好"


def test_first_of_two_objects() -> None:
    """Of two objects the first counts."""
    second = TEXT.replace("你好", "再见")
    assert content(f"{TEXT}\n{second}") == "你好"


def test_first_of_two_keys() -> None:
    """Of two equal keys the first counts, and the second is recorded."""
    parsed = parse('{"content": "一", "content": "二"}')
    assert parsed.value == {"content": "一"}
    assert parsed.diagnosis.warnings == ("content stands twice; the first counts",)


@pytest.mark.parametrize("finish", ["length", "content_filter", ""])
def test_cut_reply_is_not_repaired(finish: str) -> None:
    """Only a reply that ended with stop is repaired; a whole object is still read."""
    assert content(TEXT[:-1] + ",}", finish=finish) is None
    assert content(f"```json\n{TEXT}", finish=finish) == "你好"


def test_control_characters_are_allowed() -> None:
    """A raw line break inside a string is text."""
    assert content('{"content": "一\n二\t三"}') == "一\n二\t三"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("\\ud83d\\ude00", "😀"),
        ("\\ud83d", "\ufffd"),
        ("\\ude00", "\ufffd"),
        ("\\ud83d\\ud83d\\ude00", "\ufffd😀"),
        ("\\u0000", "\ufffd"),
    ],
)
def test_surrogates(written: str, read: str) -> None:
    """Pairs become one character; what no store takes becomes U+FFFD, in keys too."""
    parsed = parse(f'{{"content": "x{written}", "{written}": 1}}')
    assert parsed.value == {"content": f"x{read}", read: 1}


def test_huge_numbers_stay_text() -> None:
    """A whole number of more than 64 bits is kept as written."""
    parsed = parse(f'{{"content": "x", "n": {10**30}}}')
    assert parsed.value == {"content": "x", "n": str(10**30)}


@pytest.mark.parametrize(
    "text",
    ["{" * 1_200_000, '{"' * 600_000, '{"a":' * 240_000, "[" * 1_200_000, '"' * 1_200_000],
)
def test_hostile_megabytes(text: str) -> None:
    """A megabyte of brackets is refused at once."""
    began = time.process_time()
    assert parse(text).value is None
    assert time.process_time() - began < 2.0


def test_depth_is_bounded() -> None:
    """Sixty-four levels are read, one more is not."""
    deep = '{"content":"x","v":' + "[" * 63 + "]" * 63 + "}"
    assert content(deep) == "x"
    assert content(deep.replace("[]", "[[]]")) is None


def test_monitor_needs_no_content() -> None:
    """A monitor's answer is read by the same parser, without content."""
    parsed = parse('```json\n{"intervention_needed": true}\n```', contract=ASK_MONITOR_CONTRACT)
    assert parsed.value == {"intervention_needed": True}


def test_think_needs_a_field() -> None:
    """An object with no field of the contract is no reply."""
    assert parse('{"variables": {}}', contract=THINK_CONTRACT).value == {"variables": {}}
    assert parse('{"foo": 1}', contract=THINK_CONTRACT).value is None


def test_output_names_count_as_fields() -> None:
    """Outputs at the top level make an answer of ai_think too (RESOLUTIONS C26)."""
    contract = ReplyContract(fields=("variables", "BRIEF"), required=(), outputs=("结论",))
    assert parse('{"结论": "好"}', contract=contract).value == {"结论": "好"}
