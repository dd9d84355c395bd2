"""Twelve clients: what each says to a question, with nothing left to chance but a seed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from tests.conversations.fact_sheet import Answer, Facts, Language, asks

_AGREES = re.compile(r"可以吗|好吗|行吗|愿意|all right|shall we|willing", re.IGNORECASE)
_SAFETY = re.compile(r"自杀|结束生命|伤害自己|suicide|ending your life|hurting yourself")
_DONE = re.compile(r"做完了?告诉|照这样做|吸气|breathe", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One client in one conversation."""

    facts: Facts
    language: Language
    random: Random


@dataclass(slots=True)
class Client:
    """A client while the conversation lasts."""

    sheet: Sheet
    persona: Persona
    asked: dict[str, int] = field(default_factory=dict)
    """How often each variable was asked for."""
    version: dict[str, int] = field(default_factory=dict)
    """Which entry of a sheet holds now."""
    waiting: list[str] = field(default_factory=list)
    """What is still to be said, whatever is asked."""
    turns: int = 0

    def reply(self, messages: list[str], name: str) -> str:
        """Return what is said to the messages of a turn, which ask for the variable `name`."""
        self.turns += 1
        self.asked[name] = self.asked.get(name, 0) + 1
        if self.waiting:
            return self.waiting.pop(0)
        return self.persona.says(self, name, messages)

    def answer(self, name: str) -> Answer:
        """Return what holds of a variable now."""
        told = self.sheet.facts[name].told
        return told[min(self.version.get(name, 0), len(told) - 1)].by(self.sheet.language)

    def says(self, name: str) -> str:
        """Return the sentence that tells a variable."""
        return self.answer(name).says

    def word(self, zh: str, en: str) -> str:
        """Return the words in the client's language."""
        return zh if self.sheet.language == "zh" else en

    def agrees(self, messages: list[str]) -> str:
        """Return an answer to what asks for no variable."""
        last = messages[-1] if messages else ""
        if _SAFETY.search(last):
            return self.word("没有，我没有想死，我很安全", "no, I do not want to die, I am safe")
        if _DONE.search(last):
            return self.word("做完了", "I have done it")
        if _AGREES.search(last):
            return self.word("可以的", "yes, that is fine")
        if asks(last):
            return self.word("嗯，是这样", "yes, it is like that")
        return self.word("好的，明白了", "all right, I understand")


def _plainly(client: Client, name: str, messages: list[str]) -> str:
    return f"{client.says(name)}。" if name else client.agrees(messages)


def _all_at_once(client: Client, name: str, messages: list[str]) -> str:
    facts = client.sheet.facts
    ahead = [each for each, fact in facts.items() if not fact.after]
    if client.turns == 1 and ahead:
        told = "，".join(client.says(each) for each in ahead)
        later = f"；{client.says(name)}" if name and facts[name].after else ""
        return f"{told}{later}。"
    if name and not facts[name].after:
        return client.word("这个我一开始就说过了，", "I said so in the beginning: ") + client.says(
            name
        )
    return _plainly(client, name, messages)


def _one_word(client: Client, name: str, messages: list[str]) -> str:
    if name:
        return client.answer(name).short
    if _SAFETY.search(messages[-1]):
        return "没有"
    return "好了" if _DONE.search(messages[-1]) else "嗯"


def _digresses(client: Client, name: str, messages: list[str]) -> str:
    aside = ("对了，楼下这两天在修路，吵得不行", "昨天看了部老电影，挺有意思的", "我家猫最近胖了")
    if name and client.asked[name] == 1:
        return f"{client.sheet.random.choice(aside)}。"
    return _plainly(client, name, messages)


def _refuses(client: Client, name: str, messages: list[str]) -> str:
    if not name:
        return "没有" if _SAFETY.search(messages[-1]) else "随便吧"
    return client.sheet.random.choice(("这个我不想说", "不想谈这个", "跳过吧，我不想说"))


def _asks_back(client: Client, name: str, messages: list[str]) -> str:
    if client.turns == 1:
        return "等一下，你是人还是机器？"
    if name and client.asked[name] == 1 and client.turns % 2:
        return "你为什么要问这个？"
    said = _plainly(client, name, messages).rstrip("。")
    return f"{said}，这样说可以吗？"


def _changes(client: Client, name: str, messages: list[str]) -> str:
    """Take every second answer back in the message after it."""
    if not name:
        return client.agrees(messages)
    said = _plainly(client, name, messages)
    others = [each for each in client.version if client.version[each] == 0]
    if others and len(client.sheet.facts[others[0]].told) > 1:
        client.version[others[0]] = 1
        mended = client.word("刚才说得不对，", "I was wrong before, ") + client.says(others[0])
        said = f"{mended}。{said}"
    client.version.setdefault(name, 0)
    return said


def _contradicts(client: Client, name: str, messages: list[str]) -> str:
    """Say another thing later, as if nothing had been said before."""
    said = _plainly(client, name, messages)
    earlier = [each for each in client.version if each != name and client.version[each] == 0]
    if name and earlier and client.turns % 2 == 0:
        client.version[earlier[-1]] = 1
        said = f"{said}{client.says(earlier[-1])}。"
    if name:
        client.version.setdefault(name, 0)
    return said


def _silent(client: Client, name: str, messages: list[str]) -> str:
    if client.turns % 3 or not name:
        return "……"
    return client.answer(name).short


def _fragments(client: Client, name: str, messages: list[str]) -> str:
    if not name:
        return client.agrees(messages)
    said = client.says(name)
    half = max(len(said) // 2, 1)
    client.waiting.append(said)
    return f"{said[:half]}…"


_LONG = (
    "其实我也不知道从哪里讲起，这段时间事情一件接一件，早上挤地铁的时候脑子里就开始转，",
    "到了公司又要装作没事的样子，晚上回家什么也不想做，就坐在那里看手机，",
    "有时候觉得自己是不是想太多了，可是又停不下来，朋友说让我出去走走，我也走了，",
    "走完回来还是老样子，我妈打电话来我也不太想接，接了也就说都挺好的，",
)


def _long(client: Client, name: str, messages: list[str]) -> str:
    told = client.says(name) if name else client.agrees(messages)
    return f"{_LONG[0]}{_LONG[1]}{told}，{_LONG[2]}{_LONG[3]}大概就是这样吧。"


def _angry(client: Client, name: str, messages: list[str]) -> str:
    if name and client.asked[name] > 1:
        return f"都说过了，你到底有没有在听！{client.says(name)}！"
    return f"问这么多干什么，真够烦的！{_plainly(client, name, messages).rstrip('。')}！"


@dataclass(frozen=True, slots=True)
class Persona:
    """A kind of client."""

    name: str
    says: Callable[[Client, str, list[str]], str]
    cooperative: bool = False
    """True: answers each question at once."""
    language: Language = "zh"


PERSONAS: Mapping[str, Persona] = {
    each.name: each
    for each in (
        Persona("all-at-once", _all_at_once, cooperative=True),
        Persona("one-word", _one_word, cooperative=True),
        Persona("digresses", _digresses),
        Persona("refuses", _refuses),
        Persona("asks-back", _asks_back),
        Persona("english", _plainly, cooperative=True, language="en"),
        Persona("changes", _changes, cooperative=True),
        Persona("contradicts", _contradicts, cooperative=True),
        Persona("silent", _silent),
        Persona("fragments", _fragments),
        Persona("long", _long, cooperative=True),
        Persona("angry", _angry),
    )
}
