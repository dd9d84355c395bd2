"""Technique files: found by their id, read when a script uses them (SCRIPT-LANGUAGE, Tree)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType

from executor_service.scripts.checking.board import DeclarationBoard
from executor_service.scripts.checking.context import LoadedTechnique, ReadContext
from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.loading.bundle import is_globals, is_technique, system_skill_path
from executor_service.scripts.loading.technique_file import read_technique
from executor_service.scripts.loading.tree import MapNode, ScalarNode
from executor_service.scripts.loading.yaml_reader import Document, read_yaml
from executor_service.scripts.model.findings import At, Findings, Located, Spot
from executor_service.scripts.model.rules import Rule
from executor_service.scripts.model.script import Technique
from executor_service.scripts.model.wording import nearest, quoted

MAX_NESTED_SKILLS = 5
"""Techniques inside one another."""
_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")
_KEY = "technique_id"


@dataclass(frozen=True, slots=True)
class _File:
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
    shelf.read_rest(
        ReadContext(
            findings=findings,
            environment=environment,
            text="",
            board=DeclarationBoard(findings),
            techniques=shelf,
            files=files.keys(),
        )
    )
    return (*findings.sorted(), *shelf.findings())


class TechniqueShelf:
    """The techniques of a bundle, and of the installation behind it."""

    def __init__(self, files: Mapping[str, bytes], main: str, environment: LintEnvironment) -> None:
        """Parse the technique files of the bundle; what they mean is read when they are used."""
        self._paths = files
        self._environment = environment
        self._files: dict[str, _File] = {}
        self._nameless: list[Findings] = []
        self._loaded: dict[str, LoadedTechnique | None] = {}
        self.added: dict[str, bytes] = {}
        """Files that were taken from the installation, by the path they have in a bundle."""
        for path, data in sorted(files.items()):
            if path != main and not is_globals(path) and is_technique(path, data):
                self._add(path, data)

    def use(self, skill: str, spot: Spot, reader: ReadContext) -> LoadedTechnique | None:
        """Return the technique of that id; see `Techniques`."""
        if not _ID.fullmatch(skill):
            return None  # reported as no id
        if skill in reader.chain:
            way = " → ".join((*reader.chain[reader.chain.index(skill) :], skill))
            reader.findings.error(spot, f"a skill cannot use itself: {way}", Rule.SKILL_NESTING)
            return None
        if len(reader.chain) >= MAX_NESTED_SKILLS:
            self._refuse_depth(spot, reader)
            return None
        if skill not in self._loaded:
            self._loaded[skill] = self._load(skill, reader)
        if skill not in self._files:
            self._refuse_missing(skill, spot, reader)
        found = self._loaded[skill]
        if found is not None and len(reader.chain) + found.height > MAX_NESTED_SKILLS:
            self._refuse_depth(spot, reader)
        return found

    def read_rest(self, reader: ReadContext) -> None:
        """Read the technique files nothing used, so that their mistakes are told as well."""
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
        way = " → ".join(reader.chain)
        reader.findings.error(
            spot,
            f"skills are nested deeper than {MAX_NESTED_SKILLS} here"
            + (f" ({way} → …)" if way else ""),
            Rule.SKILL_NESTING,
        )

    def _refuse_missing(self, skill: str, spot: Spot, reader: ReadContext) -> None:
        meant = nearest(skill, (*self._files, *self._environment.skill_names))
        hint = f"did you mean `{meant}`?" if meant else f"put it into skills/{skill}.yaml"
        reader.findings.error(
            spot, f"there is no skill {quoted(skill)}; {hint}", Rule.UNKNOWN_SKILL
        )

    def _load(self, skill: str, reader: ReadContext) -> LoadedTechnique | None:
        file = self._files.get(skill) or self._installed(skill)
        if file is None or file.document is None:
            return None
        context = ReadContext(
            findings=file.findings,
            environment=self._environment,
            text=file.document.text,
            board=DeclarationBoard(file.findings),
            techniques=self,
            files=reader.files,
            chain=(*reader.chain, skill),
            scheme=reader.scheme,
        )
        return read_technique(file.document.root, context)

    def _installed(self, skill: str) -> _File | None:
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
        stem = wanted or PurePosixPath(path).stem
        if wanted and name and name != wanted:
            findings.error(
                spot, f"the file is {wanted}.yaml, but its `{_KEY}` is {quoted(name)}", Rule.BAD_ID
            )
        name = wanted or name or (stem if document is None else "")
        if not name:
            self._nameless.append(findings)
            findings.error(
                spot,
                f"a technique file needs `{_KEY}` with letters, digits, _ and -",
                Rule.MISSING_KEY,
            )
            return
        first = self._files.setdefault(name, _File(path, document, findings))
        if first.path != path:
            self._nameless.append(findings)
            findings.error(
                spot, f"the skill {quoted(name)} is in {first.path} already", Rule.DUPLICATE_NAME
            )


def _id_of(document: Document | None) -> tuple[str, Spot]:
    """Return the id a file gives itself, "" where it gives none that fits, and where it stands."""
    root = document.root if document is not None else None
    entry = root.entries.get(_KEY) if isinstance(root, MapNode) else None
    if entry is None:
        return "", At()
    if isinstance(entry.value, ScalarNode) and _ID.fullmatch(entry.value.text):
        return entry.value.text, entry.value
    return "", entry.value
