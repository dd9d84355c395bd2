"""Reads `content` out of a JSON reply while the rest is still being written.

It agrees with `parse_object`: whenever that reads a reply, the text shown here is its content, or
nothing yet. Both take the first top-level `content`, both judge a `"` by `QuoteLookahead`. No
character of another field ever comes out. A reply that begins with prose is held back whole: what
it quotes is for the parser to judge.

Work is linear in the length of the reply, however it is cut into pieces.
"""

from __future__ import annotations

import re
from enum import StrEnum

from heartrule.model.reply.contract import ReplyContract
from heartrule.model.reply.decode import MAX_DEPTH
from heartrule.model.reply.json_strings import Cursor, QuoteVerdict, StringReader, skip_spaces
from heartrule.model.reply.parser import PREFACE
from heartrule.model.reply.prose import may_repeat, repeats

_PROSE_LIMIT = 200  # a reply that begins with more prose is left to the parser
_LONGEST_KEY = 200  # longer than any known key: what follows cannot make it one
_SCALAR = re.compile(r'[^\s",:{}\[\]]*')
_CLOSES = {"{": "}", "[": "]"}
_ENDS = frozenset(
    {QuoteVerdict.COMMA, QuoteVerdict.BRACE, QuoteVerdict.OTHER_END, QuoteVerdict.FIELD}
)
_CONTENT_ENDS = frozenset({QuoteVerdict.COMMA, QuoteVerdict.BRACE, QuoteVerdict.FIELD})


class _State(StrEnum):
    BEFORE = "before"
    BRACE = "brace"
    KEY = "key"
    IN_KEY = "in_key"
    COLON = "colon"
    VALUE = "value"
    IN_STRING = "in_string"
    IN_SCALAR = "in_scalar"
    IN_CONTENT = "in_content"
    NEXT = "next"
    DONE = "done"


class ContentScanner:
    """Takes the pieces of one reply and returns what the client may see of each."""

    def __init__(self, contract: ReplyContract) -> None:
        """`contract` must be the one the reply is parsed with."""
        self._known = contract.known_names()
        self._hint = contract.content_hint
        self._cursor = Cursor()
        self._state = _State.BEFORE
        self._before = ""
        self._stack: list[str] = []
        self._string: StringReader | None = None
        self._kept = ""
        self._key = ""
        self._shown: list[str] = []
        self._held = ""
        self._complete = False

    @property
    def text(self) -> str:
        """All that was returned so far."""
        return "".join(self._shown)

    @property
    def complete(self) -> bool:
        """True once the content's closing quote is certain; the reader may answer."""
        return self._complete

    def feed(self, piece: str) -> str:
        """Read one more piece; return the newly visible text, often none."""
        out: list[str] = []
        self._cursor.feed(piece)
        while self._state is not _State.DONE and not self._cursor.exhausted:
            out.append(self._step())
        return self._show("".join(out))

    def _show(self, text: str) -> str:
        """Hold back what may be no content for the parser: white space, the template's words."""
        if not self._shown:
            self._held += text
            if not self._held.strip() or self._may_repeat_hint():
                return ""
            text, self._held = self._held, ""
        if text:
            self._shown.append(text)
        return text

    def _may_repeat_hint(self) -> bool:
        test = repeats if self._complete else may_repeat
        return test(self._held, self._hint)

    def _step(self) -> str:
        if self._state is _State.IN_CONTENT:
            return self._read_content()
        if self._state in {_State.IN_KEY, _State.IN_STRING}:
            self._read_hidden()
        elif self._state is _State.IN_SCALAR:
            self._read_scalar()
        elif self._state is _State.BEFORE:
            self._seek()
        else:
            self._structure()
        return ""

    def _seek(self) -> None:
        """Look for the brace that may begin the reply."""
        cursor = self._cursor
        brace = cursor.text.find("{", cursor.position)
        stop = brace if brace >= 0 else len(cursor.text)
        self._before = (self._before + cursor.text[cursor.position : stop]).lstrip()
        cursor.position = stop + 1
        if len(self._before) > _PROSE_LIMIT:
            self._state = _State.DONE
        elif brace >= 0:
            self._state = _State.BRACE

    def _structure(self) -> None:
        """Take one character outside strings; one that JSON does not allow there ends it all."""
        cursor = self._cursor
        cursor.position = skip_spaces(cursor.text, cursor.position)
        if cursor.exhausted:
            return
        char = cursor.text[cursor.position]
        cursor.position += 1
        if self._state is _State.BRACE:
            self._after_brace(char)
        elif self._state is _State.COLON:
            self._state = _State.VALUE if char == ":" else _State.DONE
        elif char == _CLOSES[self._stack[-1]] and self._may_close():
            self._close()
        elif self._state is _State.NEXT:
            self._state = self._expected() if char == "," else _State.DONE
        elif self._state is _State.KEY:
            self._begin_key(char)
        else:
            self._begin_value(char)

    def _after_brace(self, char: str) -> None:
        if char == '"':
            self._stack.append("{")
            self._begin_key(char)
            if PREFACE.fullmatch(self._before) is None:
                self._state = _State.DONE
        else:
            self._before += "{"
            self._state = _State.BEFORE
            self._cursor.position -= 1

    def _begin_key(self, char: str) -> None:
        self._kept = ""
        self._string = StringReader(in_array=False, known=self._known, ends=_ENDS)
        self._state = _State.IN_KEY if char == '"' else _State.DONE

    def _begin_value(self, char: str) -> None:
        top_level = len(self._stack) == 1
        if char == '"':
            shown = top_level and self._key == "content"
            ends = _CONTENT_ENDS if shown else _ENDS
            in_array = self._stack[-1] == "["
            self._string = StringReader(in_array=in_array, known=self._known, ends=ends)
            self._state = _State.IN_CONTENT if shown else _State.IN_STRING
        elif top_level and self._key == "content":
            self._state = _State.DONE
        elif char in _CLOSES:
            self._stack.append(char)
            self._state = self._expected() if len(self._stack) <= MAX_DEPTH else _State.DONE
        elif _SCALAR.fullmatch(char):
            self._cursor.position -= 1
            self._state = _State.IN_SCALAR
        else:
            self._state = _State.DONE

    def _may_close(self) -> bool:
        """A bracket may close after a value, in an empty container, after a trailing comma."""
        return self._state is not _State.VALUE or self._stack[-1] == "["

    def _close(self) -> None:
        self._stack.pop()
        self._state = _State.NEXT if self._stack else _State.DONE

    def _expected(self) -> _State:
        return _State.KEY if self._stack[-1] == "{" else _State.VALUE

    def _read_content(self) -> str:
        string = self._reader()
        visible = string.read(self._cursor)
        if string.end is not None:
            self._complete = True
            self._state = _State.DONE
        return visible

    def _read_hidden(self) -> None:
        string = self._reader()
        decoded = string.read(self._cursor)
        if self._state is _State.IN_KEY and len(self._kept) <= _LONGEST_KEY:
            self._kept += decoded
        if string.end is QuoteVerdict.FIELD:
            self._state = _State.DONE
        elif string.end is not None and self._state is _State.IN_KEY:
            self._key = self._kept
            self._state = _State.COLON
        elif string.end is not None:
            self._state = _State.NEXT

    def _read_scalar(self) -> None:
        match = _SCALAR.match(self._cursor.text, self._cursor.position)
        self._cursor.position = match.end() if match else self._cursor.position
        if not self._cursor.exhausted:
            self._state = _State.NEXT

    def _reader(self) -> StringReader:
        assert self._string is not None, "a string is being read"
        return self._string
