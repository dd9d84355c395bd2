"""An event of the log is a key that never varies."""

from __future__ import annotations

import ast

from tests.support.source_tree import code

METHODS = {"debug", "info", "warning", "error", "exception", "critical"}
LOGGERS = {"log", "LOG", "_log", "_LOG"}
# A document words this line, with the name and the scope in it.
WORDED = {"executor_service/variables/variable_store.py"}


def varies(call: ast.Call) -> bool:
    """Return whether a call logs more than a fixed text, with facts beside it."""
    text = call.args[0]
    fixed = isinstance(text, ast.Constant) or (isinstance(text, ast.Name) and text.id.isupper())
    return len(call.args) != 1 or not fixed


def test_a_log_call_has_a_fixed_event_and_its_values_as_facts() -> None:
    """Lines of one kind can be counted, and a value can be searched for by its name."""
    found = {
        file.name
        for file in code()
        for node in ast.walk(file.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in METHODS
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in LOGGERS
        and varies(node)
    }
    assert found == WORDED
