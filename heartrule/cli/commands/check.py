"""`heartrule check FILE…`: every mistake of scripts, without a server."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Mapping

from heartrule.cli.failure import WRONG, Failure
from heartrule.cli.scripts import (
    bundle_of,
    check_bundle,
    count_text,
    find_script,
    finding_text,
    installed_environment,
)


def check(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print all findings of all files; return 2 where one is an error, else 0."""
    environment = installed_environment(environ)
    errors: dict[str, None] = {}  # in order, each once: scripts may share a global.yaml
    warnings: dict[str, None] = {}
    for name in args.files:
        path = find_script(name, environ)
        try:
            found = check_bundle(bundle_of(path), environment)
        except Failure as failure:
            errors[f"{path}: {failure}"] = None
            continue
        for finding in found:
            (errors if finding.is_error else warnings)[finding_text(finding, path)] = None
    for line in (*errors, *warnings):
        print(line)
    told = ", ".join(
        count_text(len(lines), noun)
        for lines, noun in ((errors, "error"), (warnings, "warning"))
        if lines
    )
    if errors:
        print(told, file=sys.stderr)
        return WRONG
    print(f"OK: {count_text(len(args.files), 'script')}" + (f", {told}" if told else ""))
    return 0
