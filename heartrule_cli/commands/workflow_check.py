"""`heartrule workflow check FILE…`: every mistake of workflows in files, as of scripts."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Mapping

from executor_service.decisions.policy import NO_POLICY
from heartrule.words.language import language_in
from heartrule.words.words import say
from heartrule_cli.commands.check import CheckReport, print_report
from heartrule_cli.gate_policy import author_facts, policy_of
from heartrule_cli.workflow_source import workflow_in


def check_workflows(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print all findings of all files; return 2 where there are any, else 0."""
    policy, language = policy_of(environ, args.policy), language_in(environ, args.lang)
    facts = author_facts(policy)
    found = [each for name in args.files for each in workflow_in(name, facts).findings]
    checked = CheckReport(
        files=tuple(args.files),
        findings=tuple(found),
        noun="workflow",
        language=language,
    )
    code = print_report(checked, args.format)
    if not checked.is_ok and policy == NO_POLICY:
        print(say("cli.workflow.no_policy").told(language), file=sys.stderr)
    return code
