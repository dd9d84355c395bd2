"""What is done with scripts in worker processes: plain data in, plain data out.

A loaded script does not pickle, and is not needed to answer an author.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from executor_service.scripts.checking.environment import LintEnvironment, trusting
from executor_service.scripts.loading.loader import load_script
from executor_service.scripts.loading.replaced import replaced_files
from executor_service.scripts.model.findings import Located
from heartrule.domain.replacement import ActionReplacement


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedScript:
    """What checking a bundle gave."""

    script_id: str
    """Empty when any finding is an error."""
    session_name: str
    findings: tuple[Located, ...]
    added: Mapping[str, bytes]
    """Techniques of the installation that the script uses, by the path they take in its bundle."""


def check(files: Mapping[str, bytes], main: str, environment: LintEnvironment) -> CheckedScript:
    """Return what is wrong with a script, and what it is called."""
    loaded = load_script(files, main=main, environment=environment)
    script = loaded.script
    return CheckedScript(
        script_id=script.session_id if script else "",
        session_name=script.session_name if script else "",
        findings=loaded.findings,
        added=dict(loaded.added),
    )


def check_replaced(
    files: Mapping[str, bytes], main: str, tried: Sequence[ActionReplacement]
) -> tuple[Located, ...]:
    """Return the errors of a published script with other configs; empty where it loads.

    Raises:
        InvalidRequest: The script has no such phase, topic or action.
    """
    changed = replaced_files(files, main, tried)
    return load_script(changed, main=main, environment=trusting()).errors
