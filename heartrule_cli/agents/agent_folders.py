"""Agents in folders on this machine: in YAML, or a Python package that names its own."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from executor_service.installed_agents import ENTRY_POINTS, agent_named, installed_agents
from executor_service.scripts.agents.agent_files import AGENT_FILE, read_agents
from executor_service.scripts.loading.bundle import AGENTS_FOLDER
from executor_service.scripts.loading.bundle_files import read_agent_folder
from executor_service.scripts.model.findings import Located
from executor_service.threads.agent_registry import AgentRegistry, RegisteredAgent
from heartrule.domain.errors import HeartRuleError
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import say
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.scripts import mistaken, system_folder
from heartrule_cli.text import clean

PACKAGE_FILE = "pyproject.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentsFound:
    """What lies in a folder, together with what the installation has."""

    registry: AgentRegistry
    names: tuple[str, ...] = ()
    """The agents of the folder itself; none where a mistake hides them."""
    findings: tuple[Located, ...] = ()
    """What is wrong with its files, and with those of agents that it uses beside it."""


def agents_in(name: str, environ: Mapping[str, str]) -> AgentsFound:
    """Return the agents of a folder, or the installed agent of that name.

    Raises:
        Failure: There is neither, or a package cannot be imported.
    """
    folder = Path(name)
    installed = _installed(environ)
    if (folder / AGENT_FILE).is_file():
        return _written(folder, installed)
    if (folder / PACKAGE_FILE).is_file():
        own = tuple(_of_package(folder))
        registry = AgentRegistry((*installed.agents.values(), *own))
        return AgentsFound(registry=registry, names=tuple(each.name for each in own))
    if name in installed.agents:
        return AgentsFound(registry=installed, names=(name,))
    hint = say("cli.agent.what", file=AGENT_FILE, package=PACKAGE_FILE)
    raise Failure(say("cli.agent.nowhere", place=clean(name)), hint=hint, code=WRONG)


def chosen(
    found: AgentsFound, name: str | None, place: str, language: ReaderLanguage
) -> RegisteredAgent:
    """Return the agent that is meant: the one of the folder, or the one of several that is named.

    Raises:
        Failure: Files have mistakes, there is no agent of that name, or none is named of several.
    """
    errors = [each for each in found.findings if each.is_error]
    if errors:
        raise mistaken(place, errors, language)
    names = found.names if name is None else tuple(each for each in found.names if each == name)
    if len(names) != 1:
        where, hint = clean(place), say("cli.agent.name_one", names=found.names)
        problem = say("cli.agent.several", place=where)
        if name:
            problem = say("cli.agent.not_named", place=where, name=clean(name))
        raise Failure(problem, hint=hint, code=WRONG)
    return found.registry.get(names[0])


def _installed(environ: Mapping[str, str]) -> AgentRegistry:
    try:
        return installed_agents(system_folder(environ))
    except HeartRuleError as error:
        raise Failure(clean(str(error)), code=WRONG) from None


def _written(folder: Path, installed: AgentRegistry) -> AgentsFound:
    """Return what an agent's folder has; others lie beside it where that is a folder `agents`."""
    root = folder.resolve()
    is_shared = root.parent.name == AGENTS_FOLDER.rstrip("/")
    folders = sorted(filter(Path.is_dir, root.parent.iterdir())) if is_shared else [root]
    try:
        files = {path: data for each in folders for path, data in read_agent_folder(each).items()}
    except HeartRuleError as error:
        raise Failure(clean(str(error)), code=WRONG) from None
    read = read_agents(files, installed.known())
    registry = installed.with_bundle(files)
    wanted = {f"{AGENTS_FOLDER}{each}/" for each in _used(root.name, registry)}
    findings = [each for each in read.findings if each.file.startswith(tuple(wanted))]
    names = (root.name,) if root.name in read.agents else ()
    return AgentsFound(
        registry=registry,
        names=names,
        findings=tuple(replace(each, file=_on_disk(each.file, folder)) for each in findings),
    )


def _on_disk(file: str, folder: Path) -> str:
    """Return the path that an author knows."""
    name, _, inside = file.removeprefix(AGENTS_FOLDER).partition("/")
    own = folder.resolve().name == name
    return str(folder / inside if own else folder / ".." / name / inside)


def _used(name: str, registry: AgentRegistry) -> set[str]:
    """Return an agent, those that it has work on nested threads, and theirs."""
    used, waiting = set[str](), [name]
    while waiting:
        each = waiting.pop()
        if each not in used:
            used.add(each)
            known = registry.agents.get(each)
            waiting += sorted(known.nested) if known else ()
    return used


def _of_package(folder: Path) -> Iterator[RegisteredAgent]:
    """Yield the agents that a package's pyproject.toml names; it need not be installed."""
    path = folder / PACKAGE_FILE
    try:
        project: dict[str, Any] = tomllib.loads(path.read_text("utf-8")).get("project", {})
    except (OSError, ValueError) as error:
        raise Failure(clean(f"{path}: {error}"), code=WRONG) from None
    named: dict[str, str] = project.get("entry-points", {}).get(ENTRY_POINTS, {})
    if not named:
        hint = say("cli.agent.entry_points", group=ENTRY_POINTS)
        none = say("cli.agent.none_named", path=clean(str(path)))
        raise Failure(none, hint=hint, code=WRONG)
    root = str(folder.resolve())
    if root not in sys.path:
        sys.path.insert(0, root)
    for name, place in named.items():
        yield _imported(name, place)


def _imported(name: str, place: str) -> RegisteredAgent:
    module, _, attribute = place.partition(":")
    try:
        found = getattr(import_module(module), attribute, None)
        return agent_named(found, name, place)
    except (HeartRuleError, ImportError, SyntaxError) as error:
        raise Failure(clean(f"{place}: {error}"), code=WRONG) from None
