"""`heartrule check FILE…`: every mistake of scripts, as text, JSON or GitHub annotations.

`--fix` first puts right in the files what needs no author.
"""

from __future__ import annotations

import codecs
import shutil
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.model.findings import FindingSeverity, Located
from executor_service.scripts.model.repairs import FindingRepair, repaired
from heartrule.words.language import ReaderLanguage, language_in
from heartrule.words.words import Words, say
from heartrule_cli.failure import WRONG, Failure, of_file
from heartrule_cli.scripts import (
    bundle_of,
    check_bundle,
    file_problem,
    find_script,
    finding_line,
    installed_environment,
    on_disk,
    scripts_below,
)
from heartrule_cli.text import clean, json_text

_SHOWN = 5


def check(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print all findings of all files; return 2 where one is an error, else 0."""
    environment, language = installed_environment(environ), language_in(environ, args.lang)
    paths = list(_paths(args.files, environ, language))
    is_text = args.format == "text"
    if args.fix:
        for change in fixed(paths, lambda path: _findings(path, environment, environ)):
            print(clean(change.told(language)), file=sys.stdout if is_text else sys.stderr)
    found = (each for path in paths for each in _findings(path, environment, environ))
    checked = CheckReport(
        files=tuple(map(str, paths)),
        findings=tuple(dict.fromkeys(found)),  # scripts may share techniques and a global.yaml
        is_strict=args.strict,
        language=language,
    )
    return print_report(checked, args.format)


def print_report(checked: CheckReport, form: str) -> int:
    """Print a report in a form of `FORMATS`, then its summary; return the exit code."""
    for line in FORMATS[form](checked):
        print(line)
    is_fine = form == "text" and checked.is_ok
    print(checked.summary, file=sys.stdout if is_fine else sys.stderr)
    return 0 if checked.is_ok else WRONG


def _paths(
    names: Sequence[str], environ: Mapping[str, str], language: ReaderLanguage
) -> Iterator[Path]:
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
            print(clean(_passed_over(others).told(language)), file=sys.stderr)


def _passed_over(others: Sequence[Path]) -> Words:
    more = say("check.more", count=len(others) - _SHOWN) if len(others) > _SHOWN else ""
    return say("check.passed_over", names=tuple(map(str, others[:_SHOWN])), more=more)


def _findings(
    path: Path, environment: LintEnvironment, environ: Mapping[str, str]
) -> list[Located]:
    try:
        found = check_bundle(bundle_of(path, environ), environment)
    except Failure as failure:
        message = say("check.empty_folder") if path.is_dir() else failure.message
        return [file_problem(path, message)]
    return [on_disk(finding, path) for finding in found]


# Of the shape of the JSON; it changes when a key goes or means something else.
JSON_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """All that was checked, and all that was found, each once."""

    files: tuple[str, ...]
    findings: tuple[Located, ...]
    """In the files their author knows."""
    is_strict: bool = False
    """True: a warning refuses like an error."""
    noun: str = "script"
    """What the files are."""
    language: ReaderLanguage = ReaderLanguage.ENGLISH
    """Of whoever reads it."""

    @property
    def told(self) -> Iterator[Located]:
        """The findings in that language."""
        return (each.told(self.language) for each in self.findings)

    @property
    def counts(self) -> Mapping[FindingSeverity, int]:
        """How many findings there are of each severity."""
        found = Counter(each.severity for each in self.findings)
        return {kind: found[kind] for kind in FindingSeverity}

    @property
    def is_ok(self) -> bool:
        """True when nothing refuses."""
        warnings = self.counts[FindingSeverity.WARNING] if self.is_strict else 0
        return not self.counts[FindingSeverity.ERROR] and not warnings

    @property
    def summary(self) -> str:
        """How many files are fine, or what was found, in a few words."""
        counts = [say(f"count.{kind}", count=count) for kind, count in self.counts.items() if count]
        if self.is_ok:
            files = say(f"count.{self.noun}", count=len(self.files))
            counts.insert(0, say("check.ok", files=files))
        return say("check.summary", counts=tuple(counts)).told(self.language)


def text_lines(checked: CheckReport) -> Iterator[str]:
    """Yield `file:line:column: message` for each finding: errors, warnings, notes."""
    for kind in FindingSeverity:
        found = (each for each in checked.told if each.severity is kind)
        yield from (finding_line(each, checked.language) for each in found)


def json_lines(checked: CheckReport) -> Iterator[str]:
    """Yield one document; docs/reference/checking.md describes its keys."""
    found = {
        "version": JSON_VERSION,
        "ok": checked.is_ok,
        "files": checked.files,
        "counts": {kind.value: count for kind, count in checked.counts.items()},
        "findings": [
            {
                "file": each.file,
                "line": each.line,
                "column": each.column,
                "severity": each.severity.value,
                "rule": each.rule.value,
                "message": each.message,
            }
            for each in checked.told
        ],
    }
    yield json_text(found)


def github_lines(checked: CheckReport) -> Iterator[str]:
    """Yield a workflow command for each finding; what an author wrote cannot become one."""
    kinds = {FindingSeverity.NOTE: "notice"}
    for each in checked.told:
        places = {"file": each.file, "line": each.line, "col": each.column, "title": each.rule}
        where = ",".join(f"{key}={_property(str(value))}" for key, value in places.items() if value)
        kind = kinds.get(each.severity, each.severity.value)
        yield f"::{kind} {where}::{_data(clean(each.message))}"


FORMATS: Mapping[str, Callable[[CheckReport], Iterator[str]]] = MappingProxyType(
    {"text": text_lines, "json": json_lines, "github": github_lines}
)
"""How a check can be printed."""


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


_Counts = Counter[tuple[str, str, str]]
_SUFFIX = ".fixing"


def fixed(paths: Iterable[Path], find: Callable[[Path], Iterable[Located]]) -> Iterator[Words]:
    """Repair each script, and what it uses; yield a line for each name with its count.

    Args:
        paths: The scripts.
        find: Returns what is found in one of them, in the files that their author knows.

    Raises:
        Failure: A file cannot be written.
    """
    counts: _Counts = Counter()
    for path in paths:
        while any(_repair(file, repairs, counts) for file, repairs in _by_file(find(path)).items()):
            pass  # a repair may have waited for another, or stood behind the last that is listed
    for (file, was, now), count in counts.items():
        code = "check.renamed" if now else "check.taken_out"
        yield say(code, file=file, was=was, now=now, times=say("count.time", count=count))


def _by_file(found: Iterable[Located]) -> dict[str, list[FindingRepair]]:
    repairs: dict[str, list[FindingRepair]] = {}
    for each in found:
        if each.repair is not None:
            repairs.setdefault(each.file, []).append(each.repair)
    return repairs


def _repair(file: str, repairs: Iterable[FindingRepair], counts: _Counts) -> bool:
    """Write a file anew with its repairs; False where none could be made."""
    path = Path(file).resolve()
    data = path.read_bytes()
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    text, made = repaired(data.decode("utf-8-sig"), repairs)
    if made:
        _write(path, mark + text.encode())
    counts.update((file, each.was, each.now) for each in made)
    return bool(made)


def _write(path: Path, data: bytes) -> None:
    """Replace a file as a whole: one that is cut short would be lost."""
    beside = path.with_name(path.name + _SUFFIX)
    with of_file(path, code=WRONG):
        beside.write_bytes(data)
        shutil.copymode(path, beside)
        Path(beside).replace(path)
