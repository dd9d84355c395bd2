"""What an author should look at in a script that can run (the linter)."""

from __future__ import annotations

from executor_service.scripts.checking.context import ReadContext
from executor_service.scripts.checking.lint_options import check_options
from executor_service.scripts.checking.lint_outputs import check_outputs
from executor_service.scripts.checking.lint_reach import check_reach
from executor_service.scripts.checking.lint_reads import Sources, check_reads
from executor_service.scripts.model.script import Script


def lint(script: Script, context: ReadContext) -> None:
    """Report what looks unintended; `script`, or technique, loaded without errors.

    Every check goes over the script once: the time grows with its length and no faster.
    """
    sources = Sources(script, context)
    check_reads(sources, context)
    check_reach(script, sources, context)
    check_options(script, context)
    check_outputs(context)
