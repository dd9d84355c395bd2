"""`heartrule migrate FILE`: scripts of the older dialect in the language of today."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from executor_service.scripts.loading.yaml_reader import read_yaml
from executor_service.scripts.model.findings import Findings
from heartrule_cli.commands.check import CheckReport, text_lines
from heartrule_cli.failure import WRONG, Failure, of_file
from heartrule_cli.migration.reading import Leftovers
from heartrule_cli.migration.sessions import MigratedScript, migrated
from heartrule_cli.scripts import (
    bundle_of,
    check_bundle,
    count_text,
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
    leftovers = Leftovers()
    scripts = _read(Path(args.file), leftovers)
    folder = Path(args.to)
    written = [_write(each, folder, Path(args.file).name) for each in scripts]
    for each in sorted(leftovers.found, key=lambda one: one.line):
        print(clean(f"{args.file}:{each.line}: {each.message}"))
    environment = installed_environment(environ)
    found = tuple(
        on_disk(finding, path)
        for path in written
        for finding in check_bundle(bundle_of(path), environment)
    )
    checked = CheckReport(files=tuple(map(str, written)), findings=found)
    for line in text_lines(checked):
        print(line)
    for path in written:
        print(clean(f"wrote {path}"))
    print(f"{count_text(len(leftovers.found), 'thing')} to look at; {checked.summary}")
    return 0 if checked.is_ok else WRONG


def _read(path: Path, leftovers: Leftovers) -> list[MigratedScript]:
    findings = Findings(str(path))
    with of_file(path, code=WRONG):
        data = path.read_bytes()
    document = read_yaml(data, findings)
    if document is None or findings.has_errors:
        for each in findings.sorted():
            print(finding_line(each))
        raise Failure(clean(f"{path} cannot be read"), code=WRONG)
    scripts = list(migrated(document.root, leftovers))
    if not scripts:
        raise Failure(
            clean(f"{path} is no script of the older dialect: it has no `sessions:`"), code=WRONG
        )
    return scripts


def _write(script: MigratedScript, folder: Path, origin: str) -> Path:
    path = folder / f"{script.session_id}.yaml"
    if path.exists():
        raise Failure(clean(f"{path} is there already; name another folder"), code=WRONG)
    with of_file(path, code=WRONG):
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(script.text(origin))
    return path
