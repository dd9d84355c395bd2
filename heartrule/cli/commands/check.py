"""`heartrule check FILE…`: every mistake of scripts, without a server."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Mapping

from executor_service.scripts.findings import FindingSeverity
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
    told: dict[FindingSeverity, dict[str, None]] = {kind: {} for kind in FindingSeverity}
    errors = told[FindingSeverity.ERROR]  # in order, each once: scripts may share a global.yaml
    for name in args.files:
        path = find_script(name, environ)
        try:
            found = check_bundle(bundle_of(path), environment)
        except Failure as failure:
            errors[f"{path}: {failure}"] = None
            continue
        for finding in found:
            told[finding.severity][finding_text(finding, path)] = None
    for lines in told.values():
        for line in lines:
            print(line)
    counts = [count_text(len(lines), kind.value) for kind, lines in told.items() if lines]
    if errors:
        print(", ".join(counts), file=sys.stderr)
        return WRONG
    print(", ".join((f"OK: {count_text(len(args.files), 'script')}", *counts)))
    return 0
