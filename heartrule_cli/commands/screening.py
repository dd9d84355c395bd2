"""`heartrule screen`: what the safety screen says to a text, without a server."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from heartrule.domain.safety import SafetyLevel
from heartrule.safety.safety_files import load_screen
from heartrule.safety.screen import ScreenContext, Screening
from heartrule.words.words import Words, is_known, say
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.scripts import system_folder


class _Before(BaseModel):
    model_config = ConfigDict(extra="forbid")

    question: str = ""
    earlier: tuple[str, ...] = ()


class _Case(BaseModel):
    """A line of a file of cases; the locale is the session's, and decides nothing here."""

    model_config = ConfigDict(extra="forbid")

    id: str = ""
    text: str
    locale: str = ""
    context: _Before | str | None = Field(default=None)

    def before(self) -> ScreenContext:
        if isinstance(self.context, _Before):
            return ScreenContext(question=self.context.question, earlier=self.context.earlier)
        return ScreenContext(question=self.context or "")


_CASE = TypeAdapter(_Case)
_Line: TypeAlias = dict[str, str | bool | Sequence[str]]


def screen(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print a JSON object for each text: level, rules, and whether a card or question comes."""
    cases = tuple(_cases(args))
    rules = load_screen(system_folder(environ) / "safety")
    for case in cases:
        found = rules.screen(case.text, case.before())
        print(json.dumps(_line(case.id, found), ensure_ascii=False))
    return 0


def _line(name: str, found: Screening) -> _Line:
    return {
        "id": name,
        "level": found.level.name,
        "rules": found.rules,
        "card": found.level >= SafetyLevel.THIRD_PARTY,
        "question": found.level is SafetyLevel.CONCERN,
    }


def _cases(args: Namespace) -> Iterator[_Case]:
    if args.text is not None:
        yield _Case(text=args.text)
        return
    for number, line in enumerate(_lines(args.file), 1):
        if not line.strip():
            continue
        try:
            yield _CASE.validate_json(line)
        except ValidationError as error:
            wrong = error.errors(include_input=False, include_url=False)[0]
            raise Failure(_mistake(args.file, number, wrong), code=WRONG) from None


def _mistake(file: str, number: int, wrong: ErrorDetails) -> Words:
    named = say(f"cli.wrong.{wrong['type']}", **wrong.get("ctx", {}))
    why = named if is_known(named.code) else wrong["msg"]
    where = ".".join(map(str, wrong["loc"]))
    if not where:
        return say("cli.screen.line", file=file, number=number, why=why)
    return say("cli.screen.case", file=file, number=number, where=where, why=why)


def _lines(name: str) -> list[str]:
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Failure(say("cli.unread", file=name, why=str(error))) from error
    return text.split("\n")
