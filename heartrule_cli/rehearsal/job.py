"""Rehearses a bundle for the executor: the bytes of files in, findings at their lines out."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path

from executor_service.installation import Installation, read_installation
from executor_service.rehearsed import MOST_TURNS, Rehearsed, RehearsedScript
from executor_service.scripts.loading.bundle import completed, make_bundle
from executor_service.scripts.loading.loader import load_script
from executor_service.scripts.model.findings import Findings, Located, Spot
from heartrule.domain.errors import InvalidRequest
from heartrule.words.words import Said, Words, say
from heartrule_cli.rehearsal.conversation_file import read_conversation
from heartrule_cli.rehearsal.difference_lines import sentence
from heartrule_cli.rehearsal.harness import ScriptUnderTest
from heartrule_cli.rehearsal.play import rehearse
from heartrule_cli.rehearsal.written_conversation import WrittenConversation


def play(
    files: Mapping[str, bytes],
    main: str,
    assets: Mapping[str, str],
    paths: Sequence[str],
    root: str,
) -> RehearsedScript:
    """Play conversations of a bundle with its script; `root` is the folder _system."""
    installation = read_installation(Path(root))
    bundle = make_bundle(files, main=main, assets=assets)
    loaded = load_script(files, main=main, environment=installation.environment_of(bundle))
    errors = tuple(each for each in loaded.findings if each.is_error)
    if loaded.script is None or errors:
        return RehearsedScript(errors=errors)
    script = ScriptUnderTest(script=loaded.script, bundle=completed(bundle, loaded.added))
    read = [(path, *_read(path, files[path])) for path in paths]
    counts = accumulate(len(each.turns) if each else 0 for _, each, _ in read)
    return RehearsedScript(
        conversations=tuple(
            Rehearsed(path=path, findings=findings)
            if conversation is None
            else asyncio.run(_played(script, conversation, installation, turns))
            for (path, conversation, findings), turns in zip(read, counts, strict=True)
        )
    )


def _read(path: str, data: bytes) -> tuple[WrittenConversation | None, tuple[Located, ...]]:
    findings = Findings(path)
    conversation = read_conversation(data, findings)
    return conversation, tuple(each for each in findings.sorted() if each.is_error)


async def _played(
    script: ScriptUnderTest,
    conversation: WrittenConversation,
    installation: Installation,
    turns: int,
) -> Rehearsed:
    """Play one; `turns` are those of all so far, this one's among them."""
    path, begin = conversation.file, conversation.turns[0].spot
    if turns > MOST_TURNS:
        found = _located(path, begin, say("cli.rehearse.too_many_turns", most=MOST_TURNS))
        return Rehearsed(path=path, title=conversation.title, findings=(found,))
    try:
        done = await rehearse(script, conversation, installation)
    except TimeoutError:
        found = _located(path, begin, say("cli.rehearse.unended"))
        return Rehearsed(path=path, title=conversation.title, findings=(found,))
    except InvalidRequest as error:
        found = Located(file=path, line=begin.line, column=begin.column, message=str(error))
        return Rehearsed(path=path, title=conversation.title, findings=(found,))
    return Rehearsed(
        path=path,
        title=conversation.title,
        turns=len(done.played),
        findings=tuple(_located(path, each.spot, sentence(each)) for each in done.differences),
    )


def _located(path: str, spot: Spot, said: Said) -> Located:
    words = said if isinstance(said, Words) else None
    return Located(file=path, line=spot.line, column=spot.column, message=str(said), words=words)
