"""`heartrule workflow run FILE`: runs a workflow here, without a server, and tells what it gave."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import Mapping

from executor_service.decisions.policy import DecisionPolicy
from heartrule.domain.decisions import Verdict
from heartrule.domain.keys import DEFAULT_TENANT
from heartrule.domain.runs import RunState
from heartrule.words.language import language_in
from heartrule.words.words import Said, say
from heartrule_cli.failure import FAILED, WRONG, Failure
from heartrule_cli.runs.artifact_files import file_names, write_file
from heartrule_cli.runs.local_run import LocalRun
from heartrule_cli.runs.policy_lines import policy_hint
from heartrule_cli.runs.prepared_run import PreparedRun, prepared_run
from heartrule_cli.runs.progress_screen import ProgressScreen
from heartrule_cli.runs.run_narrator import RunNarrator
from heartrule_cli.runs.run_report import RunReport, report_json, report_text
from heartrule_cli.stopping import first_done, stopping_on_signals
from heartrule_cli.style import style_for
from heartrule_cli.text import one_line


def run_workflow(args: Namespace, environ: Mapping[str, str]) -> int:
    """Run it; return 0 where it completed, 1 where it did not, 2 where a file or input is wrong.

    A JSON document stands alone on standard output; the progress is on standard error then.
    """
    prepared = prepared_run(args.file, args.inputs, args.policy, environ)
    is_json = args.format == "json"
    stream = sys.stderr if is_json else sys.stdout
    style, language = style_for(stream, environ), language_in(environ)
    screen = ProgressScreen(RunNarrator(prepared.workflow, language), stream, style)
    report = asyncio.run(_run(prepared, screen, args.artifacts))
    if is_json:
        print(report_json(report))
    else:
        print(*report_text(report, style, language), sep="\n")
    return 0 if report.details.run.state is RunState.COMPLETED else FAILED


async def _run(prepared: PreparedRun, screen: ProgressScreen, folder: str | None) -> RunReport:
    """Run it to its end; a signal cancels it."""
    run = LocalRun(prepared.workflow, prepared.ground, screen.show)
    try:
        with stopping_on_signals() as stop:
            _refuse(await run.begin(prepared.inputs), prepared)
            over = asyncio.ensure_future(run.wait())
            asked = asyncio.ensure_future(stop.asked.wait())
            if over not in await first_done(over, asked):
                await run.cancel()
            screen.erase()
            return await _reported(run, folder)
    finally:
        await run.aclose()
        await prepared.ground.model.aclose()


async def _reported(run: LocalRun, folder: str | None) -> RunReport:
    """Return what came of the run; its files are in the folder, where there is one."""
    details, written = await run.details(), dict[tuple[str, str], str]()
    if folder is not None:
        names = file_names(details.artifacts)
        for listed in details.artifacts:
            place = (listed.path, listed.name)
            content = (await run.artifact(listed)).content
            written[place] = await asyncio.to_thread(write_file, folder, names[place], content)
    return RunReport(details=details, progress=await run.progress(), written=written)


def _refuse(verdict: Verdict, prepared: PreparedRun) -> None:
    """Raise Failure where the gate does not take the run as it was asked for."""
    if verdict.is_valid and not verdict.corrections:
        return
    lines: list[Said] = [one_line(each.message) for each in verdict.errors]
    lines += [
        say("cli.workflow.no_input", name=one_line(each.path)) for each in verdict.corrections
    ]
    policy: DecisionPolicy = prepared.ground.policies.of(DEFAULT_TENANT)
    hint = (*lines, *policy_hint(prepared.workflow, policy))
    raise Failure(say("cli.workflow.refused"), hint=hint, code=WRONG)
