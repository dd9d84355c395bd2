"""What a client's words look like, by short lists of phrases; no understanding is claimed."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum


class Sounds(StrEnum):
    """How a message sounds to a list of phrases."""

    ANSWER = "answer"
    REFUSAL = "refusal"
    OFF_TOPIC = "off_topic"
    EMPTY = "empty"


_SHORT = 16
"""Characters up to which a phrase speaks for the whole message; a longer one is an answer."""
_SHORT_ENGLISH = 60

_REFUSES = re.compile(
    r"不(太)?(想|愿意?|方便|便)(再)?(说|谈|聊|讲|回答|提|听|继续)(?!话|天|恋爱)"
    r"|别问|别说了|不要问|能不说|可以不说|换(一)?个(话题|问题)|无可奉告"
)
_SHRUGS = re.compile(
    r"(我|也|真的|其实|可能|一时|请|想|先|可以|嗯|呃|唉)*"
    r"(不知道|不清楚|说不上来|说不清楚?|没想好|想不起来|算了|保密|跳过|下一题|下一个)"
    r"(这个|这题|问题|了|吧|吗|啊|呢)*"
)
_REFUSES_ENGLISH = re.compile(
    r"(don't|do not) want to (say|talk|answer|share|discuss)(?! (to|with) )"
    r"|rather not|prefer not|no comment|next question|skip (this|it|that)"
)
_SHRUGS_ENGLISH = re.compile(
    r"((i|um|uh|well|just|really|honestly|sorry) )*"
    r"(don't know|do not know|idk|not sure|no idea|pass|skip)( (really|sorry|yet|please))*"
)
_OFF_TOPIC = re.compile(
    r"你是(谁|机器人|真人|人吗)|你叫什么|你几岁|今天天气|讲个笑话|几点了"
    r"|who are you|are you (a robot|human)|tell me a joke|what time is it"
)
_CONFUSED = re.compile(
    r"不(太)?(明白|懂|理解|清楚)|没(听)?(明白|懂|清)|听不懂|什么意思|再说一遍"
    r"|(don't|do not) (understand|get)|confused|what do you mean|say that again"
)
_UNDERSTOOD = re.compile(
    r"明白|懂了|知道了|清楚了|好的|好[啊呀吧]|可以|没问题|了解|理解|记住了|嗯嗯"
    r"|okay|got it|understand|makes sense|all ?right|i see|sounds good"
    r"|^(好|嗯|行|对|是|是的|ok|yes|sure|yep|yeah|fine)$"
)
_DISAGREES = re.compile(r"不好|不可以|不行|不知道|不同意|not okay")
_HEAVY = re.compile(
    r"难受|难过|痛苦|绝望|崩溃|害怕|恐惧|焦虑|哭|撑不住|受不了|失眠|睡不着|压抑|孤独|低落|累|烦"
    r"|hopeless|scared|afraid|anxious|crying|panic|lonely|exhausted|sad"
)
_DANGER = re.compile(
    r"自杀|想死|不想活|活不下去|自残|割腕|伤害自己|轻生"
    r"|suicid|kill myself|end my life|want to die|hurt myself|self-harm"
)


def sounds_like(words: str) -> Sounds:
    """Return the kind of a reply to a question; whatever no list knows is an answer."""
    spoken = _spoken(words)
    plain = "".join(char for char in spoken if char.isalnum())
    if not any(unicodedata.category(char)[0] in "LNS" for char in spoken):
        return Sounds.EMPTY
    if len(plain) <= _SHORT and (_REFUSES.search(plain) or _SHRUGS.fullmatch(plain)):
        return Sounds.REFUSAL
    bare = " ".join(re.findall(r"[a-z']+", spoken[: _SHORT_ENGLISH + 1]))
    refuses = _REFUSES_ENGLISH.search(bare) or _SHRUGS_ENGLISH.fullmatch(bare)
    if len(spoken) <= _SHORT_ENGLISH and refuses:
        return Sounds.REFUSAL
    return Sounds.OFF_TOPIC if _OFF_TOPIC.search(spoken[:40]) else Sounds.ANSWER


def confused(words: str) -> bool:
    """Return whether the client did not understand."""
    return _CONFUSED.search(_spoken(words)) is not None


def understood(words: str) -> bool:
    """Return whether the client says that it is clear or agreed."""
    spoken = _spoken(words).strip(" 。，！.,!")
    clear = not confused(words) and not _DISAGREES.search(spoken)
    return clear and _UNDERSTOOD.search(spoken) is not None


def asks_back(words: str) -> bool:
    """Return whether the message ends as a question."""
    return words.rstrip().endswith(("?", "？", "吗", "呢"))


def is_heavy(words: str) -> bool:
    """Return whether a word of distress occurs."""
    return _HEAVY.search(_spoken(words)) is not None


def is_dangerous(words: str) -> bool:
    """Return whether the words call for care for the client's safety."""
    return _DANGER.search(_spoken(words)) is not None


def _spoken(words: str) -> str:
    """Return the words in one form: NFKC, lower case, straight apostrophes, single spaces."""
    text = unicodedata.normalize("NFKC", words).lower().replace("’", "'")
    return " ".join(text.split())
