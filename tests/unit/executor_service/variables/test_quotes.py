"""Whether the client said what a reply gives as a value."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping

import pytest

from executor_service.scripts.model.fields import Output, WhenUnsupported
from executor_service.variables.client_words import MOST_ALIKE, ClientWords
from executor_service.variables.quotes import Claim, Rules, Supported, supported
from heartrule.domain.json_value import JsonValue
from heartrule.domain.output_type import OutputType
from heartrule.domain.variables import ValueSupport

NAME = Output(get="称呼", define="来访者希望被怎样称呼")
AGE = Output(get="年龄", type=OutputType.INTEGER)


def claim(value: JsonValue, quote: str | None = None, *, output: Output = NAME) -> Claim:
    """Return a claim as it stands after conversion."""
    return Claim.of(output, value, value, quote)


def check(
    *claims: Claim,
    said: str = "叫我小明，今年三十岁",
    earlier: tuple[str, ...] = (),
    asked: bool = True,
    not_values: Collection[str] = (),
    held: Mapping[str, JsonValue] | None = None,
) -> Supported:
    """Return what the client's words support."""
    words = ClientWords(said, earlier)
    rules = Rules(words=words, quotes_asked=asked, not_values=not_values, held=held or {})
    return supported(claims, rules)


@pytest.mark.parametrize(
    ("quote", "said"),
    [
        ("叫我小明", "叫我小明，今年三十岁"),
        ("叫我 小明。", "叫我，小明"),
        ("ｃａｌｌ ＭＥ", "please call me Ming"),
        ("don't mind", "I don’t mind it"),
        ("我最近总是睡不着觉", "我最近老是睡不着觉，累"),
        ("👍", "好👍"),
        ("25", "我25岁"),
    ],
)
def test_a_quote_is_found(quote: str, said: str) -> None:
    """Spaces, signs, width and case do not count; of some words a letter may differ."""
    assert check(claim("x", quote), said=said).provenance["称呼"].quote == quote


@pytest.mark.parametrize(
    ("quote", "said"),
    [
        ("叫我小红", "叫我小明"),
        ("no", "I know"),
        ("5", "我25岁"),
        ("好", ""),
        ("", "好"),
        ("  ", "好"),
        ("我很好，谢谢你问我，今天天气不错", "好"),
    ],
)
def test_a_quote_is_not_found(quote: str, said: str) -> None:
    """Other words, parts of words and nothing at all are no quote; the value is kept beside."""
    found = check(claim("x", quote), said=said)
    assert (found.values, found.unsupported) == ({}, {"称呼": {"value": "x", "quote": quote}})


def test_earlier_words_of_the_prompt_count() -> None:
    """A quote may stand in any message of the client that the prompt held, in one of them."""
    assert check(claim("小明", "叫我小明"), said="嗯", earlier=("叫我小明", "哦")).values
    assert not check(claim("小明", "叫我小明"), said="嗯", earlier=("叫我", "小明")).values


@pytest.mark.parametrize(
    ("value", "quote", "held"),
    [(30, "今年三十岁", True), (30, "三十", True), (31, "今年三十岁", False), (30, "小明", False)],
)
def test_a_number_stands_in_its_quote(value: int, quote: str, held: bool) -> None:  # noqa: FBT001
    """In digits or in words."""
    assert bool(check(claim(value, quote, output=AGE)).values) is held


def test_yes_and_choices_need_a_quote() -> None:
    """Their value is the script's word, so the quote alone shows that the client said it."""
    yes = Output(get="愿意", type=OutputType.BOOLEAN)
    choice = Output(get="情绪", type=OutputType.CHOICE, options=("低落", "平静"))
    given = (claim(True, "可以吧", output=yes), claim("低落", "提不起劲", output=choice))
    assert check(*given, said="可以吧，就是提不起劲").values == {"愿意": True, "情绪": "低落"}
    assert check(claim(True, output=yes), said="随便").values == {}


@pytest.mark.parametrize("asked", [True, False])
def test_a_plain_value_is_its_own_quote(asked: bool) -> None:  # noqa: FBT001 - a case
    """In the client's words it is supported whatever the template asks for."""
    found = check(claim("小明"), claim(30, output=AGE), asked=asked)
    assert {each.support for each in found.provenance.values()} == {ValueSupport.CLIENT_WORDS}


def test_a_plain_value_of_an_old_template() -> None:
    """It is stored and marked where its template asks for no quotes, else it is not."""
    assert check(claim("小红"), asked=False).provenance["称呼"].support is ValueSupport.UNQUOTED
    assert check(claim("小红"), asked=True).values == {}
    assert check(claim("小红", "叫我小红"), asked=False).values == {}


def test_what_the_prompt_says_is_no_answer() -> None:
    """A definition or an example is refused unless the newest words hold it."""
    given = claim("五点就醒", "叫我小明")
    assert check(given, not_values=("五点就醒",)).values == {}
    assert check(claim("五点就醒", "五点就醒"), said="五点就醒", not_values=("五点就醒",)).values


def test_the_text_of_another_variable_is_no_answer() -> None:
    """Unless the newest words give it again; of one reply one variable takes a quote."""
    job = Output(get="职业")
    held = {"称呼": "小明"}
    copied = claim("小明", "叫我小明", output=job)
    assert check(copied, said="我是老师", earlier=("叫我小明",), held=held).values == {}
    assert check(claim("小明", "叫我小明"), copied).values == {"称呼": "小明"}
    none = claim("没有", "没有", output=job)
    assert check(none, said="没有", held={"病史": "没有"}).values == {"职业": "没有"}


def test_an_inference_is_stored() -> None:
    """`unsupported: store` stores what no words support, and says so."""
    mood = Output(get="情绪", define="推断", unsupported=WhenUnsupported.STORE)
    found = check(claim("低落", output=mood))
    assert found.provenance["情绪"].support is ValueSupport.INFERRED


def test_a_long_quote_costs_little() -> None:
    """10,000 characters, a hundred times, against a full window: a fraction of a second."""
    begun = time.process_time()
    outputs = [Output(get=f"v{n}") for n in range(100)]
    claims = [claim("x", "啊" * 10_000 + str(n), output=o) for n, o in enumerate(outputs)]
    found = check(*claims, said="啊" * 20_000, earlier=("啊a" * 10_000,) * 10)
    assert len(found.unsupported) == 100
    assert len(str(found.unsupported["v0"])) < 600
    assert time.process_time() - begun < 2


def test_comparisons_are_counted() -> None:
    """Of a hundred inventions a few are compared letter by letter."""
    words = ClientWords("我今天早上五点就醒了")
    alike = [words.hold("我今天早上六点就醒了") for _ in range(MOST_ALIKE + 3)]
    assert alike == [True] * MOST_ALIKE + [False] * 3
