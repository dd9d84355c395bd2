"""Technique files: found by their id, read when a script uses them (SCRIPT-LANGUAGE, Tree)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType

from executor_service.scripts.checking.board import AFTER_ALL, DeclarationBoard, Owner
from executor_service.scripts.checking.checks import CHECKS
from executor_service.scripts.checking.context import LoadedTechnique, ReadContext
from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.checking.lint import lint
from executor_service.scripts.loading.bundle import is_globals, is_technique, system_skill_path
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.parts_reader import draft, read_actions, read_topic
from executor_service.scripts.loading.section import Section
from executor_service.scripts.loading.tree import ListNode, MapNode, Node, ScalarNode, kind_of
from executor_service.scripts.loading.yaml_reader import Document, read_yaml
from executor_service.scripts.model.findings import At, Findings, Located, Spot
from executor_service.scripts.model.kinds import is_id
from executor_service.scripts.model.limits import Amounts, ReadingStopped
from executor_service.scripts.model.mapping import changed
from executor_service.scripts.model.script import Phase, Script, Technique, Topic
from executor_service.scripts.model.settings import Declaration
from executor_service.scripts.model.wording import hint, quoted
from heartrule.domain.output_type import OutputType
from heartrule.words.words import say

# Techniques inside one another; the checks follow each chain to its end.
MAX_NESTED_SKILLS = 5
_KEY = "technique_id"


@dataclass(frozen=True, slots=True)
class _TechniqueFile:
    """A technique file that was found, and perhaps not read yet."""

    path: str
    document: Document | None
    findings: Findings


def check_techniques(
    files: Mapping[str, bytes], environment: LintEnvironment
) -> tuple[Located, ...]:
    """Return every finding of the technique files of a bundle, without a script that uses them."""
    shelf = TechniqueShelf(files, "", environment)
    findings = Findings("bundle")
    shelf.read_rest(shelf.context(findings))
    return (*findings.sorted(), *shelf.findings())


class TechniqueShelf:
    """The techniques of a bundle, and of the installation behind it."""

    def __init__(self, files: Mapping[str, bytes], main: str, environment: LintEnvironment) -> None:
        """Parse the technique files of the bundle; what they mean is read when they are used."""
        self._bundle = files
        self._environment = environment
        self._amounts = Amounts()
        self._files: dict[str, _TechniqueFile] = {}
        self._nameless: list[Findings] = []
        self._loaded: dict[str, LoadedTechnique | None] = {}
        self.added: dict[str, bytes] = {}
        """Files that were taken from the installation, by the path they have in a bundle."""
        for path, data in sorted(files.items()):
            if path != main and not is_globals(path) and is_technique(path, data):
                self._add(path, data)

    def context(self, findings: Findings, declared: Iterable[Declaration] = ()) -> ReadContext:
        """Return what readers of one file share; `declared` are the bundle's global variables."""
        return ReadContext(
            findings=findings,
            environment=self._environment,
            board=DeclarationBoard(findings, declared),
            amounts=self._amounts,
            use_technique=self._use,
            files=self._bundle.keys(),
        )

    def _use(self, skill: str, spot: Spot, reader: ReadContext) -> LoadedTechnique | None:
        if not is_id(skill):
            return None  # reported as no id
        if skill in reader.chain:
            way = " → ".join((*reader.chain[reader.chain.index(skill) :], skill))
            reader.findings.report("skill_in_itself", spot, way=way)
            return None
        if len(reader.chain) >= MAX_NESTED_SKILLS:
            self._refuse_depth(spot, reader)
            return None
        if skill not in self._loaded:
            self._loaded[skill] = self._load(skill, reader)
        if skill not in self._files:
            known = (*self._files, *self._environment.skill_names)
            advice = hint(skill, known, say("hint.put_into", path=f"skills/{skill}.yaml"))
            reader.findings.report("unknown_skill", spot, skill=quoted(skill), hint=advice)
        found = self._loaded[skill]
        if found is not None and len(reader.chain) + found.height > MAX_NESTED_SKILLS:
            self._refuse_depth(spot, reader)
        return found

    def read_rest(self, reader: ReadContext) -> None:
        """Read the technique files that nothing used, so that their mistakes are reported too."""
        for skill in tuple(self._files):
            if skill not in self._loaded:
                self._loaded[skill] = self._load(skill, reader)

    def techniques(self) -> Mapping[str, Technique]:
        """Return those that loaded, by id."""
        found = {name: each.technique for name, each in self._loaded.items() if each is not None}
        return MappingProxyType(found)

    def findings(self) -> Iterator[Located]:
        """Yield what was found in technique files, file by file."""
        for findings in (*self._nameless, *(file.findings for file in self._files.values())):
            yield from findings.sorted()

    @property
    def has_errors(self) -> bool:
        """True when any technique file has one."""
        return any(found.is_error for found in self.findings())

    def _refuse_depth(self, spot: Spot, reader: ReadContext) -> None:
        way = f" ({' → '.join(reader.chain)} → …)" if reader.chain else ""
        reader.findings.report("skills_too_deep", spot, most=MAX_NESTED_SKILLS, way=way)

    def _load(self, skill: str, reader: ReadContext) -> LoadedTechnique | None:
        file = self._files.get(skill) or self._installed(skill)
        if file is None or file.document is None:
            return None
        context = self.context(file.findings)
        context.text, context.scheme = file.document.text, reader.scheme
        context.chain = (*reader.chain, skill)
        try:
            return read_technique(file.document.root, context)
        except ReadingStopped:
            return None  # reported where it was met

    def _installed(self, skill: str) -> _TechniqueFile | None:
        data = self._environment.skill(skill)
        if data is None:
            return None
        path = system_skill_path(skill)
        self.added[path] = data
        self._add(path, data, wanted=skill)
        return self._files.get(skill)

    def _add(self, path: str, data: bytes, wanted: str = "") -> None:
        findings = Findings(path)
        document = read_yaml(data, findings)
        name, spot = _id_of(document)
        if wanted and name and name != wanted:
            findings.report("other_technique_id", spot, wanted=wanted, key=_KEY, name=quoted(name))
        name = wanted or name or (PurePosixPath(path).stem if document is None else "")
        if not name:
            self._nameless.append(findings)
            findings.report("technique_without_id", spot, key=_KEY)
            return
        first = self._files.setdefault(name, _TechniqueFile(path, document, findings))
        if first.path != path:
            self._nameless.append(findings)
            findings.report("skill_twice", spot, name=quoted(name), path=first.path)


def _id_of(document: Document | None) -> tuple[str, Spot]:
    """Return the id a file gives itself, "" where it gives none that fits, and its place."""
    root = document.root if document is not None else None
    entry = root.entries.get(_KEY) if isinstance(root, MapNode) else None
    if entry is None:
        return "", At()
    if isinstance(entry.value, ScalarNode) and is_id(entry.value.text):
        return entry.value.text, entry.value
    return "", entry.value


_TOPIC = Owner(0, 0)


def read_technique(root: Node, context: ReadContext) -> LoadedTechnique | None:
    """Return a technique and what its users need to know; None where it has an error."""
    if not isinstance(root, MapNode):
        context.findings.report("technique_root", root, shown=kind_of(root))
        return None
    reader = Reader(context, CHECKS, _TOPIC)
    section, made = reader.at(_TOPIC, AFTER_ALL).inside(Technique, root, topic=None)
    context.given = frozenset(parameter.name for parameter in made.input_parameters)
    topic = _topic(section, reader)
    _check_outputs(section, made, context)
    if topic is None or context.findings.has_errors:
        return None
    types = context.types_at(_TOPIC, (*context.given, *made.output_variables))
    parameters = tuple(
        changed(each, type=types.get(each.name, OutputType.TEXT)) for each in made.input_parameters
    )
    technique = changed(made, input_parameters=parameters, topic=topic)
    # The linter looks over scripts: the technique is the only topic of one.
    phase = Phase(phase_id=topic.topic_id, topics=(topic,))
    lint(Script(session_id=technique.technique_id, phases=(phase,)), context)
    return LoadedTechnique(
        technique=technique,
        types={name: types.get(name, OutputType.TEXT) for name in technique.output_variables},
        lists=frozenset(context.lists.intersection(technique.output_variables)),
        height=context.height + 1,
        actions=context.actions + context.inner_actions,
    )


def _topic(section: Section, reader: Reader) -> Topic | None:
    node, context = section.needed_mapping("topic", "topic_id", "actions"), reader.context
    if node is None:
        return None
    topic = draft(node, Topic, reader)
    for owner in (Owner(), Owner(0)):
        for declaration in context.board.of(owner):
            context.findings.report("technique_scope", declaration.place, var=declaration.var)
    read_actions(topic)
    return read_topic(topic)


def _check_outputs(section: Section, made: Technique, context: ReadContext) -> None:
    """Report output variables that the topic cannot set."""
    declared = [each.var for each in context.board.of(_TOPIC)]
    known = dict.fromkeys((*context.yields.names(), *declared, *context.given))
    node = section.node("output_variables")
    if context.findings.has_errors or not isinstance(node, ListNode):
        return
    for item in node.items:
        name = item.text.strip() if isinstance(item, ScalarNode) else ""
        if name in made.output_variables and name not in known:
            advice = hint(name, known, say("hint.name_in_output"))
            section.findings.report("unset_output", item, name=quoted(name), hint=advice)
