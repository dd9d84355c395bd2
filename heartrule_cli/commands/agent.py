"""`heartrule agent check|run DIR`: agents of threads in folders, without a server."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping


def agent(args: Namespace, environ: Mapping[str, str]) -> int:
    """Do what was asked."""
    if args.of_agent == "check":
        from heartrule_cli.commands.agent_check import check_agents

        return check_agents(args, environ)
    from heartrule_cli.commands.agent_run import run_agent

    return run_agent(args, environ)
