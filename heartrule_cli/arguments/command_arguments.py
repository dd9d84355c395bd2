"""The arguments of commands that have many: those about scripts, prompts and safety."""

from __future__ import annotations

from argparse import ArgumentParser, _SubParsersAction

from heartrule_cli.arguments.invocation import DEFAULT_ADDRESS


def add_scripts(commands: _SubParsersAction[ArgumentParser]) -> None:
    """Add the commands that read scripts, and need no server."""
    check = commands.add_parser("check", help="help.check")
    check.add_argument("files", nargs="+", metavar="FILE", help="help.check.file")
    check.add_argument(
        "--format",
        choices=("text", "json", "github"),
        default="text",
        help="help.format_of_check",
    )
    check.add_argument("--strict", action="store_true", help="help.check.strict")
    check.add_argument("--fix", action="store_true", help="help.check.fix")

    schema = commands.add_parser("schema", help="help.schema")
    schema.add_argument(
        "--of",
        choices=("script", "technique", "global", "agent", "decision", "workflow"),
        default="script",
        help="help.schema.of",
    )

    decision = commands.add_parser("decision", help="help.decision")
    of_decision = decision.add_subparsers(dest="of_decision", metavar="WHAT", required=True)
    judged = of_decision.add_parser("check", help="help.decision.check")
    judged.add_argument("files", nargs="+", metavar="FILE", help="help.decision.file")
    judged.add_argument("--ground", metavar="FILE", help="help.decision.ground")
    judged.add_argument("--format", choices=("text", "json"), default="text", help="help.format")

    _add_workflows(commands)
    _add_agents(commands)

    migrate = commands.add_parser("migrate", help="help.migrate")
    migrate.add_argument("file", metavar="FILE", help="help.migrate.file")
    migrate.add_argument("--to", metavar="FOLDER", default=".", help="help.migrate.to")


def _add_workflows(commands: _SubParsersAction[ArgumentParser]) -> None:
    workflow = commands.add_parser("workflow", help="help.workflow")
    of_workflow = workflow.add_subparsers(metavar="WHAT", required=True)
    check = of_workflow.add_parser("check", help="help.workflow.check")
    check.set_defaults(command="workflow check")
    check.add_argument("files", nargs="+", metavar="FILE", help="help.workflow.file")
    check.add_argument(
        "--policy",
        metavar="FILE",
        help="help.workflow.allowed",
    )
    check.add_argument(
        "--format",
        choices=("text", "json", "github"),
        default="text",
        help="help.format_of_check",
    )
    _add_run(of_workflow)
    _add_kept_run(of_workflow)


def _add_agents(commands: _SubParsersAction[ArgumentParser]) -> None:
    agent = commands.add_parser("agent", help="help.agent")
    of_agent = agent.add_subparsers(metavar="WHAT", required=True)
    check = of_agent.add_parser("check", help="help.agent.check")
    check.set_defaults(command="agent check")
    check.add_argument("folders", nargs="+", metavar="DIR", help="help.agent.folders")
    check.add_argument(
        "--format",
        choices=("text", "json", "github"),
        default="text",
        help="help.format_of_check",
    )
    run = of_agent.add_parser("run", help="help.agent.run")
    run.set_defaults(command="agent run")
    run.add_argument("folder", metavar="DIR", help="help.agent.folder")
    run.add_argument(
        "--message",
        dest="messages",
        action="append",
        default=[],
        metavar="TEXT",
        help="help.agent.message",
    )
    run.add_argument(
        "--input",
        dest="inputs",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="help.agent.input",
    )
    run.add_argument("--agent", metavar="NAME", help="help.agent.name")


def _add_run(of_workflow: _SubParsersAction[ArgumentParser]) -> None:
    run = of_workflow.add_parser("run", help="help.workflow.run")
    run.set_defaults(command="workflow run")
    run.add_argument("file", metavar="FILE", help="help.workflow.file")
    run.add_argument(
        "--input",
        dest="inputs",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="help.workflow.input",
    )
    run.add_argument(
        "--policy",
        metavar="FILE",
        help="help.workflow.open",
    )
    run.add_argument("--artifacts", metavar="DIR", help="help.workflow.artifacts")
    run.add_argument("--format", choices=("text", "json"), default="text", help="help.format")


def _add_kept_run(of_workflow: _SubParsersAction[ArgumentParser]) -> None:
    show = of_workflow.add_parser("show", help="help.workflow.show")
    show.set_defaults(command="workflow show")
    show.add_argument("session", metavar="SESSION", help="help.session")
    show.add_argument("run", metavar="RUN", help="help.workflow.run_id")
    what = show.add_mutually_exclusive_group()
    what.add_argument("--artifact", metavar="NODE/NAME", help="help.workflow.artifact")
    what.add_argument("--value", metavar="SHA256", help="help.workflow.value")
    show.add_argument("--out", metavar="FILE", help="help.workflow.out")
    show.add_argument("--reveal", action="store_true", help="help.workflow.reveal")
    show.add_argument("--format", choices=("text", "json"), default="text", help="help.format")
    show.add_argument("--address", help="help.own_address")


def add_safety(commands: _SubParsersAction[ArgumentParser]) -> None:
    """Add `safety` with its own commands."""
    safety = commands.add_parser("safety", help="help.safety")
    of_safety = safety.add_subparsers(dest="of_safety", metavar="WHAT", required=True)
    report = of_safety.add_parser("report", help="help.safety.report")
    report.add_argument("--since", metavar="MONTH", help="help.safety.since")
    report.add_argument("--address", default=DEFAULT_ADDRESS, help="help.address")
    report.add_argument(
        "--format",
        choices=("table", "json"),
        default="table",
        help="help.format_of_report",
    )


def add_prompts(commands: _SubParsersAction[ArgumentParser]) -> None:
    """Add `prompts` with its own commands."""
    prompts = commands.add_parser(
        "prompts",
        help="help.prompts",
        description="help.prompts.about",
        epilog="help.prompts.examples",
    )
    of_prompts = prompts.add_subparsers(dest="of_prompts", metavar="WHAT", required=True)
    _add_states(of_prompts.add_parser("show", help="help.prompts.show"))
    diff = of_prompts.add_parser("diff", help="help.prompts.diff")
    _add_states(diff)
    diff.add_argument(
        "--against",
        default="",
        metavar="DIR|REV",
        help="help.prompts.against",
    )


def _add_states(command: ArgumentParser) -> None:
    command.add_argument("file", nargs="?", metavar="FILE", help="help.prompts.file")
    command.add_argument(
        "--with",
        dest="conversations",
        nargs="+",
        default=[],
        metavar="CONVERSATION",
        help="help.prompts.with",
    )
    command.add_argument("--template", default="", metavar="NAME", help="help.prompts.template")
    command.add_argument("--scheme", default="", metavar="NAME", help="help.prompts.scheme")
