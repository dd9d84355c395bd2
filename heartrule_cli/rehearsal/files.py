"""Finds and loads what is to be played; every mistake is kept, to be told with the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from executor_service.installation import Installation
from executor_service.scripts.loading.bundle import completed, is_technique
from executor_service.scripts.loading.loader import load_script
from executor_service.scripts.model.findings import Located
from heartrule_cli.failure import Failure
from heartrule_cli.rehearsal.conversation_file import read_conversation
from heartrule_cli.rehearsal.script_under_test import ScriptUnderTest
from heartrule_cli.rehearsal.written_conversation import WrittenConversation
from heartrule_cli.scripts import bundle_of, find_script, finding_line, script_place, system_folder

_LARGEST = 1_048_577
"""Bytes read of a conversation: one more than is taken."""


@dataclass(slots=True)
class Problems:
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


def find_file(name: str, environ: Mapping[str, str]) -> Path:
    """Return the file of that name, or the example that ships under it where there is none."""
    path = find_script(name, environ)
    example = system_folder(environ) / "examples" / name
    return example if not path.exists() and example.is_file() else path


def load_tested_script(
    path: Path, installation: Installation, problems: Problems
) -> ScriptUnderTest | None:
    """Return the script; None where it has errors, which are added to the problems."""
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
    return ScriptUnderTest(script=loaded.script, bundle=completed(bundle, loaded.added))


def load_conversation(path: Path, problems: Problems) -> WrittenConversation | None:
    """Return a conversation; None where it has errors, which are added to the problems."""
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
