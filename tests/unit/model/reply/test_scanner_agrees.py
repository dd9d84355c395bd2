"""However a reply is cut into pieces, scanner and parser see the same text."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial

from heartrule.model.reply.contract import ASK_METRICS, talk_contract
from heartrule.model.reply.parser import OBJECT_START, PREFACE, parse_object
from heartrule.model.reply.scanner import ContentScanner
from tests.support.recorded_replies import recorded_replies

CONTRACT = talk_contract(metrics=ASK_METRICS, outputs=("姓名",))
RECORDED = [reply.raw for reply in recorded_replies()]
HAND_MADE = [
    '{"EXIT":"NO","content":"你好😀，\\ud83d\\ude00 \\"引\\" \\u4f60\\\\","BRIEF":"x"}',
    '```json\n{"content": "说："好！"，然后", "EXIT": "NO",\n}\n```',
    '{"content": "一\n二\\q", "metrics": {"a": ["x", 1, {"content": "泄"}]}}',
    '{"BRIEF": "他说"好"，走", "content": "嗯", "content": "泄"}',
    '{"variables": {"content": "泄", "姓名": "泄"}, "content": " 好 "}',
    '{"content": "\\ud83d\\ud83d\\ude00\\u12\\ude00", "EXIT": true,}',
    '\ufeff  {"content": "\'单\'，“双”", "x": ["a", -1, [], {}]}  ',
]
TOKENS = [*'{}"":,[]\\ \n好，：a1', "content", "EXIT", "BRIEF", "姓名", "\\u", "\\ud83d", "\\ude00"]
TOKENS += ['\\"', '"content":"', '"EXIT":"NO",', '"}', '",', "```json\n", "\x00", '{"', "null"]


def scan(text: str, size: Callable[[], int]) -> tuple[str, bool]:
    scanner, start = ContentScanner(CONTRACT), 0
    while start < len(text):
        step = size()
        scanner.feed(text[start : start + step])
        start += step
    return scanner.text, scanner.complete


def check(text: str, size: Callable[[], int]) -> None:
    """The cut changes nothing, and a parsed reply was shown whole, or held back behind prose."""
    shown, complete = scan(text, lambda: len(text))
    assert scan(text, size) == (shown, complete), text
    value = parse_object(text, contract=CONTRACT).value
    if value is None:
        return
    first = OBJECT_START.search(text)
    assert first is not None
    behind_prose = PREFACE.fullmatch(text, 0, first.start()) is None
    assert (shown, complete) == (("", False) if behind_prose else (value["content"], True)), text


def mutated(chance: random.Random) -> str:
    text = chance.choice(RECORDED + HAND_MADE)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(["", *TOKENS]) + text[at + chance.randint(0, 3) :]
    return text


def invented(chance: random.Random) -> str:
    body = "".join(chance.choices(TOKENS, k=chance.randint(1, 15)))
    tail = "".join(chance.choices(TOKENS, k=chance.randint(0, 6)))
    return chance.choice(
        [
            f'{{"EXIT":"NO","content":"{body}","BRIEF":"{tail}"}}',
            f'{{"BRIEF":{body},"content":"{tail}"}}',
            f'{{"content":"{body}',
            body + tail,
        ]
    )


def test_ten_thousand_random_chunkings() -> None:
    """Recorded and hand-made replies, cut 10,000 times at random, down to single characters."""
    chance = random.Random(1)
    wholes = {text: scan(text, partial(len, text)) for text in RECORDED + HAND_MADE}
    for text in wholes:
        check(text, lambda: 1)
    for text in chance.choices(list(wholes), k=10_000):
        sizes = partial(chance.randint, 1, chance.choice([1, 2, 3, 5, 13, 80]))
        assert scan(text, sizes) == wholes[text], text


def test_damaged_replies() -> None:
    """So it is when the replies are damaged at random places."""
    chance = random.Random(2)
    for _ in range(1_000):
        check(mutated(chance), lambda: chance.randint(1, 4))


def test_invented_replies() -> None:
    """So it is for texts put together from pieces of JSON at random."""
    chance = random.Random(3)
    for _ in range(2_000):
        check(invented(chance), lambda: chance.randint(1, 4))


def test_one_lost_character_never_leaks() -> None:
    """Whichever single character is lost, no character of another field is shown."""
    reply = '{"EXIT":"泄","content":"你好，你好","BRIEF":"泄","variables":{"姓名":"泄"}}'
    for at in range(len(reply)):
        text = reply[:at] + reply[at + 1 :]
        assert "泄" not in scan(text, lambda: 1)[0], text


def test_linear_in_single_characters() -> None:
    """White space without end after a quote, one character at a time, stays cheap."""
    text = '{"content": "x"' + " " * 200_000 + "y"
    began = time.process_time()
    shown, _ = scan(text, lambda: 1)
    assert shown.startswith('x" ')
    assert time.process_time() - began < 3.0
