"""The command line of `heartrule prompts`."""

from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter, _SubParsersAction

_ABOUT = """The prompts of recorded conversations, with the tokens of their parts. Some of these
ship, in Chinese and in English; a script of your own and a conversation of `heartrule rehearse`
in which all answers are written do as well."""
_EXAMPLES = """examples:
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
        description=_ABOUT,
        epilog=_EXAMPLES,
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
