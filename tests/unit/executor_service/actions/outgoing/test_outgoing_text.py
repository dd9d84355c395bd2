"""All checks of one text, in their order."""

from __future__ import annotations

from executor_service.actions.outgoing.outgoing_text import OutgoingRules, OutgoingText, checked
from executor_service.actions.outgoing.same_text import EarlierTexts
from executor_service.actions.outgoing.text_fault import TextFault
from executor_service.actions.outgoing_rules import reply_so_far

RULES = OutgoingRules(
    earlier=EarlierTexts(client=("我叫小鱼",), said=("怎么称呼你？",)), role="小林", judges=True
)
STAYS = '{"EXIT":"NO","content":"'


def test_a_claim_behind_a_sentence_that_left_cuts_the_rest() -> None:
    """What the client has read stays; nothing follows it."""
    text = OutgoingText(RULES)
    text.begin(STAYS)
    left = text.feed("你好呀。") + text.feed("我是真人。") + text.finish()
    assert (left, text.fault, text.caught) == ("你好呀。", TextFault.CLAIM, False)


def test_a_claim_at_the_beginning_leaves_nothing() -> None:
    """Nor does what came with it."""
    found = checked("我是真人，放心说。", RULES, ends=False)
    assert (found.text, found.fault) == ("", TextFault.CLAIM)


def test_an_exit_of_no_frees_the_questions() -> None:
    """Where neither round nor criteria may end the action, a question leaves as it comes."""
    text = OutgoingText(RULES)
    text.begin(STAYS)
    assert text.feed("多大了？") == "多大了？"
    held = OutgoingText(RULES)
    held.begin('{"EXIT":"YES","content":"')
    assert (held.feed("多大了？"), held.finish(), held.waits) == ("", "", True)


def test_the_engines_sentence_comes_first_and_only_with_a_text() -> None:
    """The client reads what it talks with, then the message."""
    rules = OutgoingRules(lead="我是一个程序。")
    assert checked("睡得好吗？", rules, ends=False).text == "我是一个程序。睡得好吗？"
    assert checked("", rules, ends=False).text == ""


def test_a_reply_is_read_as_soon_as_its_variables_are_whole() -> None:
    """What follows them is not waited for."""
    begun = '{"EXIT":"NO","content":"好","variables":{"a":{"value":"1"}},"metrics":{"b":"c'
    assert reply_so_far(begun) == '{"EXIT":"NO","content":"好","variables":{"a":{"value":"1"}}}'
    assert reply_so_far('{"EXIT":"NO","content":"好}","vari') == ""
