"""The arguments of commands that have many: those about scripts, prompts and safety."""

from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter, _SubParsersAction

from heartrule_cli.invocation import DEFAULT_ADDRESS


def add_scripts(commands: _SubParsersAction[ArgumentParser]) -> None:
    """Add the commands that read scripts, and need no server."""
    check = commands.add_parser("check", help="name every mistake of scripts; needs no server")
    check.add_argument(
        "files", nargs="+", metavar="FILE", help="a script, a technique, or a folder of them"
    )
    check.add_argument(
        "--format",
        choices=("text", "json", "github"),
        default="text",
        help="for people (text), for tools (json), as annotations of a GitHub workflow (github)",
    )
    check.add_argument("--strict", action="store_true", help="a warning refuses like an error")
    check.add_argument(
        "--fix", action="store_true", help="first put right in the files what needs no author"
    )

    schema = commands.add_parser("schema", help="print a JSON Schema, for editors")
    schema.add_argument(
        "--of",
        choices=("script", "technique", "global", "agent", "decision", "workflow"),
        default="script",
        help="the kind of file (script), a decision's payload, or a workflow",
    )

    decision = commands.add_parser("decision", help="what an agent decides")
    of_decision = decision.add_subparsers(dest="of_decision", metavar="WHAT", required=True)
    judged = of_decision.add_parser(
        "check", help="say what the gate makes of decisions; needs no server"
    )
    judged.add_argument(
        "files", nargs="+", metavar="FILE", help="JSON: a payload, a decision, or a list of them"
    )
    judged.add_argument(
        "--ground", metavar="FILE", help="JSON: the workflows, sub-agents and names that are there"
    )
    judged.add_argument(
        "--format", choices=("text", "json"), default="text", help="for people (text), for tools"
    )

    _add_workflows(commands)
    _add_agents(commands)

    migrate = commands.add_parser(
        "migrate", help="write a script of the older dialect anew, and say what was left out"
    )
    migrate.add_argument("file", metavar="FILE", help="a file with `sessions:`")
    migrate.add_argument(
        "--to", metavar="FOLDER", default=".", help="where a file for each session is written (.)"
    )


def _add_workflows(commands: _SubParsersAction[ArgumentParser]) -> None:
    workflow = commands.add_parser("workflow", help="workflows in files, and runs of them")
    of_workflow = workflow.add_subparsers(dest="of_workflow", metavar="WHAT", required=True)
    check = of_workflow.add_parser(
        "check", help="name every mistake of workflows in files; needs no server"
    )
    check.add_argument("files", nargs="+", metavar="FILE", help="YAML or JSON: a workflow")
    check.add_argument(
        "--policy",
        metavar="FILE",
        help="what the gate allows (that of HEARTRULE_DECISION_POLICY, else no secrets,"
        " no connections, no limits)",
    )
    check.add_argument(
        "--format",
        choices=("text", "json", "github"),
        default="text",
        help="for people (text), for tools (json), as annotations of a GitHub workflow (github)",
    )
    _add_run(of_workflow)
    _add_kept_run(of_workflow)


def _add_agents(commands: _SubParsersAction[ArgumentParser]) -> None:
    agent = commands.add_parser("agent", help="agents that work in threads, and how they work")
    of_agent = agent.add_subparsers(dest="of_agent", metavar="WHAT", required=True)
    check = of_agent.add_parser("check", help="name every mistake of agents; needs no server")
    check.add_argument(
        "folders", nargs="+", metavar="DIR", help="a folder with agent.yaml, or a package's"
    )
    check.add_argument(
        "--format",
        choices=("text", "json", "github"),
        default="text",
        help="for people (text), for tools (json), as annotations of a GitHub workflow (github)",
    )
    run = of_agent.add_parser("run", help="have an agent work here; needs no server")
    run.add_argument(
        "folder", metavar="DIR", help="a folder with agent.yaml, a package's, or an installed name"
    )
    run.add_argument(
        "--message",
        dest="messages",
        action="append",
        default=[],
        metavar="TEXT",
        help="what is said to it, or asked of it; repeatable (lines of standard input)",
    )
    run.add_argument(
        "--input",
        dest="inputs",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="what a sub-thread's agent takes: a text where it is one, else JSON; repeatable",
    )
    run.add_argument("--agent", metavar="NAME", help="which one, of a package with several")


def _add_run(of_workflow: _SubParsersAction[ArgumentParser]) -> None:
    run = of_workflow.add_parser("run", help="run a workflow here; needs no server")
    run.add_argument("file", metavar="FILE", help="YAML or JSON: a workflow")
    run.add_argument(
        "--input",
        dest="inputs",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an input of the run: a text where it is declared as one, else JSON; repeatable",
    )
    run.add_argument(
        "--policy",
        metavar="FILE",
        help="hosts, databases, secrets and models that its nodes may use"
        " (that of HEARTRULE_DECISION_POLICY, else nothing is open)",
    )
    run.add_argument("--artifacts", metavar="DIR", help="keep the files that its nodes write here")
    run.add_argument(
        "--format", choices=("text", "json"), default="text", help="for people (text), for tools"
    )


def _add_kept_run(of_workflow: _SubParsersAction[ArgumentParser]) -> None:
    show = of_workflow.add_parser("show", help="print a run of a session, or fetch what it wrote")
    show.add_argument("session", metavar="SESSION")
    show.add_argument("run", metavar="RUN")
    what = show.add_mutually_exclusive_group()
    what.add_argument("--artifact", metavar="NODE/NAME", help="write this file of the run")
    what.add_argument("--value", metavar="SHA256", help="write this large input or output")
    show.add_argument("--out", metavar="FILE", help="where to write it (its name, in this folder)")
    show.add_argument(
        "--reveal", action="store_true", help="with what scripts declare as sensitive"
    )
    show.add_argument(
        "--format", choices=("text", "json"), default="text", help="for people (text), for tools"
    )
    show.add_argument(
        "--address", help=f"host:port ({DEFAULT_ADDRESS}, else this folder's own database)"
    )


def add_safety(commands: _SubParsersAction[ArgumentParser]) -> None:
    """Add `safety` with its own commands."""
    safety = commands.add_parser("safety", help="what the crisis path found")
    of_safety = safety.add_subparsers(dest="of_safety", metavar="WHAT", required=True)
    report = of_safety.add_parser(
        "report", help="counts by month, level, source and language; no content"
    )
    report.add_argument("--since", metavar="MONTH", help="the first month, such as 2026-11 (all)")
    report.add_argument("--address", default=DEFAULT_ADDRESS, help=f"host:port ({DEFAULT_ADDRESS})")
    report.add_argument(
        "--format",
        choices=("table", "json"),
        default="table",
        help="for people (table), for tools: a line of JSON each (json)",
    )


_PROMPTS = """The prompts of recorded conversations, with the tokens of their parts. Some of these
ship, in Chinese and in English; a script of your own and a conversation of `heartrule rehearse`
in which all answers are written do as well."""
_PROMPTS_EXAMPLES = """examples:
  heartrule prompts show --template ai_ask
  heartrule prompts diff                        what is edited here, against git's HEAD
  heartrule prompts diff --against v1.2
  heartrule prompts diff --against shipped --scheme my_scheme
  heartrule prompts diff my_script.yaml --with my_conversation.yaml --against ../other/_system

exit codes: 0 fine, 1 prompts differ or a conversation was not played to its end,
2 the command line or a file is wrong"""


def add_prompts(commands: _SubParsersAction[ArgumentParser]) -> None:
    """Add `prompts` with its own commands."""
    prompts = commands.add_parser(
        "prompts",
        help="show the prompts of recorded conversations, and how a change of them differs",
        description=_PROMPTS,
        epilog=_PROMPTS_EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    of_prompts = prompts.add_subparsers(dest="of_prompts", metavar="WHAT", required=True)
    _add_states(of_prompts.add_parser("show", help="print them whole"))
    diff = of_prompts.add_parser("diff", help="compare them with those of before")
    _add_states(diff)
    diff.add_argument(
        "--against",
        default="",
        metavar="DIR|REV",
        help="a folder of system files or of prompts, a git revision, or `shipped`"
        " (HEAD, or what ships where the prompts are not under git)",
    )


def _add_states(command: ArgumentParser) -> None:
    command.add_argument("file", nargs="?", metavar="FILE", help="a script (those that ship)")
    command.add_argument(
        "--with",
        dest="conversations",
        nargs="+",
        default=[],
        metavar="CONVERSATION",
        help="conversations of that script",
    )
    command.add_argument(
        "--template", default="", metavar="NAME", help="only prompts of this template (all)"
    )
    command.add_argument(
        "--scheme", default="", metavar="NAME", help="the template scheme of scripts that name none"
    )
