"""The article's agents in YAML and in Python: equal behaviour, and the names of section 9.2."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from executor_service.installed_agents import installed_agents
from executor_service.threads.agent_registry import AgentRegistry
from executor_service.threads.ports import ThreadPrompt
from heartrule_cli.agents.agent_folders import agents_in
from tests.support.agents_at_work import AnsweringModel, spoken, talk, told
from tests.support.source_tree import ROOT
from tests.support.thread_rows import ThreadRows

PACKAGE = ROOT / "examples" / "article-agents"
SYSTEM = ROOT / "_system"
UNITS = r"(?:Starter|Responsor|Requester)"


@pytest.fixture
def code() -> Iterator[AgentRegistry]:
    """The agents of the package, which is forgotten afterwards."""
    path = list(sys.path)
    yield agents_in(str(PACKAGE), {}).registry
    sys.path[:] = path
    for name in [each for each in sys.modules if each.split(".")[0] == "article_creation"]:
        del sys.modules[name]


def answers() -> AnsweringModel:
    """Return a model that asks back once, and sends the article back once."""
    judged: list[str] = []

    def answer(prompt: ThreadPrompt) -> str:
        system, last = prompt.system_message, prompt.messages[-1].content
        if "YES" in system:
            judged.append(last)
            return "YES" if judged.count(last) > 1 else "NO"
        if "列文章的提纲" in system:
            return "起因\n办法"
        if "写文章的一章" in system:
            return f"{last.removeprefix('请写这一章：')}一章。"
        if "定稿" in system:
            return f"定稿 {len(prompt.messages)}"
        return "给父母看的，讲睡眠，八百字。" if len(prompt.messages) > 2 else "写给谁看？"

    return AnsweringModel(answer)


async def played(registry: AgentRegistry) -> tuple[ThreadRows, AnsweringModel]:
    """Return what is stored of a talk in which an article is written."""
    model = answers()
    rows, _ = await talk(registry, "article_creation", model, ["写一篇", "给父母，讲睡眠", "开始"])
    return rows, model


async def test_both_forms_do_the_same(code: AgentRegistry) -> None:
    """The same messages, phases, threads and prompts, in the same order."""
    written, by_file = await played(installed_agents(SYSTEM))
    programmed, by_code = await played(code)
    assert spoken(written, "") == spoken(programmed, "")
    assert told(written) == told(programmed)
    assert by_file.prompts == by_code.prompts
    assert len(written.batches) == len(programmed.batches)


async def test_the_article_is_written_as_the_document_says() -> None:
    """Clarified, outlined, a nested thread for each chapter, checked, and said in its place."""
    rows, _ = await played(installed_agents(SYSTEM))
    assert spoken(rows, "")[-1][2] == "定稿 7"
    assert [(agent, end) for agent, end, _ in told(rows)] == [
        ("article_writing", "completed: 定稿 7"),
        ("chapter_writing", "completed: 起因一章。"),
        ("chapter_writing", "completed: 办法一章。"),
    ]
    assert [header.depth for header in rows.headers.values()] == [1, 2, 2]


def test_both_forms_are_registered_alike(code: AgentRegistry) -> None:
    """What they take and return, where they begin, how long they may work."""
    for name in ("article_creation", "article_writing", "chapter_writing"):
        written, own = installed_agents(SYSTEM).get(name), code.get(name)
        for attribute in ("kind", "first_phase", "timeout", "priority", "labels", "nested"):
            assert getattr(written, attribute) == getattr(own, attribute), (name, attribute)
        assert {each: one.type for each, one in written.input_schema.items()} == {
            each: one.type for each, one in own.input_schema.items()
        }
        assert dict(written.outputs) == dict(own.outputs) or name == "article_creation"


def test_the_prompts_of_both_forms_are_the_same() -> None:
    """003-9.1: word for word."""
    for path in sorted((PACKAGE / "article_creation" / "prompt").iterdir()):
        (shipped,) = (SYSTEM / "agents").glob(f"*/prompt/{path.name}")
        assert path.read_bytes() == shipped.read_bytes()


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_files_and_classes_are_named_as_section_9_says(path: Path) -> None:
    """003-9.1, 003-9.2: an agent, handlers and units each in a file, named for their business."""
    kinds = {"_agent": "Agent", "_state_handlers": "Handler", "_interaction_units": UNITS}
    classes = [
        each for each in ast.parse(path.read_text("utf-8")).body if isinstance(each, ast.ClassDef)
    ]
    suffix = next((kind for end, kind in kinds.items() if path.stem.endswith(end)), None)
    assert [each.name for each in classes if suffix is None] == []
    for each in classes:
        assert re.fullmatch(rf"(?:[A-Z][a-z]+)+{suffix}", each.name)
    if path.stem.endswith("_agent"):
        business = path.stem.removesuffix("_agent")
        assert path.parent.name == business
        assert [each.name for each in classes] == [
            "".join(map(str.capitalize, path.stem.split("_")))
        ]


def test_the_entry_points_of_the_package_are_its_agents(code: AgentRegistry) -> None:
    """Each by its own name, as an installation finds them."""
    assert {"article_creation", "article_writing", "chapter_writing"} <= set(code.agents)
    assert all(code.get(name).written is None for name in ("article_creation", "chapter_writing"))
