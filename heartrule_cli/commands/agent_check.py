"""`heartrule agent check DIR…`: every mistake of agents, as of scripts."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path

from executor_service.scripts.model.findings import Located
from executor_service.threads.ports import ThreadPrompt
from heartrule.domain.errors import HeartRuleError
from heartrule.words.language import language_in
from heartrule_cli.agents.agent_folders import AgentsFound, agents_in
from heartrule_cli.commands.check import CheckReport, print_report
from heartrule_cli.scripts import file_problem


def check_agents(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print all findings of all folders; return 2 where one is an error, else 0."""
    found = [each for name in args.folders for each in _findings(name, environ)]
    checked = CheckReport(
        files=tuple(args.folders),
        findings=tuple(dict.fromkeys(found)),
        noun="agent",
        language=language_in(environ, args.lang),
    )
    return print_report(checked, args.format)


def _findings(name: str, environ: Mapping[str, str]) -> Iterator[Located]:
    found = agents_in(name, environ)
    yield from found.findings
    if not any(each.is_error for each in found.findings):
        yield from asyncio.run(_built(found, name))


async def _built(found: AgentsFound, name: str) -> list[Located]:
    """Return why an agent of a folder cannot be built: its holding rules are looked at then."""
    problems = []
    for each in found.names:
        try:
            await found.registry.make(each, _Unasked())
        except HeartRuleError as error:
            problems.append(file_problem(Path(name), str(error)))
    return problems


class _Unasked:
    """The model of agents that are built and not run."""

    async def answer(self, prompt: ThreadPrompt) -> str:
        """Answer nothing: building an agent asks nothing."""
        raise NotImplementedError

    def stream(self, prompt: ThreadPrompt) -> AsyncIterator[str]:
        """Likewise."""
        raise NotImplementedError
