"""Agents in files: `agents/NAME/agent.yaml` with its prompts, read and checked together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from types import MappingProxyType

from executor_service.scripts.agents.agent_file_checks import (
    AGENT_CHECKS,
    check_nested,
    check_reads,
    placed_phases,
)
from executor_service.scripts.agents.agent_nesting import AgentNesting
from executor_service.scripts.checking.board import DeclarationBoard
from executor_service.scripts.checking.context import ReadContext
from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.loading.bundle import AGENTS_FOLDER
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.section import Section, root_mapping
from executor_service.scripts.loading.tree import ScalarNode
from executor_service.scripts.loading.yaml_reader import read_yaml
from executor_service.scripts.model.agent_file import AgentFile, AgentPhase, KnownAgent
from executor_service.scripts.model.findings import At, Findings, Located
from executor_service.scripts.model.kinds import ID, is_id
from executor_service.scripts.model.limits import Amounts, ReadingStopped
from executor_service.scripts.model.mapping import shape_of
from executor_service.scripts.model.wording import quoted
from heartrule.words.words import say

AGENT_FILE = "agent.yaml"
PROMPT_FOLDER = "prompt/"
SOURCE_FOLDER = "sources/"
MOST_AGENTS = 50
"""Most agents of a bundle."""
MOST_MATERIAL = 100_000
"""Characters of an agent's sources together."""
_TEXT = re.compile(rf"prompt/(?:{ID}/)?[A-Za-z0-9_-]+\.md|sources/[^/]+\.(?:md|txt)")
_KEY = "agent_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenAgent:
    """An agent in YAML that has no mistake, with its prompts and its sources."""

    file: AgentFile
    prompts: Mapping[str, str]
    """Text by path below `prompt/`; one in a folder there is that of the scheme of its name."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Text by name, of the folder `sources`."""

    def prompt(self, phase: AgentPhase, scheme: str = "") -> str:
        """Return what tells the model about a phase: the scheme's text, else the agent's own."""
        own = self.prompts[phase.prompt_file]
        return self.prompts.get(f"{scheme}/{phase.prompt_file}", own).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAgents:
    """What reading agents gave."""

    agents: Mapping[str, WrittenAgent]
    """By name; none that has an error."""
    added: Mapping[str, Mapping[str, str]]
    """Sources by name that the bundle adds to an agent of the installation, by the agent's name."""
    findings: tuple[Located, ...]
    """Agent by agent, each from top to bottom."""


@dataclass(slots=True)
class _Folder:
    """The files of one agent, while they are read."""

    name: str
    findings: Findings
    data: bytes | None = None
    texts: dict[str, str] = field(default_factory=dict)
    """Prompts by path below `prompt/`, and sources by path with `sources/`."""
    section: Section | None = None
    file: AgentFile | None = None
    of_texts: list[Findings] = field(default_factory=list)

    @property
    def has_errors(self) -> bool:
        return any(each.has_errors for each in (self.findings, *self.of_texts))

    def known(self) -> KnownAgent:
        """Return what others are checked against, as far as it could be read."""
        return KnownAgent() if self.file is None else self.file.known()

    @property
    def prompts(self) -> dict[str, str]:
        return _below(PROMPT_FOLDER, self.texts)

    @property
    def sources(self) -> dict[str, str]:
        return {
            PurePosixPath(name).stem: text
            for name, text in _below(SOURCE_FOLDER, self.texts).items()
        }


def _below(folder: str, texts: Mapping[str, str]) -> dict[str, str]:
    return {
        path.removeprefix(folder): text for path, text in texts.items() if path.startswith(folder)
    }


def read_agents(
    files: Mapping[str, bytes], known: Mapping[str, KnownAgent] = MappingProxyType({})
) -> ReadAgents:
    """Return the agents of a bundle, and every mistake in their files.

    Args:
        files: Those below `agents/`.
        known: The agents of the installation, which those of the bundle may name.
    """
    folders, misplaced = _folders(files)
    amounts = Amounts()
    with suppress(ReadingStopped):  # reported where it was met
        for folder in folders.values():
            _read(folder, amounts, known)
    broken = {name for name, each in folders.items() if each.findings.has_errors}
    own = {name: each.known() for name, each in folders.items() if each.data is not None}
    nesting = AgentNesting({**known, **own})
    for folder in folders.values():
        if folder.section is not None and folder.file is not None:
            check_nested(folder.section, folder.file, nesting, broken)
    sound = {name: each for name, each in folders.items() if not each.has_errors}
    made = {
        name: WrittenAgent(file=each.file, prompts=each.prompts, sources=each.sources)
        for name, each in sound.items()
        if each.file is not None
    }
    return ReadAgents(
        agents=MappingProxyType(made),
        added={name: each.sources for name, each in sound.items() if each.data is None},
        findings=(*misplaced, *(found for each in folders.values() for found in _found(each))),
    )


def check_agents(files: Mapping[str, bytes], environment: LintEnvironment) -> tuple[Located, ...]:
    """Return what is wrong with the agents of a bundle."""
    return read_agents(files, environment.agents() or {}).findings if files else ()


def _folders(files: Mapping[str, bytes]) -> tuple[dict[str, _Folder], list[Located]]:
    """Return the files of each agent, and what lies in the folder that is of none."""
    folders: dict[str, _Folder] = {}
    misplaced: list[Located] = []
    for path, data in sorted(files.items()):
        name, _, inside = path.removeprefix(AGENTS_FOLDER).partition("/")
        if not is_id(name) or not (inside == AGENT_FILE or _TEXT.fullmatch(inside)):
            misplaced += _misplaced(path)
            continue
        beside = f"{AGENTS_FOLDER}{name}/{AGENT_FILE}"
        folder = folders.setdefault(name, _Folder(name, Findings(beside)))
        if inside == AGENT_FILE:
            folder.data = data
        else:
            _add_text(folder, inside, data)
    for number, folder in enumerate(folders.values(), start=1):
        if number == MOST_AGENTS + 1:
            folder.findings.report("too_many_agents", At(), most=MOST_AGENTS)
    return dict(list(folders.items())[: MOST_AGENTS + 1]), misplaced


def _misplaced(path: str) -> tuple[Located, ...]:
    findings = Findings(path)
    findings.report("misplaced_agent", At(), folder=AGENTS_FOLDER, agent_file=AGENT_FILE)
    return findings.sorted()


def _add_text(folder: _Folder, inside: str, data: bytes) -> None:
    findings = Findings(f"{AGENTS_FOLDER}{folder.name}/{inside}")
    folder.of_texts.append(findings)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        findings.report("not_utf8", At())
        return
    if "\0" in text:
        findings.report("bad_character", At(), code="U+0000")
    folder.texts[inside] = text


def _found(folder: _Folder) -> Iterator[Located]:
    for findings in (folder.findings, *folder.of_texts):
        yield from findings.sorted()


def _read(folder: _Folder, amounts: Amounts, known: Mapping[str, KnownAgent]) -> None:
    """Read an agent's file and its texts; what is wrong is among its findings."""
    findings = folder.findings
    if sum(map(len, folder.sources.values())) > MOST_MATERIAL:
        findings.report("too_much_material", At(), most=MOST_MATERIAL)
    if folder.data is None:
        if folder.name not in known or folder.prompts:
            findings.report("agent_missing", At(), path=findings.file)
        return
    document = read_yaml(folder.data, findings, begins=say("begins.agent"))
    if document is None:
        return
    root = root_mapping(document.root, "phases", findings)
    if root is None:
        return
    reader = _reader(findings, amounts, document.text)
    folder.section = Section(root, shape_of(AgentFile), findings)
    made: AgentFile = reader.part(AgentFile, folder.section)
    folder.file = made
    if made.agent_id and made.agent_id != folder.name:
        facts = {"wanted": folder.name, "key": _KEY, "name": quoted(made.agent_id)}
        folder.section.report("other_agent_id", _KEY, **facts)
    check_reads(made, reader)
    _check_prompts(folder, folder.section)
    for each in folder.of_texts:
        _check_text(folder, made, each, amounts)


def _reader(findings: Findings, amounts: Amounts, text: str) -> Reader:
    context = ReadContext(
        findings=findings,
        environment=LintEnvironment(),
        board=DeclarationBoard(findings),
        amounts=amounts,
        use_technique=lambda _skill, _spot, _context: None,
        text=text,
    )
    return Reader(context, AGENT_CHECKS)


def _check_prompts(folder: _Folder, section: Section) -> None:
    """Report prompts that are missing."""
    for inner, phase in placed_phases(section):
        speaks = phase.handler or phase.unit
        if not speaks or not phase.phase_id or not phase.asks_model or "prompt" in inner.broken:
            continue
        if f"{PROMPT_FOLDER}{phase.prompt_file}" not in folder.texts:
            path = f"{AGENTS_FOLDER}{folder.name}/{PROMPT_FOLDER}{phase.prompt_file}"
            inner.report("missing_prompt", "prompt" if phase.prompt else "phase_id", path=path)


def _check_text(folder: _Folder, made: AgentFile, findings: Findings, amounts: Amounts) -> None:
    """Check that a phase has a prompt, and what the prompt reads; a source is read by no rule."""
    path = PurePosixPath(findings.file)
    inside = findings.file.removeprefix(f"{AGENTS_FOLDER}{folder.name}/")
    text = folder.texts.get(inside)
    if text is None or inside.startswith(SOURCE_FOLDER):
        return
    wanted = [phase.prompt_file for phase in made.phases if phase.asks_model]
    if path.name not in wanted:
        example = wanted[0] if wanted else "PHASE_system_prompt.md"
        findings.report("unused_prompt", At(), example=example)
    reader = _reader(findings, amounts, text)
    whole = ScalarNode(line=1, column=1, value=text, text=text, start=0, end=len(text))
    reader.reads_text(whole)
    check_reads(made, reader)
