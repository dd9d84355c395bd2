"""Has written conversations played with a script, in a worker process: plain data in and out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from executor_service.ports import WorkPool
from executor_service.scripts.loading.bundle import Bundle, rehearsal_files
from executor_service.scripts.model.findings import Located
from executor_service.settings import ExecutorSettings
from heartrule.chassis.system_files import system_dir
from heartrule.chassis.worker_pool import WorkerPool
from heartrule.domain.errors import FieldViolation, InvalidRequest

MOST_CONVERSATIONS = 20
"""Conversations that one call plays."""
MOST_TURNS = 300
"""Turns that one call plays."""
# It stands above the services, on the engine and the monitor: the worker alone imports it.
_PLAYER = "heartrule_cli.rehearsal.job"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsed:
    """A conversation that was played, up to the first turn that is not as expected."""

    path: str
    title: str = ""
    turns: int = 0
    """Turns that were played."""
    findings: tuple[Located, ...] = ()
    """What is wrong in its file, or not as expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RehearsedScript:
    """A script's rehearsals."""

    errors: tuple[Located, ...] = ()
    """The script's own; with one of them nothing was played."""
    conversations: tuple[Rehearsed, ...] = ()


class Rehearsals:
    """Plays the conversations of bundles, one call at a time."""

    def __init__(self, pool: WorkPool, root: Path) -> None:
        """Leave the playing to `pool`; `root` is the folder _system."""
        self._pool, self._root = pool, str(root)

    async def play(self, bundle: Bundle, paths: Sequence[str]) -> RehearsedScript:
        """Play the conversations at these paths, or all that lie beside the script.

        Raises:
            InvalidRequest: There is no such conversation, or there are too many.
            QuotaSpent: Another rehearsal goes on.
            DeadlinePassed: It took too long.
        """
        there = rehearsal_files(bundle.files)
        wanted = tuple(dict.fromkeys(paths)) or tuple(there)
        wrong = [
            FieldViolation(field="paths", description=f"there is no conversation {path}")
            for path in wanted
            if path not in there
        ]
        if len(wanted) > MOST_CONVERSATIONS:
            problem = f"at most {MOST_CONVERSATIONS} conversations are played at once"
            wrong.append(FieldViolation(field="paths", description=problem))
        if wrong:
            raise InvalidRequest(f"paths: {wrong[0].description}", violations=wrong)
        files, assets = dict(bundle.files), dict(bundle.assets)
        return await self._pool.run(rehearse, files, bundle.main, assets, wanted, self._root)


def rehearsals_of(settings: ExecutorSettings) -> Rehearsals:
    """Return what plays rehearsals, within the limits that the settings give."""
    root = system_dir(settings.system.system_dir)
    return Rehearsals(WorkerPool(settings.workers.rehearsals, imports=_PLAYER), root)


def rehearse(
    files: Mapping[str, bytes],
    main: str,
    assets: Mapping[str, str],
    paths: Sequence[str],
    root: str,
) -> RehearsedScript:
    """Play the conversations at `paths` of a bundle; `root` is the folder _system."""
    played: RehearsedScript = import_module(_PLAYER).play(files, main, assets, paths, root)
    return played
