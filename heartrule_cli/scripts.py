"""Scripts on disk: found, bundled, checked without a server."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType

from executor_service.lint_installation import WorkflowCheck, lint_environment
from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.loading.bundle import (
    AGENTS_FOLDER,
    GLOBALS_FILE,
    MAX_BUNDLE_BYTES,
    WORKFLOWS_FOLDER,
    Bundle,
    asset_findings,
    is_globals,
    is_technique,
)
from executor_service.scripts.loading.bundle_files import read_bundle
from executor_service.scripts.loading.loader import check_globals, load_script
from executor_service.scripts.loading.techniques import check_techniques
from executor_service.scripts.model.findings import Located
from executor_service.scripts.model.rules import CheckRule
from executor_service.variables.keywords import load_keywords
from heartrule.chassis.settings import read
from heartrule.chassis.system_files import SystemFilesSettings, system_dir
from heartrule.domain.errors import HeartRuleError, NotFound
from heartrule.model.template_store import TemplateStore
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Said, Words, say
from heartrule_cli.arguments.command_parser import guess, nearest
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.text import clean

_OURS = re.compile(rb"""^["']?(?:session|technique_id)["']?[ ]*:""", re.MULTILINE)
# Global variables in a file of another name: the key is its first.
_GLOBALS = re.compile(rb"""(?:\xef\xbb\xbf)?(?:[ \t]*(?:#[^\n]*)?\r?\n)*["']?global["']?[ ]*:""")

_CONVERSATION = ".conversation"


def find_script(name: str, environ: Mapping[str, str]) -> Path:
    """Return the file of that name, or the example that ships under it where there is none.

    `greeting` and `greeting.yaml` are an example's names; a name with a folder is a path only.
    """
    path = Path(name)
    if path.exists() or path.name != name:
        return path
    examples = system_folder(environ) / "scripts"
    for candidate in (examples / name, examples / f"{name}.yaml"):
        if candidate.is_file():
            return candidate
    return path


def scripts_below(folder: Path) -> tuple[list[Path], list[Path]]:
    """Return the scripts and techniques below a folder, and its other YAML files.

    A script is known by `session:`, a technique by `technique_id:`, at the beginning of a line. A
    global.yaml and the folders `workflows` and `agents` are checked with the script beside them;
    written conversations, and folders whose name begins with a dot, are left alone.
    """
    found: list[Path] = []
    others: list[Path] = []
    for path in sorted(path for kind in ("*.yaml", "*.yml") for path in folder.rglob(kind)):
        inner = path.relative_to(folder).parts
        if is_globals(path.name) or not path.is_file() or any(p[0] == "." for p in inner):
            continue
        if path.stem.endswith(_CONVERSATION):
            continue
        (found if _OURS.search(_beginning(path)) else others).append(path)
    workflows = {script.parent / WORKFLOWS_FOLDER for script in found}
    agents = [script.parent / AGENTS_FOLDER for script in found]
    return found, [path for path in others if not _is_carried(path, workflows, agents)]


def _is_carried(path: Path, workflows: Collection[Path], agents: Collection[Path]) -> bool:
    """Return whether a file is checked with the script that it lies beside."""
    return path.parent in workflows or any(path.is_relative_to(each) for each in agents)


def _beginning(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MAX_BUNDLE_BYTES)
    except OSError:
        return b"session:"  # counted as a script, so that the error is reported


def bundle_of(path: Path, environ: Mapping[str, str] = MappingProxyType({})) -> Bundle:
    """Return the bundle of a script: the file, and what it uses of what lies beside it.

    Raises:
        Failure: There is no such file, or it cannot be read or is too large. Of one that is not
            there it names the most similar one beside it, or of those that ship.
    """
    try:
        return read_bundle(path)
    except NotFound as error:
        missing = say("cli.script.missing", why=clean(str(error)), guess=_similar(path, environ))
        raise Failure(missing, code=WRONG) from None
    except HeartRuleError as error:
        raise Failure(clean(str(error)), code=WRONG) from None


def _similar(path: Path, environ: Mapping[str, str]) -> Said:
    """Return `; did you mean X?` of the script that a missing one was likely meant to be."""
    folder = system_folder(environ) / "scripts"
    shipped = {} if path.name != str(path) else {each.stem: each.stem for each in _yaml_in(folder)}
    names = shipped | {each.stem: each.name for each in _yaml_in(path.parent)}
    close = nearest(path.stem, names)
    return guess(names[close]) if close else ""


def _yaml_in(folder: Path) -> list[Path]:
    return [each for kind in ("*.yaml", "*.yml") for each in folder.glob(kind)]


def installed_environment(environ: Mapping[str, str]) -> LintEnvironment:
    """Return what this installation offers to scripts, and its policy to their workflows."""
    folder = system_folder(environ)
    config = folder / "config"
    made = lint_environment(TemplateStore(config), folder / "skills", load_keywords(config), folder)
    return replace(made, workflows=partial(_wrong_workflows, environ))


def _wrong_workflows(environ: Mapping[str, str], files: Mapping[str, bytes]) -> tuple[Located, ...]:
    if not files:
        return ()
    # The executor's settings bring grpc along, which takes as long to import as a check.
    from heartrule_cli.gate_policy import author_facts, policy_of

    return WorkflowCheck(author_facts(policy_of(environ)))(files)


def check_bundle(bundle: Bundle, environment: LintEnvironment) -> tuple[Located, ...]:
    """Return what is found in a script, a technique or a global.yaml, from top to bottom."""
    if is_globals(bundle.main) or _GLOBALS.match(bundle.files[bundle.main]):
        return check_globals(bundle.files, bundle.main, environment)
    if is_technique(bundle.main, bundle.files[bundle.main]):
        return check_techniques(bundle.files, environment)
    known = replace(environment, assets=frozenset(bundle.assets))
    loaded = load_script(bundle.files, main=bundle.main, environment=known)
    return (*loaded.findings, *asset_findings(bundle, bundle.assets.values()))


def file_problem(path: Path, message: Said) -> Located:
    """Return an error of a whole file."""
    words = message if isinstance(message, Words) else None
    rule = CheckRule.WRONG_FILE
    return Located(file=str(path), line=0, column=0, message=str(message), rule=rule, words=words)


def on_disk(finding: Located, script: Path) -> Located:
    """Return a finding of a script's bundle with the path its author knows."""
    file = finding.file
    if file.startswith("_system/"):  # it ships with HeartRule, and is not the author's to change
        return replace(finding, repair=None)
    if "/" in file:
        place = script.parent / file
    else:
        place = script.with_name(GLOBALS_FILE) if file == GLOBALS_FILE else script
    return replace(finding, file=str(place))


def finding_line(found: Located, language: ReaderLanguage = ReaderLanguage.ENGLISH) -> str:
    """Return a finding as tools read it, in a language; 0 stands for no line or column."""
    where = ":".join(str(part) for part in (found.file, found.line, found.column) if part)
    message = found.told(language).message
    if not found.is_error:
        message = say(f"check.{found.severity}", message=message).told(language)
    return clean(f"{where}: {message}")


def refused(errors: Sequence[Located], script: Path, language: ReaderLanguage) -> Failure:
    """Print the errors to stderr, and return the Failure that refuses the script."""
    for each in errors:
        print(finding_line(on_disk(each, script), language), file=sys.stderr)
    return Failure(
        say("cli.script.refused", errors=say("count.error", count=len(errors))), code=WRONG
    )


def mistaken(
    place: str,
    found: Sequence[Located],
    language: ReaderLanguage,
    *,
    hint: tuple[Said, ...] = (),
) -> Failure:
    """Return the Failure that names every mistake of a file or a folder, then a hint."""
    lines = tuple(finding_line(each, language) for each in found)
    mistakes = say("cli.mistakes", file=clean(place), count=len(found))
    return Failure(mistakes, hint=(*lines, *hint), code=WRONG)


def system_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder `_system` of this installation.

    Raises:
        Failure: It is nowhere to be found.
    """
    try:
        return system_dir(read(SystemFilesSettings, environ).system_dir)
    except FileNotFoundError as error:
        raise Failure(str(error).replace(os.linesep, " ")) from None
