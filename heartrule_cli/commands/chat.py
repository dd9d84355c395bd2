"""`heartrule chat`: a conversation with an executor that runs already."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Mapping

from heartrule_cli.arguments.invocation import Invocation, program_name
from heartrule_cli.chat.session_chat import ChatSubject, Setting, talk
from heartrule_cli.executor_client import executor_at
from heartrule_cli.scripts import find_script
from heartrule_cli.stopping import stopping_on_signals


def chat(args: Namespace, environ: Mapping[str, str]) -> int:
    """Talk; return 0 however the conversation was left, 1 where it failed."""
    return asyncio.run(_chat(args, environ))


async def _chat(args: Namespace, environ: Mapping[str, str]) -> int:
    script = find_script(args.script, environ) if args.script else None
    topic = ChatSubject.from_arguments(args, script)
    with stopping_on_signals() as stop:
        async with executor_at(args.address, environ) as executor:
            setting = Setting(
                executor=executor,
                invocation=Invocation(program=program_name(), address=args.address),
                environ=environ,
                stop=stop,
            )
            return await talk(topic, setting)
