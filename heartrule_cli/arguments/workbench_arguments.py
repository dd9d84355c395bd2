"""The arguments of the commands of an author's bench: scripts in and out, and sessions."""

from __future__ import annotations

from argparse import ArgumentParser, _SubParsersAction

from heartrule.domain.position import ExecutionStatus

_FORMATS = ("text", "json")
SHELLS = ("bash", "zsh", "tcsh")


def add_workbench(commands: _SubParsersAction[ArgumentParser]) -> None:
    """Add the commands that make, publish, fetch and list."""
    show = commands.add_parser("show", help="help.show")
    show.add_argument("session", metavar="ID", help="help.session")
    _add_asking(show, (*_FORMATS, "markdown", "rehearsal"), "help.format_of_show")

    _add_sessions(commands)
    _add_export(commands)

    new = commands.add_parser("new", help="help.new")
    new.add_argument("name", metavar="NAME", help="help.new.name")

    publish = commands.add_parser("publish", help="help.publish")
    publish.add_argument("files", nargs="*", metavar="FILE", help="help.publish.file")
    publish.add_argument("--examples", action="store_true", help="help.publish.examples")
    publish.add_argument("--address", help="help.own_address")

    pull = commands.add_parser("pull", help="help.pull")
    pull.add_argument("script", metavar="SCRIPT", help="help.pull.script")
    pull.add_argument("--version", default="", metavar="HASH", help="help.pull.version")
    pull.add_argument("--to", default=".", metavar="FOLDER", help="help.pull.to")
    pull.add_argument("--force", action="store_true", help="help.pull.force")
    pull.add_argument("--address", help="help.own_address")

    doctor = commands.add_parser("doctor", help="help.doctor")
    doctor.add_argument(
        "--wait",
        type=float,
        default=20.0,
        metavar="SECONDS",
        help="help.doctor.wait",
    )
    doctor.add_argument("--format", choices=_FORMATS, default="text", help="help.format")

    completion = commands.add_parser("completion", help="help.completion")
    completion.add_argument("shell", choices=SHELLS, help="help.completion.shell")


def _add_sessions(commands: _SubParsersAction[ArgumentParser]) -> None:
    sessions = commands.add_parser("sessions", help="help.sessions")
    sessions.add_argument("--script", default="", metavar="NAME", help="help.sessions.script")
    sessions.add_argument(
        "--status", choices=[each.value for each in ExecutionStatus], help="help.sessions.status"
    )
    sessions.add_argument("--user", default="", metavar="NAME", help="help.sessions.user")
    sessions.add_argument(
        "--label",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="help.sessions.label",
    )
    sessions.add_argument("--since", metavar="DATE", help="help.sessions.since")
    sessions.add_argument("--until", metavar="DATE", help="help.sessions.until")
    sessions.add_argument("--all", action="store_true", help="help.sessions.all")
    _add_asking(sessions, _FORMATS, "help.format")


def _add_export(commands: _SubParsersAction[ArgumentParser]) -> None:
    export = commands.add_parser("export", help="help.export")
    export.add_argument("user", metavar="USER", help="help.export.user")
    export.add_argument("--to", default="", metavar="FILE", help="help.export.to")
    export.add_argument("--reveal", action="store_true", help="help.export.reveal")
    export.add_argument("--address", help="help.own_address")


def _add_asking(command: ArgumentParser, formats: tuple[str, ...], explained: str) -> None:
    command.add_argument("--format", choices=formats, default="text", help=explained)
    command.add_argument("--address", help="help.own_address")
