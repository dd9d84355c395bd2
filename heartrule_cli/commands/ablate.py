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
from heartrule_cli.ablation.arm_runner import ArmRunner, PlannedRun, RunCounter, play_all, steps_of
from heartrule_cli.ablation.report import as_json, report_lines
from heartrule_cli.ablation.study import AblationPlan, Design, Run, Study
from heartrule_cli.failure import FAILED, WRONG, Failure
from heartrule_cli.model_choice import ModelChoice, choose_model
from heartrule_cli.rehearsal.files import (
    find_file,
    load_conversation,
    load_tested_script,
    print_problems,
)
from heartrule_cli.rehearsal.written_conversation import WrittenConversation
from heartrule_cli.scripts import count_text, system_folder
from heartrule_cli.style import style_for


def ablate(args: Namespace, environ: Mapping[str, str]) -> int:
    """Play and report; return 0, 1 where runs were lost, 2 where a file is wrong."""
    choice = choose_model(environ)
    installation = read_installation(system_folder(environ))
    script = find_file(args.file, environ)
    problems: list[Located] = []
    tested = load_tested_script(script, installation, problems)
    names = dict.fromkeys(_short(find_file(name, environ)) for name in args.conversations)
    read_ones = [load_conversation(name, problems) for name in names]
    if tested is None or problems:
        return _refuse(problems, args.format)
    conversations = [each for each in read_ones if each is not None]
    plan = AblationPlan(
        script=str(_short(script)),
        conversations=[each.file for each in conversations],
        design=Design(args.design),
        repeats=args.repeat,
        model=str(choice.line),
        rehearsed=choice.rehearsal,
    )
    _announce(plan, conversations)
    model = _model(choice, environ)
    runner = ArmRunner(script=tested, installation=installation, model=model)
    steps = list(steps_of(plan, conversations))
    counter = RunCounter(sys.stderr, style_for(sys.stderr, environ), total=len(steps))
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
    silent = [f"{purpose} ({reason})" for purpose, reason in tried.silent.items()]
    if tried.lost and not silent:
        silent = [tried.lost]
    if silent:
        raise Failure(
            f"no model answers for: {', '.join(silent)}",
            hint="nothing was played; docs/reference/errors.md says what the reasons mean",
        )


def _model(choice: ModelChoice, environ: Mapping[str, str]) -> ChatModel | None:
    """Return the real model; None for the rehearsal model."""
    if choice.rehearsal:
        return None
    from heartrule.model.build import build_chat_model

    return build_chat_model(read(ModelSettings, environ), environ=environ)


def _announce(plan: AblationPlan, conversations: Sequence[WrittenConversation]) -> None:
    """Print to stderr what is about to be played, and which parts of the files are left out."""
    arms = count_text(len(plan.arms), "arm")
    talks = count_text(len(plan.conversations), "conversation")
    print(f"{plan.size} runs: {arms}, {talks}, {plan.repeats} each", file=sys.stderr)
    print(plan.model, file=sys.stderr)
    written = [
        each.file
        for each in conversations
        if (each.model, each.monitor, each.monitor_model) != (None, None, None) or each.expects
    ]
    if written:
        names = ", ".join(written)
        print(
            f"only what the client does is taken from {names}: written answers and what is "
            "expected are left aside",
            file=sys.stderr,
        )


def _refuse(problems: list[Located], form: str) -> int:
    if form == "json":
        print(as_json(None, problems))
    else:
        print_problems(problems)
    return WRONG


def _short(path: Path) -> Path:
    """Return the path as it is, or from here where that is shorter."""
    near = os.path.relpath(path)
    return Path(near) if len(near) < len(str(path)) else path


def _report(study: Study, form: str, environ: Mapping[str, str]) -> None:
    if form == "json":
        print(as_json(study))
    else:
        for line in report_lines(study, style_for(sys.stdout, environ)):
            print(line)
    if study.lost:
        print(f"{count_text(len(study.lost), 'run')} lost", file=sys.stderr)
