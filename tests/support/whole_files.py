"""How xdist deals tests out: most of them by the file, those that start services one by one."""

from __future__ import annotations

from xdist.scheduler import LoadGroupScheduling  # type: ignore[import-untyped]

ONE_BY_ONE = ("tests/e2e/", "tests/integration/")
"""Their tests take seconds each: a whole file would keep one worker busy to the end."""


class WholeFiles(LoadGroupScheduling):  # type: ignore[misc]  # xdist tells no types
    """Gives a worker a group or a file at once, so that what a file reads is read once.

    The scheduler's own work grows with the square of what it deals out: one by one, ten thousand
    tests cost it a quarter of a minute.
    """

    def _split_scope(self, nodeid: str) -> str:
        """Return the name of the heap a test belongs to."""
        scope: str = super()._split_scope(nodeid)
        if scope != nodeid or nodeid.startswith(ONE_BY_ONE):
            return scope
        return nodeid.partition("::")[0]
