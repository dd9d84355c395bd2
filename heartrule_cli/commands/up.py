"""`heartrule up`: the services, until a signal comes."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import Mapping

from heartrule.v1 import script_pb2
from heartrule.words.language import ReaderLanguage, language_in
from heartrule.words.words import Words, say
from heartrule_cli.arguments.invocation import Invocation, program_name
from heartrule_cli.doctor.start_check import models_checked
from heartrule_cli.executor_client import executor_at
from heartrule_cli.services.child import Child
from heartrule_cli.services.model_choice import choose_model
from heartrule_cli.services.running_services import (
    LOGS,
    ChildServices,
    ServicePlan,
    database_text,
    running_services,
)
from heartrule_cli.stopping import Stop, first_done, stopping_on_signals
from heartrule_cli.style import style_for
from heartrule_cli.text import one_line, table_lines

STANDARD_PORT = 50051
# Whoever writes a client here may ask the services what they serve, unless the user says otherwise.
_DESCRIBED = {"HEARTRULE_REFLECTION": "true", "HEARTRULE_MONITOR_REFLECTION": "true"}


def up(args: Namespace, environ: Mapping[str, str]) -> int:
    """Start everything and wait; return 0 once a signal has stopped it."""
    return asyncio.run(_up(_port(args.port, environ), described(environ)))


def described(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of services that describe themselves to tools such as grpcurl."""
    return _DESCRIBED | dict(environ)


def _port(asked: int | None, environ: Mapping[str, str]) -> int | None:
    """Return the executor's port; None where a free one is to be probed."""
    if asked is None:
        text = environ.get("HEARTRULE_PORT", "").strip()
        asked = int(text) if text.isascii() and text.isdigit() else STANDARD_PORT
    return asked or None


async def _up(port: int | None, environ: Mapping[str, str]) -> int:
    model = choose_model(environ)
    print(model.line.told(language_in(environ)), flush=True)
    with stopping_on_signals() as stop:
        plan = ServicePlan(model=model, environ=environ, stop=stop, port=port)
        async with models_checked(environ), running_services(plan) as services:
            _print_addresses(services, environ)
            await offer_examples(services.address, environ)
            return await _wait(services, stop, plan.language)


def _print_addresses(services: ChildServices, environ: Mapping[str, str]) -> None:
    program, style = program_name(), style_for(sys.stdout, environ)
    chat = Invocation(program=program, address=services.address)
    language = language_in(environ)
    off = say("cli.up.off").told(language)
    facts = (
        (say("cli.up.console"), services.console),
        (say("cli.up.executor"), services.address),
        (say("cli.up.monitor"), f"127.0.0.1:{services.ports.monitor}" if services.monitor else off),
        (say("cli.up.health"), f"127.0.0.1:{services.ports.executor_health}"),
        (say("cli.up.database"), one_line(database_text(environ))),
        (say("cli.up.logs"), str(LOGS)),
    )
    for line in table_lines([(name.told(language), value) for name, value in facts]):
        print(line)
    print(say("cli.up.ready", command=chat.begin("FILE")).told(language))
    print(style.dim(f"  {say('cli.up.stops').told(language)}"), flush=True)


async def offer_examples(address: str, environ: Mapping[str, str]) -> None:
    """Say how the shipped examples are published, where an executor holds no script yet."""
    async with executor_at(address, environ) as executor:
        request = script_pb2.ListScriptsRequest(page_size=1)
        page = await executor.call(executor.stubs.script.ListScripts, request)
    if not page.scripts:
        offer = Invocation(program=program_name(), address=address).examples()
        print(say("cli.up.no_script", command=offer).told(language_in(environ)), flush=True)


async def _wait(services: ChildServices, stop: Stop, language: ReaderLanguage) -> int:
    """Wait for a signal; without monitor or gateway conversations go on, without executor none.

    Raises:
        Failure: The executor ended.
    """
    asked = asyncio.create_task(stop.asked.wait())
    gone = asyncio.create_task(services.executor.ended())
    ends_of_others = (
        (services.monitor, say("cli.up.without_monitor")),
        (services.gateway, say("cli.up.without_gateway")),
    )
    watching = [
        asyncio.create_task(_report_end(one, then, language)) for one, then in ends_of_others if one
    ]
    try:
        if asked not in await first_done(asked, gone):
            raise services.executor.failure("cli.service.ended_unexpectedly")
        print(say("cli.up.stopping").told(language), flush=True)
        return 0
    finally:
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)


async def _report_end(child: Child, what_then: Words, language: ReaderLanguage) -> None:
    await child.ended()
    ended = child.failure("cli.service.ended").message
    print(say("cli.up.goes_on", ended=ended, what_then=what_then).told(language), flush=True)
