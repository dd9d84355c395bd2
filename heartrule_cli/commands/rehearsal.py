"""`heartrule rehearsal-model`: the model for nothing, as a server of its own."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Mapping

from heartrule.domain.errors import InvalidRequest
from heartrule.words.language import language_in
from heartrule.words.words import say
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.services.model_choice import REHEARSAL_NAME
from heartrule_cli.stopping import stopping_on_signals


def rehearsal_model(args: Namespace, environ: Mapping[str, str]) -> int:
    """Answer until a signal comes."""
    return asyncio.run(_serve(args.host, args.port, environ))


async def _serve(host: str, port: int, environ: Mapping[str, str]) -> int:
    from heartrule.model.rehearsal.rehearsal_server import pace_from_environment, serve

    try:
        pace_s = pace_from_environment(environ)
    except InvalidRequest as error:
        raise Failure(str(error), code=WRONG) from None
    with stopping_on_signals() as stop:
        try:
            server = await serve(host, port, pace_s=pace_s)
        except OSError as error:
            why, place = str(error.strerror or error), f"{host}:{port}"
            raise Failure(say("cli.rehearsal.no_place", place=place, why=why)) from None
        language = language_in(environ)
        print(say("cli.rehearsal.at", address=server.base_url).told(language))
        named = f"HEARTRULE_MODEL={REHEARSAL_NAME} HEARTRULE_PROVIDER_KIND=rehearsal"
        variables = f"OPENAI_BASE_URL={server.base_url} {named}"
        print(f"  {say('cli.rehearsal.use', variables=variables).told(language)}")
        print(f"  {say('cli.up.stops').told(language)}", flush=True)
        await stop.asked.wait()
        await server.aclose()
    return 0
