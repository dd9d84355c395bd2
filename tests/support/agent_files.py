"""Agents in YAML for tests: one of each kind without a mistake, and bundles of them."""

from __future__ import annotations

from collections.abc import Mapping

from executor_service.scripts.agents.agent_files import ReadAgents, WrittenAgent, read_agents
from executor_service.scripts.model.agent_file import KnownAgent

WRITER = """\
agent_id: writer
input:
  - {name: subject}
phases:
  - phase_id: outline
    unit: starter
    opening: "请列出提纲：{subject}"
    feedback: {rule: until, phrase: 完, text: 请写完, most: 2}
    output:
      - {get: outline}
    next: chapters
  - phase_id: chapters
    unit: requester
    opening: 请逐章写
    agent: chapter
    each: outline
    input: {title: "{item}"}
    output:
      - {get: draft}
    next: done
  - phase_id: done
    terminal: true
"""
CHAPTER = """\
agent_id: chapter
input:
  - {name: title}
phases:
  - phase_id: write
    unit: requester
    opening: "请写：{title}"
    output:
      - {get: chapter_text}
    next: done
  - phase_id: done
    terminal: true
"""
TALKER = """\
agent_id: talker
kind: main
phases:
  - phase_id: clarify
    handler: reply
    feedback: {rule: judged, question: 清楚了吗？, most: 2}
    output:
      - {get: wanted}
    next: prepare
  - phase_id: prepare
    handler: prepare
    text: "正在写：{wanted}"
    next: write
  - phase_id: write
    handler: execute
    agent: writer
    input: {subject: "{wanted}"}
    failure: 没有写成
    next: done
  - phase_id: done
    terminal: true
"""
PROMPTS = {
    "writer": {"outline_system_prompt.md": "你列提纲。"},
    "chapter": {"write_system_prompt.md": "你写一章：{title}"},
    "talker": {"clarify_system_prompt.md": "你问清楚。"},
}
SOUND = {"writer": WRITER, "chapter": CHAPTER, "talker": TALKER}


def agent_bundle(
    agents: Mapping[str, str] | None = None, **beside: Mapping[str, str]
) -> dict[str, bytes]:
    """Return the files of agents, those without a mistake where none are given.

    Args:
        agents: The text of each agent.yaml, by its folder.
        beside: Further files of a folder, by their paths in it.
    """
    written = {**SOUND, **(agents or {})}
    files = {f"agents/{name}/agent.yaml": text for name, text in written.items()}
    for name, prompts in PROMPTS.items():
        files |= {f"agents/{name}/prompt/{path}": text for path, text in prompts.items()}
    for name, others in beside.items():
        files |= {f"agents/{name}/{path}": text for path, text in others.items()}
    return {path: text.encode() for path, text in files.items()}


def read(
    agents: Mapping[str, str] | None = None,
    known: Mapping[str, KnownAgent] | None = None,
    **beside: Mapping[str, str],
) -> ReadAgents:
    """Return what reading such files gives."""
    return read_agents(agent_bundle(agents, **beside), known or {})


def sound_agent(name: str) -> WrittenAgent:
    """Return one of the agents without a mistake."""
    return read().agents[name]
