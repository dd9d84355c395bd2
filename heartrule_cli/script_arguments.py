"""The arguments of the commands about script files: `heartrule check`, `schema`, `migrate`."""

from __future__ import annotations

from argparse import ArgumentParser, _SubParsersAction


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
        choices=("script", "technique", "global"),
        default="script",
        help="the kind of file (script)",
    )

    migrate = commands.add_parser(
        "migrate", help="write a script of the older dialect anew, and say what was left out"
    )
    migrate.add_argument("file", metavar="FILE", help="a file with `sessions:`")
    migrate.add_argument(
        "--to", metavar="FOLDER", default=".", help="where a file for each session is written (.)"
    )
