"""`heartrule ablate FILE --with CONVERSATION…`: what the second mind's parts change."""

from __future__ import annotations

import asyncio
import os
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from executor_service.installation import read_installation
from heartrule.chassis.settings import read
from heartrule.model.ports import ChatModel
from heartrule.model.settings import ModelSettings
from heartrule_cli.ablation.arm_runner import ArmRunner, play_all, steps_of
from heartrule_cli.ablation.arms import Design
from heartrule_cli.ablation.report_json import as_json
from heartrule_cli.ablation.report_table import report_lines
from heartrule_cli.ablation.run_counter import RunCounter
from heartrule_cli.ablation.study import AblationPlan, Run, Study
from heartrule_cli.failure import FAILED, WRONG, Failure
from heartrule_cli.model_choice import ModelChoice, choose_model
from heartrule_cli.rehearsal.files import Problems, find_file, load_conversation, load_tested_script
from heartrule_cli.rehearsal.written_conversation import WrittenConversation
from heartrule_cli.scripts import count_text, system_folder
from heartrule_cli.style import style_for


@dataclass(frozen=True, slots=True, kw_only=True)
class _Study:
    """What is to be played, and by whom."""

    plan: AblationPlan
    runner: ArmRunner
    conversations: Sequence[WrittenConversation]
    at_once: int


def ablate(args: Namespace, environ: Mapping[str, str]) -> int:
    """Play and tell; return 0, 1 where runs were lost, 2 where a file is wrong."""
    choice = choose_model(environ)
    installation = read_installation(system_folder(environ))
    script, problems = find_file(args.file, environ), Problems()
    tested = load_tested_script(script, installation, problems)
    names = dict.fromkeys(_short(find_file(name, environ)) for name in args.conversations)
    read_ones = [load_conversation(name, problems) for name in names]
    if tested is None or problems.found:
        return _refuse(problems, args.format)
    conversations = [each for each in read_ones if each is not None]
    plan = AblationPlan(
        script=str(_short(script)),
        conversations=[each.file for each in conversations],
        design=Design(args.design),
        repeats=args.repeat,
        model=choice.line,
        rehearsed=choice.rehearsal,
    )
    _announce(plan, conversations)
    model = _model(choice, environ)
    runner = ArmRunner(script=tested, installation=installation, model=model)
    study = _Study(plan=plan, runner=runner, conversations=conversations, at_once=args.at_once)
    runs: list[Run] = []
    try:
        asyncio.run(_play(study, runs, environ))
    except KeyboardInterrupt:
        if not runs:
            raise
    played = Study(plan=plan, runs=sorted(runs, key=_place))
    _tell(played, args.format, environ)
    return FAILED if played.lost or played.missing else 0


async def _play(study: _Study, runs: list[Run], environ: Mapping[str, str]) -> None:
    """Play all, and keep each run as it ends.

    Raises:
        Failure: A model does not answer.
    """
    steps = list(steps_of(study.plan, study.conversations))
    progress = RunCounter(sys.stderr, style_for(sys.stderr, environ), total=len(steps))
    try:
        if study.runner.model is not None:
            _check(await study.runner.try_out(study.conversations[0]))
        played = play_all(study.runner, steps, at_once=study.at_once, told=progress.began)
        async with aclosing(played):
            async for run in played:
                runs.append(run)  # noqa: PERF401  what came before a Ctrl-C counts
    finally:
        progress.over()
        if study.runner.model is not None:
            await study.runner.model.aclose()


def _check(tried: Run) -> None:
    """Raise Failure where a model is silent: what needs it would only seem to be of no use."""
    silent = [f"{purpose} ({reason})" for purpose, reason in tried.silent.items()]
    if tried.lost and not silent:
        silent = [tried.lost]
    if silent:
        raise Failure(
            f"no model answers for: {', '.join(silent)}",
            hint="nothing was played; docs/reference/errors.md says what the reasons mean",
        )


def _place(run: Run) -> tuple[int, str, str]:
    return run.repeat, run.conversation, run.arm.name


def _model(choice: ModelChoice, environ: Mapping[str, str]) -> ChatModel | None:
    """Return the real model; None where the rehearsal model speaks."""
    if choice.rehearsal:
        return None
    from heartrule.model.build import build_chat_model

    return build_chat_model(read(ModelSettings, environ), environ=environ)


def _announce(plan: AblationPlan, conversations: Sequence[WrittenConversation]) -> None:
    """Say on stderr what is about to be played, and what is left aside of the files."""
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


def _refuse(problems: Problems, form: str) -> int:
    if form == "json":
        print(as_json(None, problems.found))
        return WRONG
    for line in problems.lines():
        print(line)
    print(count_text(len(problems.lines()), "error"), file=sys.stderr)
    return WRONG


def _short(path: Path) -> Path:
    """Return the path as it is, or from here where that is shorter."""
    near = os.path.relpath(path)
    return Path(near) if len(near) < len(str(path)) else path


def _tell(study: Study, form: str, environ: Mapping[str, str]) -> None:
    if form == "json":
        print(as_json(study))
    else:
        for line in report_lines(study, style_for(sys.stdout, environ)):
            print(line)
    if study.lost:
        print(f"{count_text(len(study.lost), 'run')} lost", file=sys.stderr)
