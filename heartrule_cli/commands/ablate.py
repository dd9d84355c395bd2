"""`heartrule ablate FILE --with CONVERSATION…`: what monitor, strategy and orchestration change."""

from __future__ import annotations

import asyncio
import os
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from pathlib import Path

from executor_service.installation import read_installation
from executor_service.scripts.model.findings import Located
from heartrule.chassis.settings import read
from heartrule.model.ports import ChatModel
from heartrule.model.settings import ModelSettings
from heartrule.words.language import ReaderLanguage, language_in
from heartrule.words.words import Said, say, told
from heartrule_cli.ablation.arm_runner import ArmRunner, PlannedRun, RunCounter, play_all, steps_of
from heartrule_cli.ablation.report import as_json, report_lines
from heartrule_cli.ablation.study import AblationPlan, Design, Run, Study
from heartrule_cli.failure import FAILED, WRONG, Failure
from heartrule_cli.rehearsal.files import (
    find_file,
    load_conversation,
    load_tested_script,
    print_problems,
)
from heartrule_cli.rehearsal.written_conversation import WrittenConversation
from heartrule_cli.scripts import system_folder
from heartrule_cli.services.model_choice import ModelChoice, choose_model
from heartrule_cli.style import style_for


def ablate(args: Namespace, environ: Mapping[str, str]) -> int:
    """Play and report; return 0, 1 where runs were lost, 2 where a file is wrong."""
    choice, language = choose_model(environ), language_in(environ)
    installation = read_installation(system_folder(environ))
    script = find_file(args.file, environ)
    problems: list[Located] = []
    tested = load_tested_script(script, installation, problems)
    names = dict.fromkeys(_short(find_file(name, environ)) for name in args.conversations)
    read_ones = [load_conversation(name, problems) for name in names]
    if tested is None or problems:
        return _refuse(problems, args.format, language)
    conversations = [each for each in read_ones if each is not None]
    plan = AblationPlan(
        script=str(_short(script)),
        conversations=[each.file for each in conversations],
        design=Design(args.design),
        repeats=args.repeat,
        model=choice.line,
        rehearsed=choice.rehearsal,
    )
    _announce(plan, conversations, language)
    model = _model(choice, environ)
    runner = ArmRunner(script=tested, installation=installation, model=model)
    steps = list(steps_of(plan, conversations))
    style = style_for(sys.stderr, environ)
    counter = RunCounter(sys.stderr, style, total=len(steps), language=language)
    runs: list[Run] = []
    try:
        asyncio.run(_play(runner, steps, runs, at_once=args.at_once, counter=counter))
    except KeyboardInterrupt:
        if not runs:
            raise
    runs.sort(key=lambda run: (run.repeat, run.conversation, run.arm.name))
    study = Study(plan=plan, runs=runs)
    _report(study, args.format, environ)
    return FAILED if study.lost or study.missing else 0


async def _play(
    runner: ArmRunner,
    steps: Sequence[PlannedRun],
    runs: list[Run],
    *,
    at_once: int,
    counter: RunCounter,
) -> None:
    """Play all, and append each run as it ends.

    Raises:
        Failure: A model does not answer.
    """
    try:
        if runner.model is not None:
            _check(await runner.try_out(steps[0].conversation))
        played = play_all(runner, steps, at_once=at_once, on_run_started=counter.began)
        async with aclosing(played):
            async for run in played:
                runs.append(run)  # noqa: PERF401  what came before a Ctrl-C counts
    finally:
        counter.over()
        if runner.model is not None:
            await runner.model.aclose()


def _check(tried: Run) -> None:
    """Raise Failure where a model does not answer: a factor would only seem to change nothing."""
    silent: list[Said] = [f"{purpose} ({reason})" for purpose, reason in tried.silent.items()]
    if tried.lost and not silent:
        silent = [tried.lost]
    if silent:
        raise Failure(
            say("cli.ablate.no_model", purposes=tuple(silent)),
            hint=say("cli.ablate.no_model_hint"),
        )


def _model(choice: ModelChoice, environ: Mapping[str, str]) -> ChatModel | None:
    """Return the real model; None for the rehearsal model."""
    if choice.rehearsal:
        return None
    from heartrule.model.build import build_chat_model

    return build_chat_model(read(ModelSettings, environ), environ=environ)


def _announce(
    plan: AblationPlan, conversations: Sequence[WrittenConversation], language: ReaderLanguage
) -> None:
    """Print to stderr what is about to be played, and which parts of the files are left out."""
    begins = say(
        "cli.ablate.begins",
        size=plan.size,
        arms=say("cli.ablate.arms", count=len(plan.arms)),
        talks=say("cli.count.conversation", count=len(plan.conversations)),
        repeats=plan.repeats,
    )
    lines: list[Said] = [begins, plan.model]
    written = tuple(
        each.file
        for each in conversations
        if (each.model, each.monitor, each.monitor_model) != (None, None, None) or each.expects
    )
    if written:
        lines.append(say("cli.ablate.only_client", files=written))
    for line in lines:
        print(told(line, language), file=sys.stderr)


def _refuse(problems: list[Located], form: str, language: ReaderLanguage) -> int:
    if form == "json":
        print(as_json(None, problems))
    else:
        print_problems(problems, language)
    return WRONG


def _short(path: Path) -> Path:
    """Return the path as it is, or from here where that is shorter."""
    near = os.path.relpath(path)
    return Path(near) if len(near) < len(str(path)) else path


def _report(study: Study, form: str, environ: Mapping[str, str]) -> None:
    language = language_in(environ)
    if form == "json":
        print(as_json(study))
    else:
        for line in report_lines(study, style_for(sys.stdout, environ), language):
            print(line)
    if study.lost:
        print(say("cli.ablate.lost", count=len(study.lost)).told(language), file=sys.stderr)
