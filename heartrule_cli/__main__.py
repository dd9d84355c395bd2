"""The command line of `heartrule`, also run as `python -m heartrule_cli`."""

from __future__ import annotations

import logging
import os
import sys
from argparse import (
    ArgumentParser,
    Namespace,
    RawDescriptionHelpFormatter,
    _SubParsersAction,
)
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TypeAlias

from heartrule import __version__
from heartrule.words.language import ReaderLanguage, language_in
from heartrule_cli.argument_types import COUNT, PORT, SECONDS
from heartrule_cli.command_arguments import add_prompts, add_safety, add_scripts
from heartrule_cli.command_parser import command_parser, language_named
from heartrule_cli.failure import FAILED, WRONG, Failure
from heartrule_cli.invocation import DEFAULT_ADDRESS
from heartrule_cli.text import clean
from heartrule_cli.workbench_arguments import add_workbench

_DESCRIPTION = "Scripted AI conversations with a second mind beside them."
_EXAMPLES = """examples:
  heartrule run greeting.yaml           everything in one command; no key needed
  heartrule new my_script               a small script to begin with
  heartrule check my_script.yaml        every mistake, with file, line and column
  heartrule rehearse my_script.yaml --with my_conversation.yaml
  heartrule ablate my_script.yaml --with my_conversation.yaml --repeat 5
  heartrule workflow run report.yaml --policy policy.yaml
  heartrule agent run researcher --message "…"  an agent that works in a thread, step by step
  heartrule up                          the services alone, and the console in your browser
  heartrule chat --script my_script.yaml
  heartrule sessions --script greeting  the conversations of this folder
  heartrule show ses_0123               a transcript, with variables, exits, plan and advice

exit codes: 0 fine, 1 something failed or differs, 2 the command line or a script is wrong"""

_ABLATE = """Does the second mind help? The same conversations are played with the monitor's advice,
the strategy engine and orchestration on and off, and each combination is compared with
the plain conversation. The model is that of the environment (OPENAI_API_KEY, HEARTRULE_MODEL,
OPENAI_BASE_URL, or HEARTRULE_PROVIDERS); without one the rehearsal model speaks, whose figures
say nothing about clients and are marked so."""
_ABLATE_EXAMPLES = """examples:
  heartrule ablate ablate/family.yaml --with ablate/talks/hesitant.conversation.yaml
  heartrule ablate my_script.yaml --with talks/*.yaml --repeat 5 --at-once 4
  heartrule ablate my_script.yaml --with talks/*.yaml --design without --format json > runs.json

exit codes: 0 fine, 1 the model does not answer or runs were lost, 2 a file is wrong"""


def parser(language: ReaderLanguage = ReaderLanguage.ENGLISH) -> ArgumentParser:
    """Return the parser; the chosen command's name is in `command`."""
    made = command_parser(
        language,
        prog="heartrule",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    made.set_defaults(lang="")
    made.add_argument("--version", action="version", version=f"heartrule {__version__}")
    commands = made.add_subparsers(dest="command", metavar="COMMAND", required=True)

    run = commands.add_parser("run", help="start the services and talk with a script")
    which = run.add_mutually_exclusive_group(required=True)
    which.add_argument("file", nargs="?", metavar="FILE", help="the script")
    which.add_argument("--session", metavar="ID", help="go on with a session of this folder")
    _add_talking(run)

    up = commands.add_parser("up", help="start the services and wait")
    up.add_argument("--port", type=PORT, help="the executor's port (50051)")

    chat = commands.add_parser("chat", help="talk by way of an executor that runs")
    which = chat.add_mutually_exclusive_group(required=True)
    which.add_argument("--script", metavar="FILE", help="publish this script and begin anew")
    which.add_argument("--session", metavar="ID", help="go on with this session")
    chat.add_argument("--address", default=DEFAULT_ADDRESS, help=f"host:port ({DEFAULT_ADDRESS})")
    _add_talking(chat)

    add_workbench(commands)
    add_scripts(commands)

    screen = commands.add_parser(
        "screen", help="say what the safety screen finds in texts; needs no server"
    )
    texts = screen.add_mutually_exclusive_group(required=True)
    texts.add_argument("text", nargs="?", metavar="TEXT", help="a client's text")
    texts.add_argument(
        "--file", metavar="CASES", help="lines of JSON: id, text, locale, context; - for stdin"
    )

    rehearse = commands.add_parser(
        "rehearse", help="play written conversations with a script; needs no model and no server"
    )
    _add_conversations(
        rehearse, "YAML files: what the client says, what the models answer, what must then hold"
    )
    rehearse.add_argument(
        "--transcript", action="store_true", help="print all that was said, expected or not"
    )
    rehearse.add_argument(
        "--format", choices=("text", "json"), default="text", help="how to tell it (text)"
    )

    _add_ablate(commands)
    add_prompts(commands)
    add_safety(commands)

    scrub = commands.add_parser("scrub", help="write PostgreSQL's files anew after erasures")
    scrub.add_argument(
        "--longest",
        type=SECONDS,
        default=8.0,
        metavar="SECONDS",
        help="how long a table may be locked; turns wait for up to 10 (8)",
    )
    scrub.add_argument("--anyway", action="store_true", help="also where nothing was erased")

    rehearsal = commands.add_parser(
        "rehearsal-model", help="serve the model that needs no key, by OpenAI's protocol"
    )
    rehearsal.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
    rehearsal.add_argument("--port", type=PORT, default=0, help="port (a free one)")
    return made


def _add_ablate(commands: _SubParsersAction[ArgumentParser]) -> None:
    ablate = commands.add_parser(
        "ablate",
        help="play conversations with monitor, strategy and orchestration on and off, and compare",
        description=_ABLATE,
        epilog=_ABLATE_EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    _add_conversations(
        ablate, "YAML files of `heartrule rehearse`; only what the client does counts"
    )
    ablate.add_argument(
        "--repeat",
        type=COUNT,
        default=3,
        metavar="N",
        help="how often each conversation is played in each arm (3)",
    )
    ablate.add_argument(
        "--design",
        choices=("full", "alone", "without"),
        default="full",
        help="all eight combinations (full); none, each alone, all (alone); "
        "all, each left out, none (without)",
    )
    ablate.add_argument(
        "--at-once", type=COUNT, default=1, metavar="N", help="runs at the same time (1)"
    )
    ablate.add_argument(
        "--format",
        choices=("table", "json"),
        default="table",
        help="for people (table), for tools (json)",
    )


def _add_conversations(command: ArgumentParser, explanation: str) -> None:
    command.add_argument("file", metavar="FILE", help="the script")
    command.add_argument(
        "--with",
        dest="conversations",
        nargs="+",
        required=True,
        metavar="CONVERSATION",
        help=explanation,
    )


def _add_talking(command: ArgumentParser) -> None:
    command.add_argument(
        "--debug",
        action="store_true",
        help="tell metrics, exit decisions, advice, analyses, variables and degradations",
    )
    command.add_argument("--user", default="", metavar="NAME", help="whose global variables to use")
    command.add_argument(
        "--locale", default="", metavar="TAG", help="language of crisis resources, such as en-US"
    )


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
    "workflow": ("workflow", "workflow"),
    "agent": ("agent", "agent"),
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
