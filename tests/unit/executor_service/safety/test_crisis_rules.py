"""The matcher with rules of its own, away from the shipped words."""

from __future__ import annotations

import pytest

from executor_service.safety.crisis_rules import CrisisCategory, CrisisRules, Resources, crisis_rule
from executor_service.safety.negation import Language, Negation
from executor_service.safety.quotation import Quotation


def negation(*negators: str, fillers: tuple[str, ...] = ()) -> Negation:
    """Return a small set of words of denial."""
    return Negation(
        negators=frozenset(negators),
        fillers=frozenset(fillers),
        affirmers=("岂不",),
        failed_after=(),
    )


RULES = CrisisRules(
    rules=(
        crisis_rule(
            "one", CrisisCategory.SELF_HARM, phrases=("乙丙",), unless=("甲乙丙", "乙丙丁")
        ),
        crisis_rule(
            "two", CrisisCategory.SUICIDE, phrases=("bad word",), unless=("bad word list",)
        ),
    ),
    negation={
        Language.CHINESE: negation("不", fillers=("想",)),
        Language.ENGLISH: negation("not", fillers=("a",)),
    },
    quotation=Quotation(
        pairs=("「」", '""', "《》"),
        titles=frozenset({"《》"}),
        sources=("书",),
        narrators=("有人说",),
        first_person=frozenset({"我", "i"}),
        own_voice_before=("我说",),
        own_voice_after=("我也",),
    ),
    resources=Resources(default="xx", aliases={}, messages={"xx": "帮助", "generic": "help"}),
)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("乙丙", "one"),
        ("甲乙丙", None),
        ("乙丙丁", None),
        ("甲乙丙乙丙", "one"),
        ("bad word", "two"),
        ("Bad\tWord!", "two"),
        ("badword", None),
        ("bad words", None),
        ("a bad word list", None),
        ("a bad word listing", "two"),
        ("乙丙 bad word", "one"),
    ],
)
def test_phrases_and_idioms(text: str, rule: str | None) -> None:
    """A phrase counts unless an idiom covers it; Latin ones end at the edges of words."""
    found = RULES.find(text)
    assert (found.rule if found else None) == rule


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("不乙丙", False),
        ("不想乙丙", False),
        ("不不乙丙", True),
        ("不，乙丙", True),
        ("不 乙丙", True),
        ("想不想乙丙", True),
        ("不见乙丙", True),
        ("not a bad word", False),
        ("not. a bad word", True),
        ("not the bad word", True),
        ("not not bad word", True),
    ],
)
def test_denials(text: str, *, counts: bool) -> None:
    """One negator with only fillers behind it denies; anything else does not."""
    assert (RULES.find(text) is not None) is counts


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("「乙丙」", True),
        ("书上「乙丙」", False),
        ("书上。「乙丙」", True),
        ("书上「好」乙丙", True),
        ("书上「乙丙", True),
        ('书上"乙丙"', False),
        ('书上"好"乙丙"', True),
        ("书上我说「乙丙」", True),
        ("书上「乙丙」，我也是", True),
        ("《乙丙》", False),
        ("有人说乙丙", False),
        ("有人说我乙丙", True),
        ("有人说i bad word", True),
        ("有人说乙丙，我也是", True),
        ("有人说。乙丙", True),
    ],
)
def test_reports(text: str, *, counts: bool) -> None:
    """A quotation needs a source, a title needs none, and nobody may speak of himself."""
    assert (RULES.find(text) is not None) is counts


def test_endless_denial_counts() -> None:
    """Nobody denies one thing fifty times: then it counts."""
    assert RULES.find("不乙丙。" * 50) is None
    assert RULES.find("不乙丙。" * 51) is not None


def test_match_names_category_and_rule_only() -> None:
    """A match holds nothing of what the client wrote."""
    found = RULES.find("小明说乙丙")
    assert found is not None
    assert (found.category, found.rule) == (CrisisCategory.SELF_HARM, "one")


def test_message_comes_from_the_resources() -> None:
    """The rules answer with the fixed text of the locale."""
    assert RULES.message("") == "帮助"
    assert RULES.message("fr-FR") == "help"
