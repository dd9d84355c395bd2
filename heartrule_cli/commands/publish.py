"""`heartrule publish FILE…`: gives scripts to an executor, where all its clients find them."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from heartrule.v1 import script_pb2
from heartrule.words.language import language_in
from heartrule.words.words import Words, say
from heartrule_cli.executor_client import ExecutorClient
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.script_publishing import publish as publish_script
from heartrule_cli.scripts import (
    bundle_of,
    check_bundle,
    find_script,
    finding_line,
    installed_environment,
    on_disk,
    refused,
    scripts_below,
    system_folder,
)
from heartrule_cli.services.own_executor import ask_executor
from heartrule_cli.text import one_line


def publish(args: Namespace, environ: Mapping[str, str]) -> int:
    """Publish scripts, in order; nothing is published where one of them has an error.

    Raises:
        Failure: A script is wrong, or no executor answers.
    """
    paths = [find_script(name, environ) for name in args.files]
    if args.examples:
        paths += shipped_examples(environ)
    if not paths:
        raise Failure(say("cli.publish.nothing"), code=WRONG)
    _check(paths, environ)
    asyncio.run(ask_executor(args.address, environ, partial(_publish, paths=paths)))
    return 0


def shipped_examples(environ: Mapping[str, str]) -> list[Path]:
    """Return the scripts that ship with this installation."""
    folder = system_folder(environ) / "scripts"
    found, _ = scripts_below(folder)
    return [path for path in found if path.parent == folder]


def _check(paths: Sequence[Path], environ: Mapping[str, str]) -> None:
    environment, language = installed_environment(environ), language_in(environ)
    for path in paths:
        findings = check_bundle(bundle_of(path, environ), environment)
        errors = [each for each in findings if each.is_error]
        if errors:
            raise refused(errors, path, language)
        for each in findings:
            print(finding_line(on_disk(each, path), language))


async def _publish(executor: ExecutorClient, paths: Sequence[Path]) -> None:
    for path in paths:
        made = await publish_script(executor, path)
        published = say("cli.publish.published", script=version_text(made))
        print(published.told(executor.language), flush=True)


def version_text(script: script_pb2.Script) -> Words:
    """Return a version of a script: its name for people, its id, its number and hash."""
    name = f"{one_line(script.session_name)} " if script.session_name else ""
    return say(
        "cli.script.version",
        script=f"{name}({one_line(script.script_id)})",
        number=script.number,
        hash=one_line(script.version)[:12],
    )
