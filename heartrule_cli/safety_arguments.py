"""The command line of `heartrule safety`."""

from __future__ import annotations

from argparse import ArgumentParser, _SubParsersAction

from heartrule_cli.invocation import DEFAULT_ADDRESS


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
