"""A script on disk given to an executor, which may refuse it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from executor_service.scripts.model.findings import Located
from heartrule.v1 import script_pb2
from heartrule_cli.executor_client import ExecutorClient
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.scripts import bundle_of, refused


async def publish(
    executor: ExecutorClient, path: Path, environ: Mapping[str, str] = MappingProxyType({})
) -> script_pb2.Script:
    """Publish the script at `path`, its large pictures first, and return its version.

    Raises:
        Failure: It cannot be read, or the executor refuses it; every error is printed before.
    """
    bundle = bundle_of(path, environ)
    for name in bundle.assets:
        await executor.upload(path.parent / name)
    try:
        return await executor.publish(bundle)
    except Failure as failure:
        if failure.code != WRONG:
            raise
        kinds = script_pb2.FindingSeverity
        refusing = {kinds.FINDING_SEVERITY_UNSPECIFIED, kinds.FINDING_SEVERITY_ERROR}
        errors = [one for one in await executor.findings(bundle) if one.severity in refusing]
        if not errors:
            raise
    located = [
        Located(file=one.file, line=one.line, column=one.column, message=one.message)
        for one in errors
    ]
    raise refused(located, path, executor.language)
