"""Finds and loads scripts and conversations; their errors are collected, not raised."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from executor_service.installation import Installation
from executor_service.scripts.loading.bundle import completed, is_technique
from executor_service.scripts.loading.loader import load_script
from executor_service.scripts.model.findings import Findings, Located
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import say
from heartrule_cli.failure import Failure
from heartrule_cli.rehearsal.conversation_file import read_conversation
from heartrule_cli.rehearsal.harness import ScriptUnderTest
from heartrule_cli.rehearsal.written_conversation import WrittenConversation
from heartrule_cli.scripts import (
    bundle_of,
    file_problem,
    find_script,
    finding_line,
    on_disk,
    system_folder,
)

# Bytes read of a conversation: one more than the reader accepts, so that it reports a larger one.
_LARGEST = 1_048_577


def find_file(name: str, environ: Mapping[str, str]) -> Path:
    """Return the file of that name, or the example that ships under it where there is none."""
    path = find_script(name, environ)
    example = system_folder(environ) / "examples" / name
    return example if not path.exists() and example.is_file() else path


def load_tested_script(
    path: Path, installation: Installation, problems: list[Located]
) -> ScriptUnderTest | None:
    """Return the script; None where it has errors, which are added to the problems."""
    try:
        bundle = bundle_of(path)
    except Failure as failure:
        problems.append(file_problem(path, failure.message))
        return None
    if is_technique(bundle.main, bundle.files[bundle.main]):
        problems.append(file_problem(path, say("cli.rehearse.technique")))
        return None
    known = installation.environment_of(bundle)
    loaded = load_script(bundle.files, main=bundle.main, environment=known)
    problems += [on_disk(each, path) for each in loaded.findings if each.is_error]
    if loaded.script is None or problems:
        return None
    return ScriptUnderTest(script=loaded.script, bundle=completed(bundle, loaded.added))


def load_conversation(path: Path, problems: list[Located]) -> WrittenConversation | None:
    """Return a conversation; None where it has errors, which are added to the problems."""
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST)
    except FileNotFoundError:
        problems.append(file_problem(path, say("cli.rehearse.no_conversation")))
        return None
    except OSError as error:
        unread = say("cli.rehearse.unread", why=str(error.strerror or error))
        problems.append(file_problem(path, unread))
        return None
    findings = Findings(str(path))
    conversation = read_conversation(data, findings)
    problems += [each for each in findings.sorted() if each.is_error]
    return conversation


def print_problems(
    problems: list[Located], language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> None:
    """Print the errors, each once, with their count on stderr."""
    lines = list(dict.fromkeys(finding_line(each, language) for each in problems))
    print(*lines, sep="\n")
    print(say("count.error", count=len(lines)).told(language), file=sys.stderr)
