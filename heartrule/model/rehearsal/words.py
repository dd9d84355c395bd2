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
"""Characters up to which a phrase speaks for the whole message; a longer one tells something."""
_SHORT_ENGLISH = 60
_LONG = 1_000

_REFUSES = (
    *("不想说", "不想谈", "不想聊", "不想讲", "不想回答", "不想提", "不太想说", "不愿说"),
    *("不愿意说", "不愿谈", "不愿意谈", "不方便说", "不方便讲", "不便说", "不要问", "别问"),
    *("不想听", "别说了", "不想继续"),
    *("能不说吗", "可以不说", "换个话题", "换一个问题", "无可奉告"),
)
_NO_REFUSAL = ("不想说话", "不想讲话", "不想聊天", "不想谈恋爱")
_REFUSES_ALONE = (
    *("不知道", "不晓得", "不清楚", "说不上来", "说不清楚", "说不清", "没想好", "想不起来"),
    *("没什么好说的", "跳过", "下一题", "下一个", "保密", "算了"),
)
_FILLERS = (
    *("真的", "这个问题", "这一题", "这个", "这题", "问题", "可以", "能不能", "就是", "现在"),
    *("有点", "其实", "可能", "一时", "我们", "我", "也", "真", "是", "想", "请", "先", "太", "还"),
    *("都", "了", "吧", "啊", "呢", "哎", "唉", "嗯", "额", "呃", "哦", "诶", "呀", "嘛", "吗"),
)
_REFUSES_ENGLISH = (
    *("don't want to say", "don't want to talk", "don't want to answer", "don't want to share"),
    *("don't want to discuss", "rather not", "prefer not", "no comment", "not comfortable"),
    *("none of your business", "next question", "leave me alone", "skip this", "skip it"),
    *("skip that", "skip the question"),
)
_NO_REFUSAL_ENGLISH = ("talk to any", "talk to people", "talk to my", "talk to him", "talk to her")
_REFUSES_ALONE_ENGLISH = re.compile(
    r"(?:(?:i|um|uh|well|just|really|honestly|sorry|please|let's) )*"
    r"(?:don't know|dont know|do not know|idk|not sure|no idea|pass|skip|don't want to)"
    r"(?: (?:really|sorry|yet|please))*"
)
_OFF_TOPIC = (
    *("你是谁", "你是机器人", "你是真人", "你是人吗", "你叫什么", "你几岁", "今天天气"),
    *("讲个笑话", "几点了", "who are you", "are you a robot", "are you human", "tell me a joke"),
    *("what time is it", "what's the weather"),
)
_CONFUSED = (
    *("不明白", "没明白", "不太明白", "不懂", "没懂", "听不懂", "没听懂", "什么意思", "不理解"),
    *("不太清楚", "没听清", "再说一遍", "不太懂", "don't understand", "don't get", "confused"),
    *("what do you mean", "not clear", "say that again", "lost me"),
)
_KNOWS_NOT = ("不知道", "不清楚", "说不清", "说不上来", "don't know", "idk", "not sure", "no idea")
_UNDERSTOOD = (
    *("明白", "懂了", "懂的", "知道了", "清楚了", "好的", "好啊", "好呀", "好吧", "可以", "没问题"),
    *("了解", "理解", "记住了", "嗯嗯", "okay", "got it", "understand", "makes sense", "all right"),
    *("alright", "i see", "sounds good"),
)
_UNDERSTOOD_ALONE = frozenset(
    {
        "好",
        "嗯",
        "行",
        "对",
        "是",
        "是的",
        "ok",
        "yes",
        "sure",
        "yep",
        "yeah",
        "fine",
    }
)
_NOT_UNDERSTOOD = ("不好", "不可以", "不行", "不知道", "不同意", "not okay")
_HEAVY = (
    *("难受", "难过", "痛苦", "绝望", "崩溃", "害怕", "恐惧", "焦虑", "哭", "撑不住", "受不了"),
    *("失眠", "睡不着", "压抑", "孤独", "没用", "低落", "心慌", "喘不过气", "累", "烦"),
    *("hopeless", "scared", "afraid", "anxious", "crying", "panic", "lonely", "exhausted", "sad"),
)
_DANGER = (
    *("自杀", "想死", "不想活", "活不下去", "自残", "割腕", "伤害自己", "轻生"),
    *("suicid", "kill myself", "end my life", "want to die", "hurt myself", "self-harm"),
)


def sounds_like(words: str) -> Sounds:
    """Sort a reply to a question; whatever no list knows is an answer."""
    if not any(unicodedata.category(char)[0] in "LNS" for char in words):
        return Sounds.EMPTY
    spoken, plain = _spoken(words), _plain(words)
    if _refuses(spoken, plain):
        return Sounds.REFUSAL
    if len(spoken) <= 40 and any(phrase in spoken for phrase in _OFF_TOPIC):
        return Sounds.OFF_TOPIC
    return Sounds.ANSWER


def confused(words: str) -> bool:
    """Say whether the client did not follow what was said."""
    return any(phrase in _spoken(words) for phrase in _CONFUSED)


def knows_not(words: str) -> bool:
    """Say whether the client says not to know, which refuses an answer but no explanation."""
    return any(phrase in _spoken(words) for phrase in _KNOWS_NOT)


def understood(words: str) -> bool:
    """Say whether the client says that it is clear or agreed."""
    spoken, plain = _spoken(words), _plain(words)
    if confused(words) or any(phrase in spoken for phrase in _NOT_UNDERSTOOD):
        return False
    return plain in _UNDERSTOOD_ALONE or any(phrase in spoken for phrase in _UNDERSTOOD)


def asks_back(words: str) -> bool:
    """Say whether the message ends as a question."""
    return words.rstrip().endswith(("?", "？", "吗", "呢"))


def is_heavy(words: str) -> bool:
    """Say whether a word of distress occurs."""
    return any(word in _spoken(words) for word in _HEAVY)


def is_dangerous(words: str) -> bool:
    """Say whether the words should be met with care for the client's safety."""
    return any(word in _spoken(words) for word in _DANGER)


def _spoken(words: str) -> str:
    """Return the words in one form: NFKC, lower case, straight apostrophes, single spaces."""
    text = unicodedata.normalize("NFKC", words).lower().replace("’", "'")
    return " ".join(text.split())


def _plain(words: str) -> str:
    """Return the letters and digits of the words only; of a long text its beginning."""
    return "".join(char for char in _spoken(words[:_LONG]) if char.isalnum())


def _refuses(spoken: str, plain: str) -> bool:
    if len(plain) <= _SHORT and any(phrase in plain for phrase in _REFUSES):
        return not any(phrase in plain for phrase in _NO_REFUSAL)
    if len(spoken) > _SHORT_ENGLISH:
        return False
    if any(phrase in spoken for phrase in _REFUSES_ENGLISH):
        return not any(phrase in spoken for phrase in _NO_REFUSAL_ENGLISH)
    bare = " ".join(re.findall(r"[a-z']+", spoken))
    return bool(_REFUSES_ALONE_ENGLISH.fullmatch(bare)) or _only_a_shrug(plain)


def _only_a_shrug(plain: str) -> bool:
    """Say whether nothing is left beside fillers and a phrase such as 不知道."""
    rest = plain
    for phrase in _REFUSES_ALONE:
        rest = rest.replace(phrase, "")
    if rest == plain:
        return False
    for filler in _FILLERS:
        rest = rest.replace(filler, "")
    return not rest
