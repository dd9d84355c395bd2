"""`heartrule workflow check|run|show`: workflows in files, and runs of them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping


def workflow(args: Namespace, environ: Mapping[str, str]) -> int:
    """Do what was asked; a check loads nothing of what runs need."""
    if args.of_workflow == "check":
        from heartrule_cli.commands.workflow_check import check_workflows

        return check_workflows(args, environ)
    if args.of_workflow == "show":
        from heartrule_cli.commands.workflow_show import show_run

        return show_run(args, environ)
    from heartrule_cli.commands.workflow_run import run_workflow

    return run_workflow(args, environ)
