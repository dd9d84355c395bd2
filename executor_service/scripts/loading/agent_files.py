"""Agents in files: `agents/NAME/agent.yaml` with its prompts, read and checked together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from types import MappingProxyType

from executor_service.scripts.checking.agent_file_checks import (
    AGENT_CHECKS,
    check_nested,
    check_reads,
)
from executor_service.scripts.checking.board import DeclarationBoard
from executor_service.scripts.checking.context import ReadContext
from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.checking.limits import Amounts, ReadingStopped
from executor_service.scripts.loading.bundle import AGENTS_FOLDER
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.section import Section
from executor_service.scripts.loading.tree import MapNode, ScalarNode, kind_of
from executor_service.scripts.loading.yaml_reader import read_yaml
from executor_service.scripts.model.agent_file import AgentFile, AgentPhase, KnownAgent
from executor_service.scripts.model.findings import At, Findings, Located
from executor_service.scripts.model.kinds import ID, is_id
from executor_service.scripts.model.mapping import shape_of
from executor_service.scripts.model.wording import quoted

AGENT_FILE = "agent.yaml"
PROMPT_FOLDER = "prompt/"
MOST_AGENTS = 50
"""Most agents of a bundle."""
_PROMPT = re.compile(rf"(?:{ID}/)?[A-Za-z0-9_-]+\.md")
_KEY = "agent_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenAgent:
    """An agent in YAML that has no mistake, with its prompts."""

    file: AgentFile
    prompts: Mapping[str, str]
    """Text by path below `prompt/`; one in a folder there is that of the scheme of its name."""

    def prompt(self, phase: AgentPhase, scheme: str = "") -> str:
        """Return what tells the model about a phase: the scheme's text, else the agent's own."""
        own = self.prompts[phase.prompt_file]
        return self.prompts.get(f"{scheme}/{phase.prompt_file}", own)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAgents:
    """What reading agents gave."""

    agents: Mapping[str, WrittenAgent]
    """By name; none that has an error."""
    findings: tuple[Located, ...]
    """Agent by agent, each from top to bottom."""


@dataclass(slots=True)
class _Folder:
    """The files of one agent, while they are read."""

    name: str
    findings: Findings
    data: bytes | None = None
    prompts: dict[str, bytes] = field(default_factory=dict)
    section: Section | None = None
    file: AgentFile | None = None
    of_prompts: list[Findings] = field(default_factory=list)

    @property
    def has_errors(self) -> bool:
        return any(each.has_errors for each in (self.findings, *self.of_prompts))


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
            _read(folder, amounts)
    read = {name: each.file.known() for name, each in folders.items() if each.file is not None}
    for folder in folders.values():
        if folder.section is not None and folder.file is not None:
            check_nested(folder.section, folder.file, {**known, **read})
    made = {
        name: WrittenAgent(file=each.file, prompts=_texts(each))
        for name, each in folders.items()
        if each.file is not None and not each.has_errors
    }
    return ReadAgents(
        agents=MappingProxyType(made),
        findings=(*misplaced, *(found for each in folders.values() for found in _found(each))),
    )


def check_agents(files: Mapping[str, bytes], environment: LintEnvironment) -> tuple[Located, ...]:
    """Return what is wrong with the agents of a bundle."""
    return read_agents(files, environment.agents()).findings if files else ()


def _folders(files: Mapping[str, bytes]) -> tuple[dict[str, _Folder], list[Located]]:
    folders: dict[str, _Folder] = {}
    misplaced: list[Located] = []
    for path, data in sorted(files.items()):
        parts = path.removeprefix(AGENTS_FOLDER).split("/", 2)
        inside = "/".join(parts[1:])
        prompt = inside.removeprefix(PROMPT_FOLDER)
        is_prompt = prompt != inside and _PROMPT.fullmatch(prompt) is not None
        if not is_id(parts[0]) or not (is_prompt or inside == AGENT_FILE):
            misplaced += _wrong(path, "misplaced_agent", agent_file=AGENT_FILE)
            continue
        beside = f"{AGENTS_FOLDER}{parts[0]}/{AGENT_FILE}"
        folder = folders.setdefault(parts[0], _Folder(parts[0], Findings(beside)))
        if is_prompt:
            folder.prompts[prompt] = data
        else:
            folder.data = data
    for number, folder in enumerate(folders.values(), start=1):
        if number == MOST_AGENTS + 1:
            folder.findings.report("too_many_agents", At(), most=MOST_AGENTS)
        if folder.data is None:
            folder.findings.report("agent_missing", At(), path=folder.findings.file)
    return dict(list(folders.items())[: MOST_AGENTS + 1]), misplaced


def _wrong(path: str, code: str, **facts: object) -> tuple[Located, ...]:
    findings = Findings(path)
    findings.report(code, At(), folder=AGENTS_FOLDER, **facts)
    return findings.sorted()


def _found(folder: _Folder) -> Iterator[Located]:
    for findings in (folder.findings, *folder.of_prompts):
        yield from findings.sorted()


def _read(folder: _Folder, amounts: Amounts) -> None:
    """Read an agent's file and its prompts; what is wrong is among its findings."""
    findings = folder.findings
    if folder.data is None:
        return
    document = read_yaml(folder.data, findings, begins="an agent begins with `agent_id:`")
    if document is None:
        return
    if not isinstance(document.root, MapNode):
        shown = kind_of(document.root)
        findings.report("wrong_root", document.root, shown=shown, wanted="a mapping with `phases:`")
        return
    reader = _reader(findings, amounts, document.text)
    folder.section = Section(document.root, shape_of(AgentFile), findings)
    folder.file = reader.part(AgentFile, folder.section)
    made = folder.file
    if made.agent_id and made.agent_id != folder.name:
        facts = {"wanted": folder.name, "key": _KEY, "name": quoted(made.agent_id)}
        folder.section.report("other_agent_id", _KEY, **facts)
    check_reads(made, reader)
    _check_prompts(folder, folder.section)
    for path, data in folder.prompts.items():
        _read_prompt(folder, made, path, data, amounts)


def _reader(findings: Findings, amounts: Amounts, text: str) -> Reader:
    context = ReadContext(
        findings=findings,
        environment=LintEnvironment(),
        board=DeclarationBoard(findings, ()),
        amounts=amounts,
        use_technique=lambda _skill, _spot, _context: None,
        text=text,
    )
    return Reader(context, AGENT_CHECKS)


def _check_prompts(folder: _Folder, section: Section) -> None:
    """Report prompts that are missing, and names of files that lie outside the folder."""
    beside = PurePosixPath(folder.findings.file).with_name(PROMPT_FOLDER.rstrip("/"))
    for inner, phase in section.inner.get("phases", ()):
        speaks = phase.handler or phase.unit
        if not speaks or not phase.phase_id or not phase.asks_model:
            continue
        if "prompt" not in inner.broken and phase.prompt_file not in folder.prompts:
            path = beside / phase.prompt_file
            inner.report("missing_prompt", "prompt" if phase.prompt else "phase_id", path=path)


def _read_prompt(
    folder: _Folder, made: AgentFile, path: str, data: bytes, amounts: Amounts
) -> None:
    """Check one prompt: that it is text, that a phase has it, and what it reads."""
    findings = Findings(f"{AGENTS_FOLDER}{folder.name}/{PROMPT_FOLDER}{path}")
    folder.of_prompts.append(findings)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        findings.report("not_utf8", At())
        return
    if "\0" in text:
        findings.report("bad_character", At(), code="U+0000")
    wanted = [phase.prompt_file for phase in made.phases if phase.asks_model]
    if path.rpartition("/")[2] not in wanted:
        example = wanted[0] if wanted else "PHASE_system_prompt.md"
        findings.report("unused_prompt", At(), example=example)
    reader = _reader(findings, amounts, text)
    whole = ScalarNode(line=1, column=1, value=text, text=text, start=0, end=len(text))
    reader.reads_text(whole)
    check_reads(made, reader)


def _texts(folder: _Folder) -> Mapping[str, str]:
    return MappingProxyType(
        {path: data.decode("utf-8-sig").strip() for path, data in folder.prompts.items()}
    )
