"""The agents of an installation: in `_system/agents`, and those that packages name."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from executor_service import installed_agents as module
from executor_service.installed_agents import installed_agents
from executor_service.lint_installation import lint_environment
from executor_service.threads.agent_registry import AgentRegistry, RegisteredAgent, registered
from executor_service.threads.thread_errors import InvalidAgent
from heartrule.domain.errors import InvalidScript, NotFound
from heartrule.model.template_store import TemplateStore
from tests.support.agent_files import SOUND, agent_bundle, sound_agent
from tests.support.agents_at_work import in_order
from tests.support.source_tree import ROOT

SYSTEM = ROOT / "_system"


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """A folder whose folder `agents` has the sound ones."""
    for path, data in agent_bundle().items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    return tmp_path


def named(monkeypatch: pytest.MonkeyPatch, found: object, name: str = "writer") -> None:
    """Let a package name something as its agent."""

    class Point(EntryPoint):
        def load(self) -> object:
            return found

    points = (Point(name, "package:AGENT", module.ENTRY_POINTS),)
    monkeypatch.setattr(module, "entry_points", lambda group: points)


def test_those_in_yaml_are_registered(system: Path) -> None:
    """With what they take and return, and where they begin."""
    found = installed_agents(system).get("writer")
    assert (found.first_phase, list(found.outputs)) == ("outline", ["outline", "draft"])
    assert set(installed_agents(system).agents) == set(SOUND)


def test_a_package_goes_before_one_in_yaml(system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the same name."""
    found = installed_agents(system).get("chapter")
    own = RegisteredAgent(name="writer", make=found.make, first_phase="x")
    named(monkeypatch, own)
    assert installed_agents(system).get("writer") is own


def test_what_a_package_names_has_to_be_that_agent(
    system: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Something else, and an agent of another name, are refused with the package's words."""
    other = RegisteredAgent(
        name="other", make=installed_agents(system).get("writer").make, first_phase="x"
    )
    for found, said in ((3, "a int"), (other, "the agent other")):
        named(monkeypatch, found)
        with pytest.raises(InvalidAgent, match=said):
            installed_agents(system)


def test_a_broken_file_is_told(system: Path) -> None:
    """An installation does not run without one of its agents unnoticed."""
    (system / "agents/writer/agent.yaml").write_text("agent_id: writer", "utf-8")
    with pytest.raises(InvalidScript, match="needs `phases`"):
        installed_agents(system)


def test_checking_a_script_knows_the_agents_of_the_installation() -> None:
    """Those that ship; where no folder is given, any name may be one."""
    templates = TemplateStore(SYSTEM / "config")
    assert "researcher" in (lint_environment(templates, system=SYSTEM).agents() or {})
    assert lint_environment(templates).agents() is None


def test_a_bundles_agents_go_before_the_installations(system: Path) -> None:
    """And sources are added to one that the bundle has no agent.yaml for."""
    base = installed_agents(system)
    added = base.with_bundle({"agents/writer/sources/style.md": b"plain"}).get("writer").written
    assert added is not None
    assert added.sources == {"style": "plain"}
    text = SOUND["chapter"].replace("agent_id: chapter", "agent_id: chapter\ntitle: own")
    own = {**agent_bundle({"chapter": text})}
    written = base.with_bundle(own).get("chapter").written
    assert written is not None
    assert written.file.title == "own"


async def test_an_agent_that_is_not_there_is_not_found() -> None:
    """Neither here, nor below another agent."""
    with pytest.raises(NotFound):
        await AgentRegistry().make("writer", in_order())
    alone = AgentRegistry((registered(sound_agent("writer")),))
    with pytest.raises(NotFound):
        await alone.make("writer", in_order())
