"""`heartrule check FILE…`: every mistake of scripts, without a server."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.model.findings import Located
from heartrule_cli.checked import FORMATS, CheckReport
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.scripts import (
    bundle_of,
    check_bundle,
    file_problem,
    find_script,
    installed_environment,
    on_disk,
    scripts_below,
)
from heartrule_cli.text import clean

_SHOWN = 5


def check(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print all findings of all files; return 2 where one is an error, else 0."""
    environment = installed_environment(environ)
    paths = list(_paths(args.files, environ))
    found = (each for path in paths for each in _findings(path, environment))
    checked = CheckReport(
        files=tuple(map(str, paths)),
        findings=tuple(dict.fromkeys(found)),  # scripts may share techniques and a global.yaml
        is_strict=args.strict,
    )
    for line in FORMATS[args.format](checked):
        print(line)
    is_text = args.format == "text"
    print(checked.summary, file=sys.stdout if is_text and checked.is_ok else sys.stderr)
    return 0 if checked.is_ok else WRONG


def _paths(names: Sequence[str], environ: Mapping[str, str]) -> Iterator[Path]:
    for name in names:
        path = find_script(name, environ)
        if not path.is_dir():
            yield path
            continue
        found, others = scripts_below(path)
        yield from found
        if not found:
            yield path  # reported as a folder without scripts
        if others:
            print(_passed_over(others), file=sys.stderr)


def _passed_over(others: Sequence[Path]) -> str:
    names = ", ".join(map(str, others[:_SHOWN]))
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    why = "neither `session:` nor `technique_id:` begins a line"
    return clean(f"passed over, as {why}: {names}{more}")


def _findings(path: Path, environment: LintEnvironment) -> list[Located]:
    try:
        found = check_bundle(bundle_of(path), environment)
    except Failure as failure:
        message = "no script in this folder" if path.is_dir() else str(failure)
        return [file_problem(path, message)]
    return [on_disk(finding, path) for finding in found]
