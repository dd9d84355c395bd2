"""`heartrule show ID`: a session's transcript with what is behind it."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import Mapping
from datetime import UTC
from pathlib import Path

from executor_service.settings import StoreSettings
from heartrule.chassis.settings import read
from heartrule_cli.executor_client import ExecutorClient, executor_at
from heartrule_cli.failure import Unreachable
from heartrule_cli.invocation import DEFAULT_ADDRESS
from heartrule_cli.model_choice import choose_model
from heartrule_cli.services import ServicePlan, running_services
from heartrule_cli.stopping import stopping_on_signals
from heartrule_cli.style import Style, style_for
from heartrule_cli.transcript import Heading, Record, transcript_lines


def show(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print the page of one session."""
    return asyncio.run(_show(args.session, args.address, environ))


async def _show(session_id: str, address: str | None, environ: Mapping[str, str]) -> int:
    style = style_for(sys.stdout, environ)
    try:
        async with executor_at(address or DEFAULT_ADDRESS) as executor:
            await _print(executor, session_id, style)
    except Unreachable:
        if address is not None or not _database_is_here(environ):
            raise
        await _show_from_database(session_id, environ, style)
    return 0


def _database_is_here(environ: Mapping[str, str]) -> bool:
    """Say whether conversations of this folder can be read without anybody's server."""
    return Path(read(StoreSettings, environ).database_url).is_file()


async def _show_from_database(session_id: str, environ: Mapping[str, str], style: Style) -> None:
    """Start the services of this folder for as long as it takes."""
    print("no executor runs; starting one for a moment …", file=sys.stderr, flush=True)
    with stopping_on_signals() as stop:
        plan = ServicePlan(model=choose_model(environ), environ=environ, stop=stop, gateway=False)
        async with running_services(plan) as services, executor_at(services.address) as executor:
            await _print(executor, session_id, style)


async def _print(executor: ExecutorClient, session_id: str, style: Style) -> None:
    session = await executor.session(session_id)
    state = await executor.state(session_id)
    record = Record()
    async for event in executor.history(session_id, state.sequence):
        record.add(event)
    variables = await executor.variables(session_id)
    heading = Heading(
        session_id=session.session_id,
        title=session.title,
        started=session.create_time.ToDatetime(tzinfo=UTC),
    )
    for line in transcript_lines(heading, state, record, variables, style=style):
        print(line)
