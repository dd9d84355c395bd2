"""`heartrule migrate FILE`: scripts of the older dialect in the language of today."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from executor_service.scripts.loading.yaml_reader import read_yaml
from executor_service.scripts.model.findings import Findings
from heartrule.words.language import ReaderLanguage, language_in
from heartrule.words.words import say
from heartrule_cli.commands.check import CheckReport, text_lines
from heartrule_cli.failure import WRONG, Failure, of_file
from heartrule_cli.migration.reading import Leftovers
from heartrule_cli.migration.sessions import MigratedScript, migrated
from heartrule_cli.scripts import (
    bundle_of,
    check_bundle,
    finding_line,
    installed_environment,
    on_disk,
)
from heartrule_cli.text import clean


def migrate(args: Namespace, environ: Mapping[str, str]) -> int:
    """Write a script for each session, and print what its author should look at.

    Returns 2 where a script that was written has errors, else 0.

    Raises:
        Failure: The file is not of the older dialect, or one would be overwritten.
    """
    leftovers, language = Leftovers(), language_in(environ)
    scripts = _read(Path(args.file), leftovers, language)
    folder = Path(args.to)
    written = [_write(each, folder, Path(args.file).name) for each in scripts]
    for each in sorted(leftovers.found, key=lambda one: one.line):
        print(clean(f"{args.file}:{each.line}: {each.message.told(language)}"))
    environment = installed_environment(environ)
    found = tuple(
        on_disk(finding, path)
        for path in written
        for finding in check_bundle(bundle_of(path), environment)
    )
    checked = CheckReport(files=tuple(map(str, written)), findings=found, language=language)
    for line in text_lines(checked):
        print(line)
    for path in written:
        print(clean(say("cli.migrate.wrote", path=str(path)).told(language)))
    count, summary = len(leftovers.found), checked.summary
    print(say("cli.migrate.look", count=count, summary=summary).told(language))
    return 0 if checked.is_ok else WRONG


def _read(path: Path, leftovers: Leftovers, language: ReaderLanguage) -> list[MigratedScript]:
    findings = Findings(str(path))
    with of_file(path, code=WRONG):
        data = path.read_bytes()
    document = read_yaml(data, findings)
    if document is None or findings.has_errors:
        for each in findings.sorted():
            print(finding_line(each, language))
        raise Failure(say("cli.migrate.unread", path=clean(str(path))), code=WRONG)
    scripts = list(migrated(document.root, leftovers))
    if not scripts:
        raise Failure(say("cli.migrate.not_older", path=clean(str(path))), code=WRONG)
    return scripts


def _write(script: MigratedScript, folder: Path, origin: str) -> Path:
    path = folder / f"{script.session_id}.yaml"
    if path.exists():
        raise Failure(say("cli.migrate.exists", path=clean(str(path))), code=WRONG)
    with of_file(path, code=WRONG):
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(script.text(origin))
    return path
