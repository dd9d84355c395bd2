"""Whether the client asks what it talks with."""

from __future__ import annotations

import re

_THING = r"(?:机器人?|人工智能|ai|程序|电脑|真人|人类|活人|人|医生|大夫|咨询师|机器)"
_ASKS = re.compile(
    rf"(?:你|您|对面|那边)(?:到底|究竟|真的|其实|该)?(?:是不是|不会是|不是|是)(?:一?个|一?位|在跟我聊的是)?\s*"
    rf"{_THING}(?:吗|么|吧|嘛|还是|[？?])"
    rf"|(?:你|您)(?:是不是|不会是)(?:一?个|一?位)?{_THING}$"
    rf"|(?:你|您)(?:到底|究竟)?是什么(?:东西|人)?[？?]?$"
    rf"|是真人(?:在|吗|还是)|跟我(?:聊|说话)的是(?:真?人|机器)"
    r"|\b(?:are|r)\s(?:you|u)\s(?:(?:really|actually|even)\s)?(?:an?\s)?(?:real\s|actual\s)?"
    r"(?:human|person|bot|chatbot|robot|ai|machine|program|computer|doctor|therapist|counsell?or|real)\b"
    r"|\bam i (?:talking|speaking|chatting) (?:to|with) (?:an?\s)?(?:real\s)?"
    r"(?:human|person|bot|robot|machine|ai|computer)\b"
    r"|\bwhat are you\s*\?",
    re.IGNORECASE,
)
# A question about what somebody is, is short.
_LONGEST = 200


def asks_what_it_is(text: str) -> bool:
    """Return whether a client's text asks if it talks with a person or a machine."""
    return _ASKS.search(text[:_LONGEST].strip()) is not None
