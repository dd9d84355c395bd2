"""The terminal's output: whole lines, drafts that may be taken back, lines that change, a prompt.

Every text that is not ours passes `clean` before it gets here through `draft` and `commit`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

from heartrule.words.language import ReaderLanguage
from heartrule.words.words import say
from heartrule_cli.style import Style
from heartrule_cli.text import clean, rows


@dataclass(slots=True, kw_only=True)
class _Draft:
    """The message that is being written at the end of the screen."""

    message_id: str
    attempt: int
    shown: str = ""
    """The part of it on the screen."""
    received: int = 0
    """Code points received, before cleaning."""
    broken: bool = False
    """A piece is missing: wait for the message itself."""


@dataclass(frozen=True, slots=True)
class _TypedPrompt:
    text: str
    typed: Callable[[], str]


class Screen:
    """Writes to one stream; `live` where what was written can be taken back."""

    def __init__(
        self,
        out: TextIO,
        style: Style,
        *,
        live: bool,
        language: ReaderLanguage = ReaderLanguage.ENGLISH,
    ) -> None:
        """Begin at the start of a line. Without `live`, drafts are not shown at all."""
        self._out = out
        self._withdrawn = f"  {say('cli.chat.withdrawn').told(language)}"
        self.style = style
        self.live = live
        self._draft: _Draft | None = None
        self._held: list[str] = []
        self._prompt: _TypedPrompt | None = None
        self._unfinished: dict[str, _Draft] = {}
        self._pending: dict[str, str] = {}
        self._pending_shown = False

    def line(self, text: str = "") -> None:
        """Write whole lines: now, above an open prompt, or after an open draft."""
        if self._draft is not None:
            self._held.append(text)
            return
        end = self._end()
        self._write(self._lifted(end) + text + "\n" + end)

    def pending(self, message_id: str, text: str) -> None:
        """Show a line, or change it, that stands at the end of the screen until `settle`.

        Without `live` it is written once. What is left of the message's draft is taken back.
        """
        if not self.live:
            if message_id not in self._pending:
                self.line(text)
            self._pending[message_id] = text
            return
        if self._draft is not None and self._draft.message_id == message_id:
            self._take_back(self._draft.shown)
            self._draft = None
        self._unfinished.pop(message_id, None)
        self._change_pending({**self._pending, message_id: text})
        self._flush()

    def settle(self, message_id: str) -> None:
        """Take the line of a message away, where there is one."""
        if message_id in self._pending:
            kept = {name: text for name, text in self._pending.items() if name != message_id}
            self._change_pending(kept)

    def _change_pending(self, lines: dict[str, str]) -> None:
        """Write these lines in place of those before; while a draft is open none is shown."""
        before = self._end()
        self._pending = lines
        if not self.live or self._draft is not None:
            return
        self._pending_shown = bool(lines)
        self._write(self._lifted(before) + self._end())

    def draft(self, message_id: str, *, attempt: int, offset: int, text: str) -> None:
        """Show a piece of a message as it is written; a piece that does not join is left out."""
        if not self.live or self._prompt is not None:
            return
        draft = self._draft
        if draft is None or draft.message_id != message_id:
            self._close_draft()
            self._write(self._lifted(self._end()))
            self._pending_shown = False
            draft = self._draft = _Draft(message_id=message_id, attempt=attempt)
        if draft.broken or offset > draft.received:
            draft.broken = True
            return
        fresh = text[draft.received - offset :]
        draft.received += len(fresh)
        draft.shown += clean(fresh)
        self._write(clean(fresh))

    def void(self, up_to_attempt: int) -> None:
        """Erase the open draft if it is of this attempt or an earlier one."""
        if self._draft is not None and self._draft.attempt <= up_to_attempt:
            self._take_back(self._draft.shown)
            self._draft = None
            self._flush()
        gone = [key for key, left in self._unfinished.items() if left.attempt <= up_to_attempt]
        for key in gone:
            del self._unfinished[key]
        if gone:
            self.line(self.style.dim(self._withdrawn))

    def commit(self, message_id: str, text: str, *, shown_as: str | None = None) -> None:
        """Show the text of a message; of its draft only what is lacking is added.

        Args:
            message_id: The message.
            text: Its text; what steers a terminal is left out.
            shown_as: The message as it is to be written, where that differs from its text.
        """
        final = clean(text) if shown_as is None else shown_as
        before, draft = self._left_of(message_id, final), self._draft
        if draft is None or draft.message_id != message_id:
            self._close_draft()
            if final != before or not final:
                self.line(final[len(before) :])
            return
        self._draft = None
        shown = before + draft.shown if final.startswith(before + draft.shown) else draft.shown
        if final.startswith(shown):
            self._write(final[len(shown) :] + "\n")
        else:
            self._take_back(draft.shown)
            self._write(final + "\n")
        self._flush()

    def open_prompt(self, text: str, typed: Callable[[], str]) -> None:
        """Take note of a prompt at the end of the screen; `typed` returns its current text.

        A draft that is being written stays; the rest of its message follows above the prompt.
        """
        self._close_draft()
        self._prompt = _TypedPrompt(text, typed)

    def close_prompt(self) -> None:
        """Take note that the prompt was answered or left; lines above it stay as they are."""
        self._prompt = None
        self._pending_shown = False

    def end(self) -> None:
        """Leave the screen at the start of a line."""
        self._close_draft()

    def _left_of(self, message_id: str, final: str) -> str:
        """Return the beginning of a message that was left standing; empty where it differs."""
        left = self._unfinished.pop(message_id, None)
        return left.shown if left is not None and final.startswith(left.shown) else ""

    def _close_draft(self) -> None:
        """Keep an unfinished draft on the screen, and go on below it."""
        draft, self._draft = self._draft, None
        if draft is not None and draft.shown:
            self._unfinished[draft.message_id] = draft
            self._write("\n")
        self._flush()

    def _flush(self) -> None:
        held, self._held = self._held, []
        for line in held:
            self.line(line)
        if self._pending and not self._pending_shown:
            self._change_pending(self._pending)

    def _end(self) -> str:
        """Return what stands below the last whole line: lines that change, and the prompt."""
        lines = self._pending.values() if self._pending_shown else ()
        prompt = self._prompt
        typed = prompt.text + clean(prompt.typed()) if prompt else ""
        return "".join(f"{line}\n" for line in lines) + typed

    def _lifted(self, shown: str) -> str:
        return _erased(shown, self._columns()) if shown else ""

    def _take_back(self, shown: str) -> None:
        if not shown:
            return
        columns, height = self._size()
        if rows(shown, columns) < height:
            self._write(_erased(shown, columns))
        else:  # its beginning has left the screen
            self._write("\n" + self.style.dim(self._withdrawn) + "\n")

    def _columns(self) -> int:
        return self._size()[0]

    def _size(self) -> tuple[int, int]:
        try:
            size = os.get_terminal_size(self._out.fileno())
        except (OSError, ValueError):
            return 80, 24
        return max(size.columns, 2), size.lines

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()


def _erased(shown: str, columns: int) -> str:
    """Return the control sequence that erases a text which ends at the cursor."""
    up = rows(shown, columns) - 1
    return "\r" + (f"\x1b[{up}A" if up else "") + "\x1b[J"
