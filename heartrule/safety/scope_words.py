"""The words of one language that decide what a hit means, and what is asked of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TypeAlias

from heartrule.chassis.config_files import FilePart
from heartrule.safety.term_finder import Span, TermFinder
from heartrule.safety.word_lists import Words, WordSet

# Each hit in a sentence asks the same of it.
_KEPT = 32

Spans: TypeAlias = Mapping[str, Sequence[Span]]

# Before what unmasks the other person it says that it is somebody else: not asking for myself.
_NOT_ME = re.compile("不是|不能|别以为|并非|\\b(?:not|n't|never)\\b[a-z ]*$")
_BEFORE = 16
_ATTEMPT = re.compile(r"\b(tried|trying|attempt|nearly|almost|going to|might|if|want|threat|will)")


class ScopeWords(FilePart):
    """The words of one language that decide what a hit means."""

    breaks: Words
    """Conjunctions that begin a clause of their own."""
    negators: WordSet
    fillers: WordSet
    """May stand between a negator and a hit."""
    listed: WordSet = frozenset()
    """Fillers behind which another denial begins: 没自残没自杀."""
    skipped: WordSet = frozenset()
    """May stand in a gap that holds nothing else."""
    affirmers: Words
    """Hold a negator and yet deny nothing."""
    failed_after: Words
    """Behind a hit they undo a denial: 没自杀成功 is an attempt."""
    denied_after: tuple[str, ...]
    """Regular expressions that deny what stands before them: 自杀的念头我没有."""
    first_person: WordSet
    second_person: WordSet
    third_person: WordSet
    companions: Words = ()
    """Before a person they make it no subject: with, 和."""
    possessive: Words = ()
    """Between I and another person they make that one the subject: 我的朋友."""
    object_of: WordSet = frozenset()
    """Directly before a person they make it no subject: with, told."""
    owners: WordSet = frozenset()
    """Persons in the genitive, directly before what is theirs: wife's."""
    belongings: Words = ()
    """Behind such a person they are that one's, who is no subject then: my father's pistol."""
    strangers: WordSet = frozenset()
    """Persons who may be told by how I know them: someone, a guy."""
    acquainted: WordSet = frozenset()
    """Behind a person and I they only say who it is: someone I know."""
    run_ons: WordSet = frozenset()
    """Directly before I they end a clause that has no mark: or anything I."""
    modifiers: WordSet = frozenset()
    """May stand between these and the person: my, best."""
    generic: WordSet = frozenset()
    """Kinds of people, of whom nobody is meant: people who, men."""
    pronouns: WordSet = frozenset()
    """Stand for somebody who is named elsewhere: 他."""
    owners_before: Words = ()
    """Directly before such people they make it one that the client knows: 我的."""
    third_verbs: WordSet = frozenset()
    """Without a subject they are about somebody else: wants, keeps."""
    completed: Words = ()
    """What nobody else can be saved from: took his own life."""
    departed: Words = ()
    """In a sentence about somebody else nothing is told of what that one wishes: 去世, 怕我."""
    drops_subjects: bool = False
    """A clause without a subject is no fault: the client, or who was spoken of before."""
    hiding: Words = ()
    """Words in which a shorter term begins and means nothing: 想起, 其他, 自我."""
    causes: Words = ()
    """Companions behind which the client is a subject all the same: 让我."""
    openers: Words = ()
    """End in a companion and are none: 请问."""
    sayings: Words = ()
    """What a dropped subject says is that of the person before: 说, 留言."""
    quoted_by: WordSet = frozenset()
    """Beside a person behind a quotation they make it that one's words: sang my husband."""
    of_dying: Words = ()
    """In what a person says they make the next clause a part of it: 说她活够了,想走."""
    states: Words = ()
    """How somebody else is, of whom the next clause goes on to tell: 抑郁, 整天."""
    mine: Words = ()
    """Behind another person they make it a matter of the client: 骂我, 离开我."""
    worry: Words = ()
    """Show that a message worries about somebody else, or asks how to help."""
    confided: Words = ()
    """Somebody tells the client something: told me, 跟我说."""
    unmasked: Words = ()
    """Show that the other person is the client."""
    earnest: Words = ()
    """Show that a message means what it says: no idiom excuses it."""
    bearers: Words = ()
    """Behind a hit, in its own clause, they make somebody else its subject: 念头的人."""
    stages: Words = ()
    """Times of life that are past where a clause has a sign of `done`: 高中, 产后."""
    done: Words = ()
    """What makes a verb past: 过."""
    present: Words = ()
    """In a hit's own clause they make it no matter of the past."""
    since: Words = ()
    """Behind a word of the past and before a hit they make it one of today: 如今."""
    past: Words
    past_forms: Words = ()
    """In a hit's clause they make it past, where the message says that it is over and well."""
    resolved: Words
    """It is over and well: there is nothing to ask about what is past."""
    recent: Words = ()
    """So lately that it is worth asking about, even if it is well now."""
    current: Words
    """Again, still, lately: what is past is not over."""

    @cached_property
    def denial_behind(self) -> re.Pattern[str]:
        """What denies a hit when it stands directly behind it."""
        return re.compile("|".join(f"(?:{each})" for each in self.denied_after) or "(?!)")

    def owns(self, between: str) -> bool:
        """Return whether the words between I and another person make that one mine."""
        return self._owning.fullmatch(between) is not None

    def says(self, text: str) -> bool:
        """Return whether a text has a word for saying."""
        return any(word in text for word in self.sayings)

    def ends_saying(self, text: str) -> bool:
        """Return whether a text ends with a word for saying, be it with a comma behind it."""
        return text.rstrip(',: “"「').endswith(self.sayings) if self.sayings else False

    def tells_state(self, text: str) -> bool:
        """Return whether a text tells how somebody is."""
        return any(word in text for word in self.states)

    def says_of_dying(self, text: str) -> bool:
        """Return whether somebody says in a text that life should end."""
        return self.says(text) and any(word in text for word in self.of_dying)

    def bears(self, behind: str) -> bool:
        """Return whether the text behind a hit says that somebody else bears it."""
        own = behind.split(",", maxsplit=1)[0]
        place = min((own.find(word) for word in self.bearers if word in own), default=-1)
        return place >= 0 and not any(word in own[:place] for word in self._speakers)

    def hits_me(self, text: str) -> bool:
        """Return whether what somebody else does concerns the client."""
        return any(word in text for word in self.mine)

    def worries(self, text: str) -> bool:
        """Return whether a message worries about somebody else."""
        return "worry" in self._about_in(text)

    def unmasks(self, text: str) -> bool:
        """Return whether a message says that the other person is the client."""
        found = self._about_in(text).get("unmasked", ())
        return any(not _NOT_ME.search(text, max(0, low - _BEFORE), low) for low, _ in found)

    def confides(self, text: str) -> bool:
        """Return whether a message says that somebody told something to the client."""
        return "confided" in self._about_in(text)

    def is_earnest(self, text: str) -> bool:
        """Return whether a message says that it is meant as it is said."""
        return "earnest" in self._about_in(text)

    @cached_property
    def _about_in(self) -> Callable[[str], Spans]:
        lists = ("worry", "unmasked", "earnest", "confided")
        return lru_cache(_KEPT)(TermFinder({name: getattr(self, name) for name in lists}).spans)

    @cached_property
    def _owning(self) -> re.Pattern[str]:
        parts = "|".join(re.escape(word) for word in sorted(self.possessive, key=len, reverse=True))
        return re.compile(f"(?:{parts})*+")

    @cached_property
    def _speakers(self) -> frozenset[str]:
        return self.first_person | self.second_person

    @cached_property
    def persons(self) -> frozenset[str]:
        """All words for persons."""
        return self.first_person | self.second_person | self.third_person

    def names_someone(self, text: str) -> bool:
        """Return whether a text names somebody by more than a pronoun or a kind of people."""
        return bool(self._someone_in(text))

    @cached_property
    def _someone_in(self) -> Callable[[str], Spans]:
        return TermFinder({"": self.third_person - self.pronouns - self.generic}).spans

    def is_departed(self, text: str) -> bool:
        """Return whether a sentence tells of the dead, or what others think of the client."""
        return any(word in text for word in self.departed)

    def is_completed(self, clause: str) -> bool:
        """Return whether a clause tells of a death that has happened, and of no attempt or fear."""
        told = any(word in clause for word in self.completed)
        return told and not _ATTEMPT.search(clause)

    def is_over(self, text: str, clause: str, told: str) -> bool:
        """Return whether a sentence is about what is past, and nothing says that it goes on.

        Args:
            text: The sentence.
            clause: That of the hit, up to its end.
            told: The part of the sentence that says when it was.
        """
        if self._goes_on(self._times_in(text)):
            return False
        found = self._times_in(told)
        done = any(sign in clause for sign in self.done) or self.is_resolved(text)
        if not ("past" in found or ("stages" in found and done)):
            return False
        behind = told[max((end for _, end in found.get("past", ())), default=len(told)) :]
        if any(word in behind for word in self.since):
            return False
        return not any(word in clause for word in self.present)

    def tells_past(self, clause: str) -> bool:
        """Return whether a clause has a verb that tells of what was."""
        return any(form in clause for form in self.past_forms)

    def is_resolved(self, text: str) -> bool:
        """Return whether a text says that what was is over and well, and nothing goes on."""
        found = self._times_in(text)
        if "resolved" not in found or "recent" in found:
            return False
        return not self._goes_on(found)

    @staticmethod
    def _goes_on(found: Spans) -> bool:
        """Return whether what was goes on, by more than the `today` of `today I'm well`."""
        well = found.get("resolved", ())
        return any(not any(a <= at < b for a, b in well) for at, _ in found.get("current", ()))

    def clause_ends(self, text: str) -> Sequence[int]:
        """Return where clauses end: at commas and before conjunctions."""
        return self._ends_in(text)

    @cached_property
    def _ends_in(self) -> Callable[[str], Sequence[int]]:
        def ends(text: str) -> Sequence[int]:
            return tuple(match.start() for match in self._breaks.finditer(text))

        return lru_cache(_KEPT)(ends)

    @cached_property
    def _breaks(self) -> re.Pattern[str]:
        words = "|".join(
            rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word) for word in self.breaks
        )
        return re.compile(f"[,:()—]{'|' + words if words else ''}")

    @cached_property
    def _times_in(self) -> Callable[[str], Spans]:
        lists = ("past", "current", "resolved", "recent", "stages")
        return lru_cache(_KEPT)(TermFinder({name: getattr(self, name) for name in lists}).spans)
