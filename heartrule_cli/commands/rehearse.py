"""`heartrule rehearse FILE --with CONVERSATION…`: plays written conversations without a model."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import Mapping

from executor_service.installation import Installation, read_installation
from executor_service.scripts.model.findings import Located
from heartrule.words.language import language_in
from heartrule.words.words import say
from heartrule_cli.failure import FAILED, WRONG, Failure
from heartrule_cli.rehearsal.difference_lines import difference_lines
from heartrule_cli.rehearsal.files import (
    find_file,
    load_conversation,
    load_tested_script,
    print_problems,
)
from heartrule_cli.rehearsal.harness import ScriptUnderTest
from heartrule_cli.rehearsal.outcome import Rehearsal
from heartrule_cli.rehearsal.play import rehearse
from heartrule_cli.rehearsal.rehearsal_json import report
from heartrule_cli.rehearsal.rehearsal_transcript import transcript
from heartrule_cli.rehearsal.written_conversation import WrittenConversation
from heartrule_cli.scripts import system_folder
from heartrule_cli.style import style_for


def rehearse_script(args: Namespace, environ: Mapping[str, str]) -> int:
    """Play the conversations; return 0, 1 where one is not as expected, 2 where a file is wrong."""
    installation = read_installation(system_folder(environ))
    path = find_file(args.file, environ)
    problems: list[Located] = []
    script = load_tested_script(path, installation, problems)
    conversations = [
        load_conversation(find_file(name, environ), problems) for name in args.conversations
    ]
    rehearsals: list[Rehearsal] = []
    if script is not None and not problems:
        wanted = [each for each in conversations if each is not None]
        rehearsals = asyncio.run(_play(script, wanted, installation))
    if args.format == "json":
        print(report(path, problems, rehearsals))
    else:
        _print(problems, rehearsals, environ, always=args.transcript)
    if problems:
        return WRONG
    return FAILED if any(each.differences for each in rehearsals) else 0


async def _play(
    script: ScriptUnderTest, conversations: list[WrittenConversation], installation: Installation
) -> list[Rehearsal]:
    rehearsals = []
    for each in conversations:
        try:
            rehearsals.append(await rehearse(script, each, installation))
        except TimeoutError:
            raise Failure(say("cli.rehearse.no_end", file=each.file)) from None
    return rehearsals


def _print(
    problems: list[Located],
    rehearsals: list[Rehearsal],
    environ: Mapping[str, str],
    *,
    always: bool,
) -> None:
    style, language = style_for(sys.stdout, environ), language_in(environ)
    for each in rehearsals:
        whole = always or not each.conversation.expects
        if whole:
            print(*transcript(each, style, language), sep="\n")
        for line in difference_lines(each, style, bare=whole, language=language):
            print(line)
    if problems:
        print_problems(problems, language)
        return
    differing = sum(1 for each in rehearsals if each.differences)
    if differing:
        differs = say("cli.rehearse.differing", differing=differing, count=len(rehearsals))
        print(differs.told(language), file=sys.stderr)
        return
    fine = say(
        "cli.rehearse.fine",
        conversations=say("cli.count.conversation", count=len(rehearsals)),
        turns=say("cli.count.turn", count=sum(len(each.played) for each in rehearsals)),
    )
    print(fine.told(language))
