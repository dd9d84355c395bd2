"""Loads a script from its bundle's files: a frozen Script, or every mistake with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from executor_service.scripts.checking.board import DeclarationBoard, Declared, Owner
from executor_service.scripts.checking.checks import CHECKS
from executor_service.scripts.checking.context import ReadContext, Spotter
from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.checking.lint import check_templates, lint
from executor_service.scripts.loading.bundle import (
    GLOBALS_FILE,
    find_main,
    globals_path,
    is_globals,
    path_problem,
)
from executor_service.scripts.loading.declaration_reader import read_declarations
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.parts_reader import read_session
from executor_service.scripts.loading.section import Section, wrong
from executor_service.scripts.loading.techniques import TechniqueShelf
from executor_service.scripts.loading.tree import (
    ListNode,
    LostNode,
    MapNode,
    Node,
    kind_of,
    to_json,
)
from executor_service.scripts.loading.yaml_reader import Document, read_yaml
from executor_service.scripts.model.actions import NOT_YET_ACTION_TYPES, ActionType
from executor_service.scripts.model.findings import At, Findings, FindingSeverity, Located, Spot
from executor_service.scripts.model.mapping import changed, shape_of
from executor_service.scripts.model.rules import CheckRule
from executor_service.scripts.model.script import GlobalsFile, Script, ScriptFile
from heartrule.domain.json_value import JsonValue
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
        return tuple(found for found in self.findings if found.is_error)

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
    problem = _choice_problem(chosen, files)
    if problem or chosen is None:
        findings.error(At(), problem, CheckRule.WRONG_FILE)
        return LoadResult(script=None, findings=findings.sorted())
    return _load(files, chosen, environment)


def _load(files: Mapping[str, bytes], main: str, environment: LintEnvironment) -> LoadResult:
    findings, beside = Findings(main), globals_path(main)
    global_findings = Findings(beside)
    shelf = TechniqueShelf(files, main, environment)

    def context_of(findings: Findings, declared: Sequence[Declared] = ()) -> ReadContext:
        return ReadContext(
            findings=findings,
            environment=environment,
            text="",
            board=DeclarationBoard(findings, declared),
            techniques=shelf,
            files=files.keys(),
        )

    around = context_of(global_findings)
    declared = _read_globals(files[beside], around) if beside in files else []
    context = context_of(findings, declared)
    script = _read_main(files[main], context)
    used = shelf.techniques()
    shelf.read_rest(context)
    has_errors = findings.has_errors or global_findings.has_errors or shelf.has_errors
    if script is not None and not has_errors:
        script = changed(script, techniques=used)
        lint(script, context)
        check_templates(script, context)
    return LoadResult(
        script=None if has_errors else script,
        findings=(*findings.sorted(), *global_findings.sorted(), *shelf.findings()),
        added=MappingProxyType(shelf.added),
    )


def _choice_problem(chosen: str | None, files: Mapping[str, bytes]) -> str:
    """Return why no script can be read under that path; "" when one can."""
    if chosen is None:
        return "the bundle must hold exactly one script, or the script must be named"
    if chosen not in files or path_problem(chosen):
        return path_problem(chosen) or "no such file in the bundle"
    if is_globals(chosen):
        return f"{GLOBALS_FILE} only declares variables; name the script beside it"
    return ""


def _read_main(data: bytes, context: ReadContext) -> Script | None:
    document = read_yaml(data, context.findings)
    if document is None:
        return None
    dialect = find_dialect(document.root)
    if dialect is not None:
        context.findings.refuse_all(dialect.spot, dialect.message, CheckRule.OTHER_DIALECT)
        return None
    context.text = document.text
    root = _root(document, context.findings, "a mapping with `session:`")
    if root is None:
        return None
    if _TECHNIQUE_KEY in root.entries:
        key = root.entries[_TECHNIQUE_KEY].key
        context.findings.report("technique_as_script", key)
        return None
    return _read_root(Section(root, shape_of(ScriptFile), context.findings), context)


def _read_root(section: Section, context: ReadContext) -> Script | None:
    metadata = section.node("metadata")
    free: dict[str, JsonValue] = {}
    if isinstance(metadata, MapNode):
        free = {key: to_json(entry.value) for key, entry in metadata.entries.items()}
    elif metadata is not None:
        wrong(metadata, "`metadata`", "a mapping, such as {name: …, author: …}", context.findings)
    session = section.node("session")
    if isinstance(session, MapNode):
        return read_session(session, free, context)
    if session is None:
        section.missing("session", " with a session_id and phases")
    else:
        wrong(session, "`session`", "a mapping with session_id and phases", context.findings)
    return None


def _read_globals(data: bytes, context: ReadContext) -> list[Declared]:
    findings = context.findings
    document = read_yaml(data, findings)
    root = document and _root(document, findings, "a mapping with `global:`")
    if not root:
        return []
    section = Section(root, shape_of(GlobalsFile), findings)
    nodes, reader = section.items("global"), Reader(Spotter(context, Owner()), CHECKS)
    declared: dict[str, Declared] = {}
    for found in read_declarations(nodes, VariableScope.GLOBAL, section, reader):
        made = found.declaration
        if made.scope is not VariableScope.GLOBAL:
            findings.report("only_globals", made.place, globals_file=GLOBALS_FILE, var=made.var)
        elif made.var in declared:
            line = declared[made.var].declaration.place.line
            findings.report("global_twice", made.place, var=made.var, line=line)
        else:
            declared[made.var] = found
    return list(declared.values())


def _root(document: Document, findings: Findings, wanted: str) -> MapNode | None:
    root = document.root
    if isinstance(root, MapNode):
        return root
    if not isinstance(root, LostNode):
        findings.report("wrong_root", root, shown=kind_of(root), wanted=wanted)
    return None


_FOREIGN_KEYS = frozenset({"sessions", "steps"})
_VERBS = frozenset(
    {
        *ActionType,
        *NOT_YET_ACTION_TYPES,
        *("say", "ask", "think", "speak", "tell", "listen", "wait", "show", "form", "fill"),
        *("skill", "agent", "call", "goto", "set", "if"),
    }
)
_LISTS = ("phases", "topics", "actions")


@dataclass(frozen=True, slots=True)
class Dialect:
    """Where a script shows that it speaks another dialect."""

    spot: Spot
    message: str


def find_dialect(root: Node) -> Dialect | None:
    """Return the first sign of another dialect; None in a script of ours, right or wrong."""
    if isinstance(root, ListNode):
        return Dialect(
            root, "a list is not a script of this language; a script is a mapping with `session:`"
        )
    return next(_signs(root, 0), None)


def _signs(node: Node, depth: int) -> Iterator[Dialect]:
    """Walk root → session → phases → topics → actions and yield what does not belong there."""
    if not isinstance(node, MapNode):
        return
    for key in _FOREIGN_KEYS & node.entries.keys():
        yield Dialect(
            node.entries[key].key,
            f"`{key}:` belongs to another dialect, which is not supported; "
            "write session → phases → topics → actions",
        )
    if depth == 0:
        session = node.entries.get("session")
        if session is not None:
            yield from _signs(session.value, 1)
        return
    inner = node.entries.get(_LISTS[depth - 1])
    for item in inner.value.items if inner and isinstance(inner.value, ListNode) else ():
        yield from _verb(item) if depth == len(_LISTS) else _signs(item, depth + 1)


def _verb(node: Node) -> Iterator[Dialect]:
    if not isinstance(node, MapNode) or "action_type" in node.entries:
        return
    for key, entry in node.entries.items():
        if key in _VERBS:
            yield Dialect(
                entry.key,
                f"an action written as `- {key}: …` belongs to another dialect, which is not "
                "supported; write `action_type: ai_…` with an `action_id` and a `config`",
            )
