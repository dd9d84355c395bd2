"""`heartrule rehearse FILE --with CONVERSATION…`: plays written conversations without a model."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from executor_service.scripts.bundle import completed, is_technique
from executor_service.scripts.findings import Located
from executor_service.scripts.loader import load_script
from heartrule.cli.failure import FAILED, WRONG, Failure
from heartrule.cli.rehearsing.as_json import report
from heartrule.cli.rehearsing.conversation import Conversation
from heartrule.cli.rehearsing.outcome import Rehearsal
from heartrule.cli.rehearsing.piece import Piece
from heartrule.cli.rehearsing.play import rehearse
from heartrule.cli.rehearsing.reading import read_conversation
from heartrule.cli.rehearsing.stage import Installation, read_installation
from heartrule.cli.rehearsing.telling import difference_lines
from heartrule.cli.rehearsing.transcript import transcript
from heartrule.cli.scripts import (
    bundle_of,
    count_text,
    find_script,
    finding_line,
    script_place,
    system_folder,
)
from heartrule.cli.style import style_for

_LARGEST = 1_048_577
"""Bytes read of a conversation: one more than is taken."""


@dataclass(slots=True)
class _Problems:
    """What is wrong with the files, as their author knows them."""

    found: list[tuple[str, Located]] = field(default_factory=list)

    def add(self, file: str, message: str) -> None:
        """Add a problem of a whole file."""
        self.found.append((file, Located(file=file, line=0, column=0, message=message)))

    def lines(self) -> list[str]:
        """Return all, each once, with its place."""
        lines = (
            finding_line(Path(file), line=each.line, column=each.column, message=each.text)
            for file, each in self.found
        )
        return list(dict.fromkeys(lines))


def rehearse_script(args: Namespace, environ: Mapping[str, str]) -> int:
    """Play the conversations; return 0, 1 where one is not as expected, 2 where a file is wrong."""
    installation = read_installation(system_folder(environ))
    script, problems = _find(args.file, environ), _Problems()
    piece = _load(script, installation, problems)
    conversations = [_read(_find(name, environ), problems) for name in args.conversations]
    rehearsals: list[Rehearsal] = []
    if piece is not None and not problems.found:
        wanted = [each for each in conversations if each is not None]
        rehearsals = asyncio.run(_play(piece, wanted, installation))
    if args.format == "json":
        print(report(script, problems.found, rehearsals))
    else:
        _tell(problems, rehearsals, environ, always=args.transcript)
    if problems.found:
        return WRONG
    return FAILED if any(each.differences for each in rehearsals) else 0


async def _play(
    piece: Piece, conversations: list[Conversation], installation: Installation
) -> list[Rehearsal]:
    rehearsals = []
    for each in conversations:
        try:
            rehearsals.append(await rehearse(piece, each, installation))
        except TimeoutError:
            raise Failure(f"{each.file}: a turn did not come to its end") from None
    return rehearsals


def _find(name: str, environ: Mapping[str, str]) -> Path:
    """Return the file of that name, or the example that ships under it where there is none."""
    path = find_script(name, environ)
    example = system_folder(environ) / "examples" / name
    return example if not path.exists() and example.is_file() else path


def _load(path: Path, installation: Installation, problems: _Problems) -> Piece | None:
    """Return the script; None where it has errors, which are told."""
    try:
        bundle = bundle_of(path)
    except Failure as failure:
        problems.add(str(path), str(failure))
        return None
    if is_technique(bundle.main, bundle.files[bundle.main]):
        problems.add(str(path), "this is a technique; rehearse a script that uses it")
        return None
    known = installation.environment_of(bundle)
    loaded = load_script(bundle.files, main=bundle.main, environment=known)
    for each in loaded.findings:
        if each.is_error:
            problems.found.append((str(script_place(each.file, path)), each))
    if loaded.script is None or problems.found:
        return None
    return Piece(script=loaded.script, bundle=completed(bundle, loaded.added))


def _read(path: Path, problems: _Problems) -> Conversation | None:
    """Return a conversation; None where it has errors, which are told."""
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST)
    except FileNotFoundError:
        problems.add(str(path), "there is no such conversation")
        return None
    except OSError as error:
        problems.add(str(path), f"cannot be read: {error.strerror or error}")
        return None
    read = read_conversation(data, str(path))
    problems.found += [(str(path), each) for each in read.findings if each.is_error]
    return read.conversation


def _tell(
    problems: _Problems, rehearsals: list[Rehearsal], environ: Mapping[str, str], *, always: bool
) -> None:
    style = style_for(sys.stdout, environ)
    for line in problems.lines():
        print(line)
    for each in rehearsals:
        told = always or not each.conversation.expects
        if told:
            print(*transcript(each, style), sep="\n")
        for line in difference_lines(each, style, bare=told):
            print(line)
    if problems.found:
        print(count_text(len(problems.lines()), "error"), file=sys.stderr)
        return
    differing = sum(1 for each in rehearsals if each.differences)
    conversations = count_text(len(rehearsals), "conversation")
    if differing:
        print(f"{differing} of {conversations} not as expected", file=sys.stderr)
        return
    turns = count_text(sum(len(each.played) for each in rehearsals), "turn")
    print(f"OK: {conversations}, {turns}")
