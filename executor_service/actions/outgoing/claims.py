"""What a text says its speaker is: a person, a doctor, a name that is not the role's.

A clause in which the speaker names itself waits until it is whole. What stands in quotation marks,
is denied, supposed or asked, or stands in the script's own text is no claim. Whether a client asks
what it talks with is told here too.
"""

from __future__ import annotations

import re

from heartrule.model.reply.prose import plain_words

_BOUNDARY = re.compile(r"[，。！？!?,.;；…\n]")
# From here on a clause may be about the speaker; a word may still be coming.
_SPEAKER = re.compile(
    r"我(?!们)|俺|本人|作为|身为|[作身本]$|\b(?:i|i['’]m|my|me|as)\b|(?<![a-z])[am]$",
    re.IGNORECASE,
)
_LEAD_WORDS = (
    *("well", "actually", "yes", "sure", "but", "and", "so", "now", "you", "can", "call", "just"),
    *("ok", "okay", "look", "see", "oh", "hey", "then", "no"),
)
_LEAD_BEGINNINGS = {word[:end] for word in _LEAD_WORDS for end in range(1, len(word) + 1)}
# What may stand in a clause before its speaker; the last word may still be coming.
_LEADS = re.compile(
    r"\s*(?:其实?|说实?话?|老实?说?|当然?|对|你|您|可以?叫?|就|也|真的?|不瞒你?说?)*"
    rf"|\s*(?:(?:{'|'.join(_LEAD_WORDS)})\s+)*(?:{'|'.join(sorted(_LEAD_BEGINNINGS))})?",
    re.IGNORECASE,
)
_QUOTES_OPEN = re.compile(r"[「『“《\"][^」』”》\"]*$")
_DENIED = re.compile(
    r"不|没|别|如果|假如|要是|假设|觉得|以为|认为|当成|当作|希望|像|是否|是不是|"
    r"\b(?:not|never|n't|if|like|think|wish|whether)\b|n['’]t\b",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"(?:我|俺|本人)(?:就|也|真的?|确实|当然|可|的确|其实|只)*是"
    r"(?:一个|一名|一位|个|名|位)?[^，。！？]{0,8}?"
    r"(?:真人|人类|活人|人(?=[。！，,.!~啊呀呢哦…\s]|$)|医生|大夫|医师|咨询师|治疗师|心理师|护士|"
    r"有血有肉)"
    r"|(?:作为|身为)(?:一个|一名|一位|你的|您的)?[^，。！？]{0,8}?(?:真人|人类|医生|大夫|咨询师|治疗师)"
    r"|\bi(?:['’]m|\sam)\s(?:(?:actually|really|also|just|indeed)\s)*(?:(?:a|an|your)\s)?"
    r"(?!(?:\w+\s){0,2}(?:ai|virtual|digital|automated)\b)(?:\w+\s){0,2}"
    r"(?:human|person|doctor|physician|psychiatrist|psychologist|therapist|counsell?or|nurse)\b"
    r"(?!\s(?:assistant|program|bot|ai))"
    r"|\bas an?\s(?:\w+\s){0,2}(?:human|doctor|therapist|counsell?or|psychologist)\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?:我叫|我的名字(?:是|叫)|(?:可以|就)叫我)\s*(?!你|您|他|她|它|什么|啥|不|做|作|一|了|出|停|上|过|到|醒|帮|来|去|说|起|这|那)"
    r"(?P<han>[\w·]{1,12})"
    r"|\b(?:my name is|my name['’]s)\s+(?P<latin>\w+)"
    r"|\b(?-i:[Cc]all me)\s+(?P<called>(?-i:[A-Z])\w+)",
    re.IGNORECASE,
)
_SPEAKERS = r"(?:机器人?|人工智能|ai|程序|电脑|真人|人类|活人|人|医生|大夫|咨询师|机器)"
_ASKS_WHAT_IT_IS = re.compile(
    rf"(?:你|您|对面|那边)(?:到底|究竟|真的|其实|该)?(?:是不是|不会是|不是|是)(?:一?个|一?位|在跟我聊的是)?\s*"
    rf"{_SPEAKERS}(?:吗|么|吧|嘛|还是|[？?])"
    rf"|(?:你|您)(?:是不是|不会是)(?:一?个|一?位)?{_SPEAKERS}$"
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
_LONGEST_QUESTION = 200


class SelfClaims:
    """Holds the clauses of one text that may be about its speaker."""

    def __init__(self, *, role: str, own: str = "") -> None:
        """`role` is the name the script gives the speaker, `own` its own text for the client."""
        self._role, self._own = role, own
        self._clause, self._held = "", ""
        self.claimed = False
        """True once a claim was found; nothing leaves from then on."""

    def feed(self, piece: str) -> str:
        """Return what may leave once a piece has come."""
        if self.claimed:
            return ""
        self._held += piece
        out: list[str] = []
        while match := _BOUNDARY.search(self._held):
            ended, self._held = self._held[: match.end()], self._held[match.end() :]
            if self._is_claim(self._clause + ended):
                self.claimed, self._held = True, ""
                return "".join(out)
            out.append(ended)
            self._clause = ""
        if self._is_begun() and not _SPEAKER.search(self._held):
            self._clause += self._held
            out.append(self._held)
            self._held = ""
        return "".join(out)

    def _is_begun(self) -> bool:
        """Return whether a clause has begun with words that lead to no speaker."""
        return bool(self._clause) or _LEADS.fullmatch(self._held) is None

    def finish(self) -> str:
        """Return what is left at the text's end."""
        held, self._held = self._held, ""
        if self.claimed or not held:
            return ""
        self.claimed = self._is_claim(self._clause + held)
        return "" if self.claimed else held

    def _is_claim(self, clause: str) -> bool:
        if not _SPEAKER.search(clause) or "？" in clause or "?" in clause:
            return False
        return self._is_person(clause) or self._is_other_name(clause)

    def _is_person(self, clause: str) -> bool:
        found = _PERSON.search(clause)
        if found is None or _DENIED.search(clause[: found.end()]):
            return False
        return not (self._excused(clause, found.start()) or self._is_role(clause))

    def _is_other_name(self, clause: str) -> bool:
        found = _NAME.search(clause)
        if found is None or self._excused(clause, found.start()):
            return False
        name = found.group("han") or found.group("latin") or found.group("called")
        return not self._is_role(name)

    def _is_role(self, words: str) -> bool:
        role, plain = plain_words(self._role), plain_words(words)
        return bool(role) and (role in plain or plain in role)

    def _excused(self, clause: str, start: int) -> bool:
        """Return whether the clause is a quotation, or the script's own."""
        quoted = _QUOTES_OPEN.search(clause[:start]) is not None
        return quoted or (bool(self._own) and plain_words(clause) in plain_words(self._own))


def asks_what_it_is(text: str) -> bool:
    """Return whether a client's text asks if it talks with a person or a machine."""
    return _ASKS_WHAT_IT_IS.search(text[:_LONGEST_QUESTION].strip()) is not None
