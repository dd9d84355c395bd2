"""Classifies a client's words by lists of phrases, and extracts typed values from them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import date
from enum import StrEnum

from heartrule.domain.json_value import JsonValue
from heartrule.model.rehearsal.task import FieldSpec, OutputSpec

_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_DATE = re.compile(r"([0-9]{4})\s*[-/.年]\s*([0-9]{1,2})\s*[-/.月]\s*([0-9]{1,2})")
_NO = re.compile(r"没(?!错|问题)|不(?!错)|否|无|\b(no|not|never|nope|false)\b|n't\b")
_YES = re.compile(r"是|对|有|没错|没问题|会|好|可以|愿意|嗯|不错|\b(yes|yeah|sure|true|ok|okay)\b")
_BETWEEN = re.compile(r"[\s，,、;；]+")


class Sounds(StrEnum):
    """How a message sounds to a list of phrases."""

    ANSWER = "answer"
    REFUSED = "refused"
    OFF_TOPIC = "off_topic"
    EMPTY = "empty"


# Characters up to which a phrase decides for the whole message; a longer one is an answer.
_SHORT, _SHORT_ENGLISH = 16, 60
# In words of which only letters, apostrophes and single spaces are left.
_REFUSES = re.compile(
    r"不(太)?(想|愿意?|方便)(再)?(说|谈|聊|讲|回答|听|继续)(?!话|天|恋爱)|能不说|换(一)?个(话题|问题)"
    r"|^(我|也|真的|可以|嗯|呃)*(不知道|不清楚|说不上来|没想好|算了|跳过|下一题)(这个|问题|了|吧|吗|呢)*$"
    r"|(don't|do not) want to (say|talk|answer|share)(?! (to|with) )|rather not|skip (this|it|that)"
    r"|^((i|well|really|honestly) )*(don't know|do not know|idk|not sure|no idea|pass|skip)$"
)
_OFF_TOPIC = re.compile(
    r"你是(谁|机器人|真人)|你叫什么|今天天气|讲个笑话"
    r"|who are you|are you (a robot|human)|tell me a joke"
)
_CONFUSED = re.compile(
    r"不(太)?(明白|懂|理解|清楚)|没(听)?(明白|懂|清)|听不懂|什么意思|再说一遍"
    r"|(don't|do not) (understand|get)|confused|what do you mean|say that again"
)
_UNDERSTOOD = re.compile(
    r"明白|懂了|知道了|清楚了|好的|好[啊呀吧]|可以|没问题|理解"
    r"|okay|got it|understand|makes sense|i see"
    r"|^(好|嗯|行|对|是|是的|ok|yes|sure|fine)$"
)
_DISAGREES = re.compile(r"不好|不可以|不行|不知道|不同意|not okay")
_HEAVY = re.compile(
    r"难受|难过|痛苦|绝望|崩溃|害怕|焦虑|哭|撑不住|受不了|失眠|睡不着|压抑|孤独|低落|累|烦"
    r"|hopeless|scared|afraid|anxious|crying|panic|lonely|exhausted|sad"
)
_DANGER = re.compile(
    r"自杀|想死|不想活|活不下去|自残|割腕|伤害自己|轻生"
    r"|suicid|kill myself|end my life|want to die|hurt myself|self-harm"
)


def sounds_like(words: str) -> Sounds:
    """Return the kind of a reply to a question; whatever no list knows is an answer."""
    text = _normalized(words)
    if not any(unicodedata.category(char)[0] in "LNS" for char in text):
        return Sounds.EMPTY
    bare = " ".join(re.sub(r"[^\w' ]", "", text).split())
    if len(bare) <= (_SHORT_ENGLISH if bare.isascii() else _SHORT) and _REFUSES.search(bare):
        return Sounds.REFUSED
    return Sounds.OFF_TOPIC if _OFF_TOPIC.search(text) else Sounds.ANSWER


def confused(words: str) -> bool:
    """Return whether the client did not understand."""
    return _CONFUSED.search(_normalized(words)) is not None


def understood(words: str) -> bool:
    """Return whether the client says that it is clear or agreed."""
    text = _normalized(words).strip(" 。，！.,!")
    clear = not confused(words) and not _DISAGREES.search(text)
    return clear and _UNDERSTOOD.search(text) is not None


def asks_back(words: str) -> bool:
    """Return whether the message ends as a question."""
    return words.rstrip().endswith(("?", "？", "吗", "呢"))


def is_heavy(words: str) -> bool:
    """Return whether a word of distress occurs."""
    return _HEAVY.search(_normalized(words)) is not None


def is_dangerous(words: str) -> bool:
    """Return whether the words call for care for the client's safety."""
    return _DANGER.search(_normalized(words)) is not None


def _normalized(words: str) -> str:
    """Return the words in one form: NFKC, lower case, straight apostrophes, single spaces."""
    text = unicodedata.normalize("NFKC", words).lower().replace("’", "'")
    return " ".join(text.split())


def take(words: str, outputs: Sequence[OutputSpec]) -> dict[str, JsonValue]:
    """Return the values found, by output; text takes the words as they are."""
    found = {output.name: _value_of(words, output) for output in outputs}
    return {name: value for name, value in found.items() if value is not None}


def take_fields(words: str, wanted: Sequence[FieldSpec]) -> dict[str, JsonValue]:
    """Return one value for each piece of the words where all fit, else one for the first field."""
    pieces = [piece for piece in _BETWEEN.split(words) if piece]
    asked = wanted[: len(pieces)]
    if 1 < len(pieces) == len(asked) and all(field.type != "text" for field in asked):
        each = [_field_value(piece, field) for piece, field in zip(pieces, asked, strict=True)]
        if None not in each:
            return {field.name: value for field, value in zip(asked, each, strict=True)}
    value = _field_value(words, wanted[0]) if wanted else None
    return {} if value is None else {wanted[0].name: value}


def _value_of(words: str, output: OutputSpec) -> JsonValue:
    """Return the value of an output's type in the words; None where there is none."""
    plain = _normalized(words)
    match output.type:
        case "number" | "integer" | "scale":
            found = _NUMBER.search(plain)
            number = float(found.group()[:18]) if found else None
            if number is None or number.is_integer():
                return None if number is None else int(number)
            return number if output.type == "number" else None
        case "boolean":
            return False if _NO.search(plain) else bool(_YES.search(plain)) or None
        case "choice":
            return _option(plain, output.options)
        case "date":
            return _date(plain)
        case _:
            return words or None


def _field_value(words: str, field: FieldSpec) -> JsonValue:
    """Return the value of a form's field; None where it is outside the field's bounds."""
    if field.type == "text" and sounds_like(words) is not Sounds.ANSWER:
        return None
    if field.type == "scale" and (step := _option(words, field.options)):
        return int(field.min or 0) + field.options.index(step)
    value = _value_of(words, field)
    if isinstance(value, int | float) and not isinstance(value, bool):
        low = field.min is not None and value < field.min
        high = field.max is not None and value > field.max
        return None if low or high else value
    return value


def _option(plain: str, options: Sequence[str]) -> str | None:
    """Return the option that occurs first; of two at one place the longer."""
    places = [(plain.find(option.lower()), -len(option), option) for option in options]
    return min((place for place in places if place[0] >= 0 and place[2]), default=("",))[-1] or None


def _date(plain: str) -> str | None:
    found = _DATE.search(plain)
    try:
        return date(*map(int, found.groups())).isoformat() if found else None
    except ValueError:
        return None
