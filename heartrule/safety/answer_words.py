"""The words of one language that ask about safety and answer, and what a text asks by them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from heartrule.chassis.config_files import FilePart
from heartrule.safety.answer_clauses import KnownWords, WordKind, any_word
from heartrule.safety.word_lists import Words

_ASKS = re.compile(r"[?吗]")
# Behind a word that stands by itself: the end, a mark, a particle.
_ALONE = r"(?=[\W啊呀呢吧的哦哈呗啦嘛]|$)"


class Question(StrEnum):
    """What the assistant's last text asked about safety."""

    NONE = "none"
    DIRECT = "direct"
    """Whether the client thinks of suicide or self-harm, has a plan, or is in danger now."""
    SAFE = "safe"
    """Whether the client is safe: a yes is good news."""
    SCALE = "scale"
    """How often, or how much, on a scale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyQuestion:
    """A text of the assistant as a question of safety."""

    kind: Question
    text: str
    plan: bool = False
    """It asks for a way, means or a time."""
    twofold: bool = False
    """It asks whether the client is safe behind another question, which a bare yes or no answers
    as well."""


class AnswerWords(FilePart):
    """The words of one language that ask about safety and answer."""

    direct: Words
    """What makes a text of the assistant a question of suicide, self-harm, a plan or danger."""
    vague: Words = ()
    """The same in words of every day: these thoughts, a plan."""
    everyday: Words = ()
    """Beside vague words they make it a question of something else: exercise, weekend."""
    figures: Words = ()
    """Hold a direct word and ask for no danger: 累死, dead tired."""
    gentle: Words = ()
    """What makes it a question of how bad it is, without the words."""
    safe: Words
    scale: Words
    plan: Words = ()
    """What makes it a question for a way, means or a time."""
    yes: Words
    leads: Words = ()
    """A yes where known words follow or what was asked is named: i'm, 有点."""
    nods: Words = ()
    """A yes that takes up what was said and may stand before a denial: 对, yeah."""
    no: Words
    denies: Words = ()
    """A no where known words follow or what was asked is named, else unclear: i'm not, 没有."""
    often: Words
    times: Words = ()
    """A time that answers where nothing else is told: 昨晚, last night."""
    never: Words
    means: Words = ()
    """Means or a place that are grave whatever was asked: 楼顶."""
    at_hand: Words
    """Means, a place or a time: what makes a yes a plan."""
    unsure: Words
    secure: Words = ()
    """Says that one is safe, where that was asked: 安全."""
    about: Words = ()
    """What was asked, as an answer takes it up: 那样想过, those thoughts."""
    fillers: Words = ()
    """Add nothing to an answer: I, 现在, that one."""
    breaks: Words = ()
    """Begin a clause that takes back what was said: but, 不过."""
    openers: Words = ()
    """Say nothing before an answer: honestly, 说实话."""
    evades: Words = ()
    """Anywhere in an answer it closes the subject, whatever the answer begins with: 别问了."""
    numbers: Words = ()
    """Points of a scale in words, where they stand by themselves: seven."""
    units: Words = ()
    """Behind a number they make it no answer to a scale: hours, 点."""

    def question(self, text: str) -> SafetyQuestion:
        """Return what a normal text of the assistant asks; the last thing asked counts."""
        finds = self.patterns
        plain = finds["figures"].sub("", text)
        vague = finds["vague"].search(plain) and not finds["everyday"].search(plain)
        about = finds["direct"].search(plain) or vague
        kind = Question.NONE
        if safe := finds["safe"].search(plain):
            kind = Question.SAFE
        elif about:
            kind = Question.SCALE if finds["scale"].search(plain) else Question.DIRECT
        return SafetyQuestion(
            kind=kind,
            text=plain,
            plan=finds["plan"].search(plain) is not None,
            twofold=safe is not None and _ASKS.search(plain, 0, safe.start()) is not None,
        )

    @cached_property
    def patterns(self) -> Mapping[str, re.Pattern[str]]:
        """What finds the words of a list, by its name; one with `$` stands by itself: 会$."""
        return {name: re.compile(any_word(words, _ALONE)) for name, words in self}

    @cached_property
    def ending(self) -> re.Pattern[str]:
        """Finds a yes at the end of a clause."""
        words = any_word(each for each in self.yes if len(each) > 1)
        return re.compile(f"(?:{words}|有)[的了吧呢啊嘛嘞欸诶咯]*$")

    @cached_property
    def opening(self) -> re.Pattern[str]:
        """Finds what says nothing before an answer."""
        return re.compile(f"^(?:[ ,.…。!、嗯呃额啊哦哈哎唉诶]|{any_word(self.openers)})++")

    @cached_property
    def leading(self) -> re.Pattern[str]:
        """Finds the fillers at the beginning of an answer."""
        return re.compile(f"^(?: *(?:{any_word(self.fillers)}))++ *")

    @cached_property
    def counted(self) -> re.Pattern[str]:
        """Finds a unit behind a number."""
        return re.compile(f" ?(?:{any_word(self.units)})")

    @cached_property
    def known(self) -> KnownWords:
        """Reads the clauses of an answer by these words."""
        lists = {
            WordKind.YES: (*self.yes, *self.leads, *self.nods),
            WordKind.NO: (*self.no, *self.denies),
            WordKind.NEVER: self.never,
            WordKind.OFTEN: self.often,
            WordKind.TIME: self.times,
            WordKind.UNSURE: self.unsure,
            WordKind.SECURE: self.secure,
            WordKind.NEAR: (*self.means, *self.at_hand),
            WordKind.OBJECT: self.about,
            WordKind.TURN: self.breaks,
            WordKind.FILLER: (*self.fillers, *self.openers),
        }
        return KnownWords(lists)
