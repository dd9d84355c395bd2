"""A script on its way to an executor; one with errors comes back with all of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from heartrule.v1 import script_pb2
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.scripts import bundle_of, count_text, finding_line, script_place

if TYPE_CHECKING:
    from heartrule_cli.executor import Executor


async def publish(executor: Executor, path: Path) -> script_pb2.Script:
    """Publish the script at `path`, its large pictures first, and return its version.

    Raises:
        Failure: It cannot be read, or the executor refuses it; every error is printed before.
    """
    bundle = bundle_of(path)
    for name in bundle.assets:
        await executor.upload(path.parent / name)
    try:
        return await executor.publish(bundle)
    except Failure as failure:
        if failure.code != WRONG:
            raise
        errors = [one for one in await executor.findings(bundle) if _is_error(one)]
        if not errors:
            raise
    for found in errors:
        place = script_place(found.file, path)
        line = finding_line(place, line=found.line, column=found.column, message=found.message)
        print(line, file=sys.stderr)
    raise Failure(f"the script has {count_text(len(errors), 'error')}", code=WRONG)


def _is_error(found: script_pb2.ScriptFinding) -> bool:
    kinds = script_pb2.FindingSeverity
    return found.severity in {kinds.FINDING_SEVERITY_UNSPECIFIED, kinds.FINDING_SEVERITY_ERROR}
