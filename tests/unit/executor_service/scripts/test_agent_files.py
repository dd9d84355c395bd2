"""Agents in YAML: what is wrong with one is told with file, line and column."""

from __future__ import annotations

import pytest

from executor_service.scripts.agents.agent_files import MOST_AGENTS, MOST_MATERIAL, read_agents
from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.loading.loader import load_script
from executor_service.scripts.model.agent_file import AgentKind, KnownAgent
from executor_service.scripts.model.findings import Located
from heartrule.domain.workflows import WorkflowInput
from tests.support.agent_files import CHAPTER, TALKER, WRITER, agent_bundle, read

# The agent that is changed, what stands there, what is written instead, the line, what is said.
MISTAKES = [
    ("writer", "agent_id: writer", "agent_id: other", 1, "the folder is writer, but"),
    ("writer", "agent_id: writer", "id: writer", 1, "write `agent_id`"),
    ("writer", "unit: starter", "unit: beginner", 6, "write one of starter, responsor"),
    ("writer", "unit: starter", "handler: reply", 6, "holds units; write `unit`"),
    ("writer", "unit: starter", "unit: responsor", 6, "begins with a starter"),
    ("writer", "    unit: starter\n", "", 5, "a phase needs `unit`"),
    ("writer", "    opening: 请逐章写\n", "", 12, "needs `opening`"),
    ("writer", "opening: 请逐章写", "opening: ' '", 14, "`opening` is empty"),
    ("writer", "next: done", "next: gone", 20, "names 'gone', which is no phase"),
    ("writer", "next: done", "next: outline", 20, "`outline` comes again and again"),
    ("writer", "next: chapters", "next: done", 12, "no way leads from `outline`"),
    ("writer", "    terminal: true\n", "", 21, "a phase needs `unit`"),
    ("writer", "terminal: true", "terminal: true\n    text: 好", 23, "not to a terminal phase"),
    ("writer", "phase_id: chapters", "phase_id: Chapters", 12, "lower case letters"),
    ("writer", "rule: until", "rule: judged", 8, "needs `question`"),
    ("writer", "phrase: 完, ", "", 8, "needs `phrase`"),
    ("writer", "text: 请写完, ", "", 8, "needs `text`"),
    ("writer", "most: 2", "most: 21", 8, "at most 20"),
    ("writer", "each: outline", "each: outlines", 16, "names 'outlines'"),
    ("writer", "agent: chapter", "agent: chapters", 15, "there is no agent 'chapters'; did you"),
    ("writer", "agent: chapter", "agent: talker", 15, "is of the kind main"),
    ("writer", "agent: chapter", "agent: writer", 15, "nested in its own: writer → writer"),
    ("writer", "{title:", "{titel:", 17, "takes no 'titel'; did you mean `title`?"),
    ("writer", '    input: {title: "{item}"}\n', "", 15, "needs the input `title`"),
    ("writer", "{get: draft}", "{get: item}", 19, "has a meaning of its own"),
    ("writer", "{get: draft}", "{get: outline, type: number}", 19, "is of the type number here"),
    ("writer", "{get: draft}", "{get: draft, type: choice}", 19, "needs `options`"),
    ("writer", "{name: subject}", "{name: subject, type: text}", 3, "`type` is 'text'"),
    ("writer", "agent_id: writer", "agent_id: writer\ntimeout: 0", 2, "at least 1"),
    ("writer", "agent_id: writer", "agent_id: writer\nmax_units: 51", 2, "at most 50"),
    ("writer", "agent: chapter", "agent: chapter\n    text: 好", 16, "not to one with an `agent`"),
    ("talker", "handler: reply", "unit: starter", 5, "holds handlers; write `handler`"),
    ("talker", "handler: reply", "handler: reply\n    unit: starter", 6, "keep one"),
    ("talker", "handler: reply", "handler: execute", 5, "a thread begins here"),
    ("talker", "next: write", "next: done", 13, "a prepare phase is followed by"),
    ("talker", "next: prepare", "next: write", 9, "follows a prepare phase"),
    ("talker", "most: 2", "text: 好", 6, "the client answers; leave `text` out"),
    ("talker", "    failure: 没有写成\n", "", 14, "needs `failure`"),
    ("talker", "handler: reply", "handler: reply\n    opening: 好", 6, "not to a reply"),
    ("talker", "handler: reply", "handler: reply\n    prompt: ../x.md", 6, "of the folder prompt/"),
    (
        "talker",
        "handler: reply",
        "handler: reply\n    prompt: x.md",
        6,
        "there is no prompt agents/ta",
    ),
]


def changed(agent: str, was: str, now: str) -> tuple[Located, ...]:
    """Return what is found where one text of a sound agent is another."""
    texts = {"writer": WRITER, "talker": TALKER, "chapter": CHAPTER}
    assert was in texts[agent]
    return read({agent: texts[agent].replace(was, now, 1)}).findings


def test_agents_without_a_mistake_are_read() -> None:
    """003-9.1: what they take, what they yield, and what tells the model about a phase."""
    found = read()
    assert found.findings == ()
    writer = found.agents["writer"]
    assert writer.file.known() == KnownAgent(
        kind=AgentKind.SUB_THREAD,
        input_schema={"subject": WorkflowInput(type="string")},
        nested=frozenset({"chapter"}),
    )
    assert [each.get for each in writer.file.outputs()] == ["outline", "draft"]
    assert writer.prompt(writer.file.phases[0]) == "你列提纲。"


@pytest.mark.parametrize(("agent", "was", "now", "line", "said"), MISTAKES)
def test_a_mistake_is_told_at_its_line(
    agent: str, was: str, now: str, line: int, said: str
) -> None:
    """003-9.2: in the agent's own file, a phase that is not in snake_case among them."""
    found = changed(agent, was, now)
    told = [(each.file, each.line) for each in found if said in each.message]
    assert told == [(f"agents/{agent}/agent.yaml", line)], [str(each) for each in found]


def test_a_mistake_is_an_error() -> None:
    """All of those above refuse the agent, and a placeholder that stays empty only warns."""
    for agent, was, now, _, _ in MISTAKES:
        assert any(each.is_error for each in changed(agent, was, now))
    (found,) = changed("writer", "{subject}", "{subjekt}")
    assert (found.is_error, found.line, found.column) == (False, 7, 21)


def test_forty_mistakes_of_a_file_are_all_told() -> None:
    """From top to bottom, each at its line."""
    phases = "".join(
        f"  - phase_id: p{number}\n    unit: requester\n    opening: 好\n    text: 好\n"
        f"    next: p{number + 1}\n    nonsense: {number}\n"
        for number in range(40)
    )
    text = f"agent_id: long\nphases:\n{phases}  - {{phase_id: p40, terminal: true}}\n"
    found = read_agents({"agents/long/agent.yaml": text.encode()}).findings
    assert [each.line for each in found] == [8 + 6 * number for number in range(40)]
    assert {each.column for each in found} == {5}


def test_agents_that_have_each_other_work_are_a_cycle() -> None:
    """It is told of where each names the other."""
    back = CHAPTER.replace("    output:", "    agent: writer\n    input: {subject: a}\n    output:")
    found = read({"chapter": back}).findings
    told = [each.message for each in found if each.rule.value == "agent-nesting"]
    assert len(told) == 2
    assert any("writer → chapter → writer" in each for each in told)


def test_threads_nested_too_deep_are_told_of() -> None:
    """Eight threads may be nested."""
    chain = {
        f"a{number}": CHAPTER.replace("agent_id: chapter", f"agent_id: a{number}").replace(
            "    output:", f"    agent: a{number + 1}\n    input: {{title: a}}\n    output:"
        )
        for number in range(9)
    }
    chain["a9"] = CHAPTER.replace("agent_id: chapter", "agent_id: a9")
    files = agent_bundle(chain, a9={"prompt/write_system_prompt.md": "x"})
    found = read_agents(files).findings
    deep = [each.file for each in found if "deeper than 8" in each.message]
    assert deep == ["agents/a0/agent.yaml", "agents/a1/agent.yaml"]


def test_agents_that_all_name_each_other_are_told_of_as_circles() -> None:
    """Forty-nine phases of fifty agents: what is found is bounded, and so is the time it takes."""
    names = [f"a{number}" for number in range(MOST_AGENTS)]
    files = {}
    for name in names:
        others = [each for each in names if each != name]
        phases = "".join(
            f"  - {{phase_id: p{at}, unit: requester, opening: x, agent: {each}, "
            f"next: p{at + 1}}}\n"
            for at, each in enumerate(others)
        )
        end = f"  - {{phase_id: p{len(others)}, terminal: true}}\n"
        files[f"agents/{name}/agent.yaml"] = f"agent_id: {name}\nphases:\n{phases}{end}".encode()
    found = read_agents(files).findings
    assert len(found) == MOST_AGENTS * (MOST_AGENTS - 1)
    assert all("nested in its own" in each.message for each in found)


def test_an_agent_of_the_installation_may_be_named() -> None:
    """It is checked as those of the bundle are."""
    known = {"helper": KnownAgent(input_schema={"q": WorkflowInput(type="string")})}
    text = WRITER.replace("agent: chapter", "agent: helper")
    said = [each.message for each in read({"writer": text}, known).findings]
    assert any("the agent `helper` takes no 'title'" in each for each in said)


def test_what_is_no_file_of_an_agent_is_misplaced() -> None:
    """Wherever it lies below `agents`."""
    files = {
        f"agents/{path}": b"x"
        for path in ("a.yaml", "a b/agent.yaml", "w/agent.yml", "w/prompt/a/b/c.md", "w/x.md")
    }
    found = read_agents({**agent_bundle(), **files}).findings
    assert sorted(each.file for each in found if "an agent is a file" in each.message) == sorted(
        files
    )


def test_a_prompt_is_checked_too() -> None:
    """What it reads, whether a phase has it, and that it is text."""
    files = agent_bundle(
        writer={"prompt/outline.md": "x", "prompt/s/outline_system_prompt.md": "x"}
    )
    files["agents/writer/prompt/outline_system_prompt.md"] = "你好\n{who}".encode()
    files["agents/talker/prompt/clarify_system_prompt.md"] = b"\xff"
    found = {each.file: each for each in read_agents(files).findings}
    assert "no phase has this prompt" in found["agents/writer/prompt/outline.md"].message
    read_it = found["agents/writer/prompt/outline_system_prompt.md"]
    assert (read_it.line, read_it.column, read_it.is_error) == (2, 1, False)
    assert found["agents/talker/prompt/clarify_system_prompt.md"].message.startswith("not UTF-8")


def test_the_prompt_of_a_scheme_goes_before_the_agents_own() -> None:
    """Sessions of other schemes have the agent's own."""
    found = read(writer={"prompt/warm/outline_system_prompt.md": "你慢慢列。"})
    agent = found.agents["writer"]
    phase = agent.file.phases[0]
    assert [agent.prompt(phase, scheme) for scheme in ("warm", "cold", "")] == [
        *("你慢慢列。", "你列提纲。", "你列提纲。")
    ]


def test_a_bundle_adds_sources_to_an_agent_of_the_installation() -> None:
    """Sources alone: a prompt without its agent is a mistake."""
    known = {"researcher": KnownAgent()}
    sources = {"agents/researcher/sources/a.md": b"one"}
    found = read_agents(sources, known)
    assert (found.findings, found.added) == ((), {"researcher": {"a": "one"}})
    for files in (
        {"agents/x/sources/a.md": b"x"},
        {**sources, "agents/researcher/prompt/a.md": b""},
    ):
        assert any("is not there" in each.message for each in read_agents(files, known).findings)


def test_sources_and_agents_are_bounded() -> None:
    """Both are told of once."""
    files = agent_bundle(writer={"sources/a.md": "x" * MOST_MATERIAL, "sources/b.txt": "y"})
    files |= {f"agents/z{number}/agent.yaml": b"{}" for number in range(MOST_AGENTS)}
    said = [each.message for each in read_agents(files).findings]
    assert sum("the sources of an agent" in each for each in said) == 1
    assert sum(f"more than {MOST_AGENTS} agents" in each for each in said) == 1


def test_a_script_with_a_broken_agent_is_refused() -> None:
    """The mistake is told with those of the script."""
    script = "session: {session_id: s, phases: [{phase_id: p, topics: [{topic_id: t, actions: [\n"
    script += "{action_type: say, action_id: a, content: 好}]}]}]}"
    files = {"s.yaml": script.encode(), **agent_bundle({"chapter": "agent_id: chapter"})}
    result = load_script(files, environment=LintEnvironment())
    assert result.script is None
    assert "needs `phases`" in str(result.errors[0])
    assert load_script({"s.yaml": script.encode()}, environment=LintEnvironment()).script


INSTALLED = {
    "talking": KnownAgent(kind=AgentKind.MAIN),
    "researcher": KnownAgent(),
}


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("agent: talking", ""),
        ("agent: own", ""),
        ("agent: talkin", "there is no agent 'talkin'; did you mean `talking`?"),
        ("agent: researcher", "'researcher' is of the kind sub_thread; `agent` names"),
        ("subagent_types: [researcher, own]", ""),
        ("subagent_types: [talking]", "'talking' is of the kind main; `subagent_types` names"),
        ("subagent_types: [nobody]", "there is no agent 'nobody'"),
    ],
)
def test_a_script_names_agents_that_are_there(config: str, said: str) -> None:
    """In its bundle or in the installation, and of the kind that the key wants."""
    spawns = config.startswith("subagent_types")
    decides = "allowed_decisions: [respond, spawn_subagent], " if spawns else ""
    action = f"{{action_type: ai_agent, action_id: a, goal: 好, {decides}{config}}}"
    script = "session: {session_id: s, phases: [{phase_id: p, topics: [{topic_id: t, actions: [\n"
    files = {"s.yaml": f"{script}{action}]}}]}}]}}".encode(), "agents/own/agent.yaml": b"x"}
    found = load_script(files, environment=LintEnvironment(agents=lambda: INSTALLED)).findings
    told = [each.message for each in found if each.file == "s.yaml" and each.is_error]
    assert (said in told[0]) if said else told == []
