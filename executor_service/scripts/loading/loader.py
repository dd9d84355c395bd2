"""Loads a script from its bundle's files: a frozen Script, or every mistake with its place."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import MappingProxyType

from executor_service.scripts.agents.agent_files import check_agents
from executor_service.scripts.checking.checks import CHECKS
from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.checking.lint import check_templates, lint
from executor_service.scripts.loading.bundle import (
    GLOBALS_FILE,
    agent_files,
    find_main,
    globals_path,
    is_globals,
    path_problem,
    workflow_files,
)
from executor_service.scripts.loading.declaration_reader import read_declarations
from executor_service.scripts.loading.dialects import is_foreign, is_side_file
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.parts_reader import read_session
from executor_service.scripts.loading.section import Section, root_mapping
from executor_service.scripts.loading.techniques import TechniqueShelf
from executor_service.scripts.loading.yaml_reader import read_yaml
from executor_service.scripts.model.findings import At, Findings, FindingSeverity, Located
from executor_service.scripts.model.limits import ReadingStopped
from executor_service.scripts.model.mapping import changed, shape_of
from executor_service.scripts.model.script import GlobalsFile, Script, ScriptFile
from executor_service.scripts.model.settings import Declaration
from heartrule.domain.variables import VariableScope

_TECHNIQUE_KEY = "technique_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadResult:
    """What loading gave."""

    script: Script | None
    """None when any finding is an error."""
    findings: tuple[Located, ...]
    """Every error and warning, file by file, from top to bottom."""
    added: Mapping[str, bytes] = field(default_factory=dict)
    """Techniques of the installation that the script uses, by the path they take in its bundle."""

    @property
    def errors(self) -> tuple[Located, ...]:
        """The findings because of which the script cannot run."""
        return self._of(FindingSeverity.ERROR)

    @property
    def warnings(self) -> tuple[Located, ...]:
        """The findings its author should look at."""
        return self._of(FindingSeverity.WARNING)

    @property
    def notes(self) -> tuple[Located, ...]:
        """The findings that may well be meant so."""
        return self._of(FindingSeverity.NOTE)

    def _of(self, severity: FindingSeverity) -> tuple[Located, ...]:
        return tuple(found for found in self.findings if found.severity is severity)


def load_script(
    files: Mapping[str, bytes], *, main: str | None = None, environment: LintEnvironment
) -> LoadResult:
    """Load a script and check all of it; nothing is read but `files`.

    Args:
        files: A bundle: relative path → bytes.
        main: Path of the script; None where the bundle holds one script only.
        environment: What the installation offers.
    """
    chosen = find_main(files) if main is None else main
    findings = Findings(chosen or "bundle")
    if chosen is None:
        findings.report("no_single_script", At())
    elif problem := path_problem(chosen):
        findings.report("unsafe_path", At(), problem=problem)
    elif chosen not in files:
        findings.report("no_such_file", At())
    elif is_globals(chosen):
        findings.report("globals_as_script", At(), globals_file=GLOBALS_FILE)
    else:
        return _load(files, chosen, environment)
    return LoadResult(script=None, findings=findings.sorted())


def _load(files: Mapping[str, bytes], main: str, environment: LintEnvironment) -> LoadResult:
    findings, beside = Findings(main), globals_path(main)
    global_findings = Findings(beside)
    shelf = TechniqueShelf(files, main, environment)

    around = Reader(shelf.context(global_findings), CHECKS)
    declared: list[Declaration] = []
    with suppress(ReadingStopped):  # reported where it was met; the script is refused
        declared = _read_globals(files[beside], around) if beside in files else []
    context = shelf.context(findings, declared)
    script, used = None, shelf.techniques()
    with suppress(ReadingStopped):
        script = _read_main(files[main], Reader(context, CHECKS))
        used = shelf.techniques()
        shelf.read_rest(context)
    of_parts = (
        *environment.workflows(workflow_files(files, main)),
        *check_agents(agent_files(files, main), environment),
    )
    has_errors = findings.has_errors or global_findings.has_errors or shelf.has_errors
    has_errors = has_errors or any(found.is_error for found in of_parts)
    if script is not None and not has_errors:
        script = changed(script, techniques=used)
        lint(script, context)
        check_templates(script, context)
    return LoadResult(
        script=None if has_errors else script,
        findings=(
            *findings.sorted(),
            *global_findings.sorted(),
            *shelf.findings(),
            *of_parts,
        ),
        added=MappingProxyType(shelf.added),
    )


def check_globals(
    files: Mapping[str, bytes], main: str, environment: LintEnvironment
) -> tuple[Located, ...]:
    """Return every finding of a global.yaml, without a script that it stands beside."""
    findings = Findings(main)
    reader = Reader(TechniqueShelf({}, main, environment).context(findings), CHECKS)
    with suppress(ReadingStopped):  # reported where it was met
        _read_globals(files[main], reader)
    return findings.sorted()


def _read_main(data: bytes, reader: Reader) -> Script | None:
    context = reader.context
    findings = context.findings
    document = read_yaml(data, findings)
    if document is None or is_foreign(document.root, findings):
        return None
    context.text = document.text
    root = root_mapping(document.root, "session", findings)
    if root is None:
        return None
    if _TECHNIQUE_KEY in root.entries:
        findings.report("technique_as_script", root.entries[_TECHNIQUE_KEY].key)
        return None
    if is_side_file(root, findings):
        return None
    return _read_root(Section(root, shape_of(ScriptFile), findings), reader)


def _read_root(section: Section, reader: Reader) -> Script | None:
    made: ScriptFile = reader.part(ScriptFile, section, session=None)
    session = section.needed_mapping("session", "session_id", "phases")
    return None if session is None else read_session(session, made.metadata, reader)


def _read_globals(data: bytes, reader: Reader) -> list[Declaration]:
    findings = reader.context.findings
    document = read_yaml(data, findings)
    root = document and root_mapping(document.root, "global", findings)
    if not root:
        return []
    section = Section(root, shape_of(GlobalsFile), findings)
    declared: dict[str, Declaration] = {}
    for made in read_declarations("global", VariableScope.GLOBAL, section, reader):
        if made.scope is not VariableScope.GLOBAL:
            findings.report("only_globals", made.place, globals_file=GLOBALS_FILE, var=made.var)
        elif made.var in declared:
            line = declared[made.var].place.line
            findings.report("global_twice", made.place, var=made.var, line=line)
        else:
            declared[made.var] = made
    return list(declared.values())
