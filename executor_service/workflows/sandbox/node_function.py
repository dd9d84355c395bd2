"""The code of a PYTHON node as a function of its inputs."""

from __future__ import annotations

import ast
from collections.abc import Iterable


def node_function(code: str, names: Iterable[str], name: str) -> ast.FunctionDef:
    """Return a function whose body the code is, and whose keyword arguments are the names.

    Raises:
        SyntaxError: The code cannot be read as Python.
        ValueError: It holds a null character.
        RecursionError: It nests too deeply.
    """
    body = ast.parse(code).body
    (shell,) = ast.parse(f"def {name}(): pass").body
    assert isinstance(shell, ast.FunctionDef)
    shell.args.kwonlyargs = [ast.arg(arg=each) for each in names]
    shell.args.kw_defaults = [None] * len(shell.args.kwonlyargs)
    shell.body = body or shell.body
    return shell
