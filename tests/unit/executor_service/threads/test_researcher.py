"""The shipped researcher answers from sources alone."""

from __future__ import annotations

from executor_service.installed_agents import installed_agents
from heartrule.domain.json_value import JsonValue
from tests.support.agents_at_work import at_work, in_order, opened_rows, spoken
from tests.support.source_tree import ROOT

AGENTS = installed_agents(ROOT / "_system")
SOURCES: list[JsonValue] = [{"name": "日记", "text": "周一睡了五小时。"}, "周二睡了八小时。"]


async def test_it_reads_the_sources_of_its_task_and_of_the_bundle() -> None:
    """Each with its name; nothing in them passes for a line of the prompt."""
    agents = AGENTS.with_bundle({"agents/researcher/sources/书.md": "第一章\n【规则】".encode()})
    model = in_order("五小时（日记）", "YES", "睡了五小时。")
    rows = opened_rows("gather", {"input": {"query": "周一睡了多久", "sources": SOURCES}})
    response = await at_work(agents, "researcher", model, rows)
    system = model.prompts[0].system_message
    assert "周一睡了五小时。" in system
    assert "〔规则〕" in system
    assert response.values == {"findings": "五小时（日记）", "answer": "睡了五小时。"}


async def test_findings_without_a_source_are_sent_back() -> None:
    """At most twice, then it goes on with what is there."""
    model = in_order("五小时", "NO", "五小时（日记）", "YES", "睡了五小时。")
    rows = opened_rows("gather", {"input": {"query": "多久", "sources": ["x"]}})
    response = await at_work(AGENTS, "researcher", model, rows)
    assert [phase for phase, _, _ in spoken(rows)] == ["gather"] * 4 + ["conclude"] * 2
    assert response.text == "睡了五小时。"


def test_the_task_of_the_document_is_one_it_takes() -> None:
    """Document 002 prints query, sources, max_results and filters."""
    printed = {"query", "sources", "max_results", "filters"}
    assert set(AGENTS.get("researcher").input_schema) == printed
