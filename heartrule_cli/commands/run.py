"""`heartrule run FILE`: the services and a conversation, in one command."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import Mapping

from heartrule.words.language import language_in
from heartrule.words.words import say
from heartrule_cli.arguments.invocation import Invocation, program_name
from heartrule_cli.chat.session_chat import ChatSubject, Setting, talk
from heartrule_cli.doctor.start_check import models_checked
from heartrule_cli.executor_client import executor_at
from heartrule_cli.scripts import (
    bundle_of,
    check_bundle,
    find_script,
    installed_environment,
    refused,
)
from heartrule_cli.services.model_choice import choose_model
from heartrule_cli.services.running_services import (
    LOGS,
    ChildServices,
    ServicePlan,
    running_services,
)
from heartrule_cli.stopping import first_done, stopping_on_signals
from heartrule_cli.style import style_for


def run(args: Namespace, environ: Mapping[str, str]) -> int:
    """Start everything, talk, stop everything; return 0 however the conversation was left."""
    script = find_script(args.file, environ) if args.file else None
    if script is not None:
        findings = check_bundle(bundle_of(script, environ), installed_environment(environ))
        if errors := [finding for finding in findings if finding.is_error]:
            raise refused(errors, script, language_in(environ))
    return asyncio.run(_run(ChatSubject.from_arguments(args, script), environ))


async def _run(topic: ChatSubject, environ: Mapping[str, str]) -> int:
    model = choose_model(environ)
    style = style_for(sys.stdout, environ)
    print(model.line.told(language_in(environ)), flush=True)
    with stopping_on_signals() as stop:
        plan = ServicePlan(model=model, environ=environ, stop=stop)
        async with (
            models_checked(environ),
            running_services(plan) as services,
            executor_at(services.address, environ) as executor,
        ):
            place = say(
                "cli.run.places",
                console=services.console,
                executor=services.address,
                logs=str(LOGS),
            )
            print(style.dim(f"  {place.told(plan.language)}"), flush=True)
            setting = Setting(
                executor=executor,
                invocation=Invocation(program=program_name()),
                environ=environ,
                stop=stop,
            )
            return await _while_it_lives(services, topic, setting)


async def _while_it_lives(services: ChildServices, topic: ChatSubject, setting: Setting) -> int:
    """Talk for as long as the executor runs.

    Raises:
        Failure: It ended before the conversation.
    """
    talking = asyncio.create_task(talk(topic, setting))
    gone = asyncio.create_task(services.executor.ended())
    if talking in await first_done(talking, gone):
        return talking.result()
    failure = services.executor.failure("cli.service.ended_unexpectedly")
    if setting.session_id:
        failure.also(setting.going_on)
    raise failure
