"""The command line of `heartrule`, also run as `python -m heartrule_cli`."""

from __future__ import annotations

import logging
import os
import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TypeAlias

from heartrule import __version__
from heartrule.words.language import ReaderLanguage, language_in
from heartrule_cli.arguments.argument_types import COUNT, PORT, SECONDS
from heartrule_cli.arguments.command_arguments import add_prompts, add_safety, add_scripts
from heartrule_cli.arguments.command_parser import command_parser, language_named, put_words
from heartrule_cli.arguments.invocation import DEFAULT_ADDRESS
from heartrule_cli.arguments.workbench_arguments import add_workbench
from heartrule_cli.failure import FAILED, WRONG, Failure
from heartrule_cli.text import clean


def parser(language: ReaderLanguage = ReaderLanguage.ENGLISH) -> ArgumentParser:
    """Return the parser, which speaks a language; the chosen command's name is in `command`.

    Its texts are declared by their codes in the catalogues, and put into words at the end.
    """
    made = command_parser(
        language, prog="heartrule", description="help.about", epilog="help.examples"
    )
    made.set_defaults(lang="")
    made.add_argument(
        "--version", action="version", version=f"heartrule {__version__}", help="help.version"
    )
    commands = made.add_subparsers(dest="command", metavar="COMMAND", required=True)

    run = commands.add_parser("run", help="help.run")
    which = run.add_mutually_exclusive_group(required=True)
    which.add_argument("file", nargs="?", metavar="FILE", help="help.script")
    which.add_argument("--session", metavar="ID", help="help.run.session")
    _add_talking(run)

    up = commands.add_parser("up", help="help.up")
    up.add_argument("--port", type=PORT, help="help.up.port")

    chat = commands.add_parser("chat", help="help.chat")
    which = chat.add_mutually_exclusive_group(required=True)
    which.add_argument("--script", metavar="FILE", help="help.chat.script")
    which.add_argument("--session", metavar="ID", help="help.chat.session")
    chat.add_argument("--address", default=DEFAULT_ADDRESS, help="help.address")
    _add_talking(chat)

    add_workbench(commands)
    add_scripts(commands)

    screen = commands.add_parser("screen", help="help.screen")
    texts = screen.add_mutually_exclusive_group(required=True)
    texts.add_argument("text", nargs="?", metavar="TEXT", help="help.screen.text")
    texts.add_argument("--file", metavar="CASES", help="help.screen.file")

    rehearse = commands.add_parser("rehearse", help="help.rehearse")
    _add_conversations(rehearse, "help.rehearse.with")
    rehearse.add_argument("--transcript", action="store_true", help="help.rehearse.transcript")
    rehearse.add_argument("--format", choices=("text", "json"), default="text", help="help.format")

    _add_ablate(commands)
    add_prompts(commands)
    add_safety(commands)

    scrub = commands.add_parser("scrub", help="help.scrub")
    scrub.add_argument(
        "--longest",
        type=SECONDS,
        default=8.0,
        metavar="SECONDS",
        help="help.scrub.longest",
    )
    scrub.add_argument("--anyway", action="store_true", help="help.scrub.anyway")

    rehearsal = commands.add_parser("rehearsal-model", help="help.rehearsal_model")
    rehearsal.add_argument("--host", default="127.0.0.1", help="help.rehearsal_model.host")
    rehearsal.add_argument("--port", type=PORT, default=0, help="help.rehearsal_model.port")
    put_words(made, language, address=DEFAULT_ADDRESS)
    return made


def _add_ablate(commands: _SubParsersAction[ArgumentParser]) -> None:
    ablate = commands.add_parser(
        "ablate",
        help="help.ablate",
        description="help.ablate.about",
        epilog="help.ablate.examples",
    )
    _add_conversations(ablate, "help.ablate.with")
    ablate.add_argument(
        "--repeat",
        type=COUNT,
        default=3,
        metavar="N",
        help="help.ablate.repeat",
    )
    ablate.add_argument(
        "--design",
        choices=("full", "alone", "without"),
        default="full",
        help="help.ablate.design",
    )
    ablate.add_argument("--at-once", type=COUNT, default=1, metavar="N", help="help.ablate.at_once")
    ablate.add_argument(
        "--format",
        choices=("table", "json"),
        default="table",
        help="help.format_of_table",
    )


def _add_conversations(command: ArgumentParser, explained: str) -> None:
    command.add_argument("file", metavar="FILE", help="help.script")
    command.add_argument(
        "--with",
        dest="conversations",
        nargs="+",
        required=True,
        metavar="CONVERSATION",
        help=explained,
    )


def _add_talking(command: ArgumentParser) -> None:
    command.add_argument(
        "--debug",
        action="store_true",
        help="help.talk.debug",
    )
    command.add_argument("--user", default="", metavar="NAME", help="help.talk.user")
    command.add_argument("--locale", default="", metavar="TAG", help="help.talk.locale")


Command: TypeAlias = "Callable[[Namespace, Mapping[str, str]], int]"

# Module and function of each command. A module is imported when its command is chosen, since grpc
# and the store take longer to import than `check` takes to run.
_COMMANDS: Mapping[str, tuple[str, str]] = {
    "run": ("run", "run"),
    "up": ("up", "up"),
    "chat": ("chat", "chat"),
    "show": ("show", "show"),
    "sessions": ("sessions", "sessions"),
    "export": ("export", "export"),
    "new": ("new", "new"),
    "publish": ("publish", "publish"),
    "pull": ("pull", "pull"),
    "completion": ("completion", "completion"),
    "doctor": ("doctor", "doctor"),
    "check": ("check", "check"),
    "ablate": ("ablate", "ablate"),
    "rehearse": ("rehearse", "rehearse_script"),
    "schema": ("schema", "schema"),
    "decision": ("decision", "decision"),
    "workflow check": ("workflow_check", "check_workflows"),
    "workflow run": ("workflow_run", "run_workflow"),
    "workflow show": ("workflow_show", "show_run"),
    "agent check": ("agent_check", "check_agents"),
    "agent run": ("agent_run", "run_agent"),
    "migrate": ("migrate", "migrate"),
    "prompts": ("prompt_comparison", "prompts"),
    "screen": ("screening", "screen"),
    "scrub": ("scrub", "scrub"),
    "rehearsal-model": ("rehearsal", "rehearsal_model"),
    "safety": ("safety_report", "safety_report"),
}
# Keeps grpc's core from writing into the conversation.
_QUIET = {"GRPC_VERBOSITY": "NONE", "GRPC_ENABLE_FORK_SUPPORT": "0"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; print an error as one line."""
    environ = dict(os.environ)  # as the user set it: this is what the services get
    named = language_named(sys.argv[1:] if argv is None else argv)
    args = parser(language_in(environ, named)).parse_args(argv)
    if args.lang:
        environ["LC_ALL"] = f"{ReaderLanguage(args.lang).folder}.UTF-8"
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    _prepare_output()
    try:
        return _command(args.command)(args, environ)
    except Failure as failure:
        _print_error(failure, language_in(environ))
        return failure.code
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        return FAILED


def _command(name: str) -> Command:
    """Return the function of a command.

    Raises:
        Failure: The settings it looks at are wrong.
    """
    module, function = _COMMANDS[name]
    command: Command = getattr(import_module(f"heartrule_cli.commands.{module}"), function)

    def checked(args: Namespace, environ: Mapping[str, str]) -> int:
        from heartrule.chassis.settings import SettingsError

        try:
            return command(args, environ)
        except SettingsError as error:
            raise Failure(str(error), code=WRONG) from None

    return checked


def _prepare_output() -> None:
    """Replace characters the terminal cannot show; keep libraries' logs out of the conversation."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    logging.getLogger().addHandler(logging.NullHandler())


def _print_error(failure: Failure, language: ReaderLanguage) -> None:
    print(f"heartrule: {clean(failure.told(language))}", file=sys.stderr)
    for line in clean(failure.told_hints(language)).splitlines():
        print(f"  {line}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
