"""The arguments of the commands of an author's bench: scripts in and out, and sessions."""

from __future__ import annotations

from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Sequence

from heartrule.domain.position import ExecutionStatus
from heartrule_cli.invocation import DEFAULT_ADDRESS

_OWN = f"host:port ({DEFAULT_ADDRESS}, else this folder's own database)"
_FORMATS = ("text", "json")
_FORMAT_HELP = "for people (text), for tools (json)"
SHELLS = ("bash", "zsh", "tcsh")


def add_workbench(commands: _SubParsersAction[ArgumentParser]) -> None:
    """Add the commands that make, publish, fetch and list."""
    show = commands.add_parser("show", help="print a session with all that is known about it")
    show.add_argument("session", metavar="ID")
    _add_asking(show, (*_FORMATS, "markdown"))

    _add_sessions(commands)
    _add_export(commands)

    new = commands.add_parser("new", help="write a small script to begin with; needs no server")
    new.add_argument("name", metavar="NAME", help="of the script and its file")

    publish = commands.add_parser("publish", help="give scripts to an executor and all its clients")
    publish.add_argument("files", nargs="*", metavar="FILE", help="a script")
    publish.add_argument("--examples", action="store_true", help="also the examples that ship")
    publish.add_argument("--address", help=_OWN)

    pull = commands.add_parser("pull", help="write a published script into files")
    pull.add_argument("script", metavar="SCRIPT", help="its id, as `session_id` has it")
    pull.add_argument("--version", default="", metavar="HASH", help="which one (the newest)")
    pull.add_argument("--to", default=".", metavar="FOLDER", help="where to write it (.)")
    pull.add_argument("--force", action="store_true", help="also over files that differ")
    pull.add_argument("--address", help=_OWN)

    doctor = commands.add_parser(
        "doctor", help="look at settings, services and models, and say what is wrong"
    )
    doctor.add_argument(
        "--wait",
        type=float,
        default=20.0,
        metavar="SECONDS",
        help="how long a model may take to answer (20)",
    )
    doctor.add_argument("--format", choices=_FORMATS, default="text", help=_FORMAT_HELP)

    completion = commands.add_parser(
        "completion", help="print what makes your shell complete this command"
    )
    completion.add_argument(
        "shell", choices=SHELLS, help='such as: eval "$(heartrule completion bash)"'
    )


def _add_sessions(commands: _SubParsersAction[ArgumentParser]) -> None:
    sessions = commands.add_parser("sessions", help="list conversations, the newest first")
    sessions.add_argument(
        "--script", default="", metavar="NAME", help="only of this script: its id or name"
    )
    sessions.add_argument(
        "--status", choices=[each.value for each in ExecutionStatus], help="only with this status"
    )
    sessions.add_argument("--user", default="", metavar="NAME", help="only of this person")
    sessions.add_argument(
        "--label",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="only with this label, or with a value of NAME; each --label must fit",
    )
    sessions.add_argument("--since", metavar="DATE", help="begun on that day or later: 2026-11-28")
    sessions.add_argument("--until", metavar="DATE", help="begun on that day or earlier")
    sessions.add_argument("--all", action="store_true", help="not only the first 20")
    _add_asking(sessions)


def _add_export(commands: _SubParsersAction[ArgumentParser]) -> None:
    export = commands.add_parser("export", help="write all that is kept of a person, line by line")
    export.add_argument("user", metavar="USER", help="as --user and StartSession name the person")
    export.add_argument("--to", default="", metavar="FILE", help="where (standard output)")
    export.add_argument(
        "--reveal", action="store_true", help="with the values of sensitive variables"
    )
    export.add_argument("--address", help=_OWN)


def _add_asking(command: ArgumentParser, formats: Sequence[str] = _FORMATS) -> None:
    command.add_argument("--format", choices=formats, default="text", help=_FORMAT_HELP)
    command.add_argument("--address", help=_OWN)
