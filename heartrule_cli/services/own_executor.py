"""The executor that a command asks: one that runs, or one of this folder's own database."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TypeVar

from executor_service.settings import StoreSettings
from heartrule.chassis.settings import read
from heartrule.words.language import language_in
from heartrule.words.words import say
from heartrule_cli.arguments.invocation import DEFAULT_ADDRESS
from heartrule_cli.executor_client import ExecutorClient, executor_at
from heartrule_cli.failure import Unreachable
from heartrule_cli.services.model_choice import choose_model
from heartrule_cli.services.running_services import ServicePlan, database_text, running_services
from heartrule_cli.stopping import stopping_on_signals
from heartrule_cli.text import one_line

T = TypeVar("T")


async def ask_executor(
    address: str | None,
    environ: Mapping[str, str],
    asking: Callable[[ExecutorClient], Awaitable[T]],
) -> T:
    """Return what an executor answers.

    Where no address is given and nothing runs at the usual one, the services are started on this
    folder's SQLite database for as long as it takes.

    Raises:
        Failure: Nothing answers, or the answer is a refusal.
    """
    try:
        async with executor_at(address or DEFAULT_ADDRESS, environ) as executor:
            return await asking(executor)
    except Unreachable:
        if address is not None:
            raise
        _check_database(environ)
    place = one_line(database_text(environ))
    starting = say("cli.executor.for_a_moment", place=place).told(language_in(environ))
    print(starting, file=sys.stderr, flush=True)
    with stopping_on_signals() as stop:
        plan = ServicePlan(model=choose_model(environ), environ=environ, stop=stop, gateway=False)
        async with (
            running_services(plan) as services,
            executor_at(services.address, environ) as executor,
        ):
            return await asking(executor)


def _check_database(environ: Mapping[str, str]) -> None:
    """Return where this folder has a SQLite database, which needs no server.

    Raises:
        Unreachable: It has none.
    """
    address = read(StoreSettings, environ).database_url
    if Path(address).is_file():
        return
    place = one_line(database_text(environ))
    raise Unreachable(
        say("cli.executor.none_here", address=DEFAULT_ADDRESS, place=place),
        hint=say("cli.executor.none_here_hint"),
    )
