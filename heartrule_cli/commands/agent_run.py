"""`heartrule agent run DIR`: an agent at work here, told as it happens."""

from __future__ import annotations

import asyncio
import json
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Mapping, Sequence

from executor_service.decisions.rules.parameters import parameter_findings
from executor_service.scripts.model.agent_file import AgentKind
from executor_service.threads.agent_registry import RegisteredAgent
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.json_value import JsonValue
from heartrule.domain.thread_changes import ThreadWrite
from heartrule.domain.workflows import WorkflowInput
from heartrule.words.language import ReaderLanguage, language_in
from heartrule.words.words import say
from heartrule_cli.agents.agent_folders import AgentsFound, agents_in, chosen
from heartrule_cli.agents.local_agent import LocalTalk, LocalThreadModel, work
from heartrule_cli.agents.thread_narrator import ThreadNarrator
from heartrule_cli.failure import FAILED, WRONG, Failure
from heartrule_cli.runs.given_inputs import given_inputs
from heartrule_cli.runs.local_model import chosen_model
from heartrule_cli.text import clean, one_line

_STRING = "string"


def run_agent(args: Namespace, environ: Mapping[str, str]) -> int:
    """Have an agent work; return 0 where it came to its end, or all was said to it."""
    found = agents_in(args.folder, environ)
    agent = chosen(found, args.agent, args.folder, language_in(environ))
    inputs = _inputs(agent, args.inputs, args.messages)
    try:
        asyncio.run(_run(found, agent, inputs, args.messages, environ))
    except HeartRuleError as error:
        raise Failure(clean(f"{agent.name}: {error}"), code=FAILED) from None
    return 0


async def _run(
    found: AgentsFound,
    registered: RegisteredAgent,
    inputs: Mapping[str, JsonValue],
    messages: Sequence[str],
    environ: Mapping[str, str],
) -> None:
    language = language_in(environ)
    chat_model, narrator = chosen_model(environ), ThreadNarrator(language)
    model = LocalThreadModel(chat_model, registered.name)

    def show(changes: tuple[ThreadWrite, ...]) -> None:
        for line in narrator.lines(changes):
            print(line, flush=True)

    try:
        agent = await found.registry.make(registered.name, model)
        if registered.kind is AgentKind.MAIN:
            narrator.phases[""] = agent.initial_phase
            await _talk(LocalTalk(agent, show), messages, language)
            return
        text = "\n".join(messages)
        response = await work(agent, {"text": text, "input": dict(inputs)}, show)
        print(f"\n{clean(response.text)}")
        for name, value in response.values.items():
            print(f"{one_line(name)} = {one_line(json.dumps(value, ensure_ascii=False))}")
    finally:
        await chat_model.aclose()


async def _talk(talk: LocalTalk, messages: Sequence[str], language: ReaderLanguage) -> None:
    """Say messages, or what stands on standard input, until nothing is left to do."""
    print(say("cli.agent.phase", phase=one_line(talk.phase)).told(language), flush=True)
    async for text in _said(messages):
        if talk.is_over:
            break
        await talk.say(text)
    code = "cli.agent.complete" if talk.is_over else "cli.agent.waits"
    print(say(code, phase=one_line(talk.phase)).told(language))


async def _said(messages: Sequence[str]) -> AsyncIterator[str]:
    for text in messages:
        yield text
    while not messages and (line := await asyncio.to_thread(sys.stdin.readline)):
        if line.strip():
            yield line.strip()


def _inputs(
    agent: RegisteredAgent, written: Sequence[str], messages: Sequence[str]
) -> dict[str, JsonValue]:
    """Return what a sub-thread's agent is handed; the one text that it needs is the message.

    Raises:
        Failure: One is missing, has another type, or is not taken.
    """
    given = given_inputs(written, agent.input_schema)
    needed = [name for name, each in agent.input_schema.items() if _is_needed(each)]
    if messages and len(needed) == 1 and agent.input_schema[needed[0]].type == _STRING:
        given.setdefault(needed[0], "\n".join(messages))
    if agent.kind is AgentKind.MAIN and given:
        raise Failure(say("cli.agent.talks", agent=agent.name), code=WRONG)
    wrong = list(parameter_findings(given, agent.input_schema, "input", ""))
    if wrong and agent.kind is AgentKind.SUB_THREAD:
        lines = tuple(one_line(each.message) for each in wrong)
        raise Failure(say("cli.agent.not_given", agent=agent.name), hint=lines, code=WRONG)
    return given


def _is_needed(taken: WorkflowInput) -> bool:
    return taken.is_required and taken.default is None
