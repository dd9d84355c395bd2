"""The rules of a PYTHON node's code (document 002, section 3.1.2; RESOLUTIONS D9).

The syntax tree is read, never the text. It is the first wall of two: what Python makes of a value
while it runs, no tree tells, so the sandbox confines the code whatever is found here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable, Iterator
from string import Formatter
from typing import TypeGuard

from executor_service.workflows.sandbox.node_function import node_function
from heartrule.domain.decisions import FindingCode, RuleFinding
from heartrule.domain.workflows import SandboxTier

MOST_BYTES = 65_536
"""UTF-8 bytes of one node's code."""
MOST_FINDINGS = 20
"""So that code made of nothing but faults gives no report of its own size."""
RULE = "3.1.2 dangerous operations"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SMALL_MODULES = _words(
    "base64 bisect collections copy csv datetime decimal functools hashlib itertools json math "
    "random re time typing unicodedata"
)
"""What the small sandbox's interpreter has and nothing outside can be reached by."""
PROCESS_MODULES = frozenset({"matplotlib", "numpy", "pandas"})

_NAMES = _words(
    "breakpoint compile delattr eval exec exit getattr globals hasattr help input locals open quit "
    "setattr vars"
)
# Libraries hold the modules they import as attributes: pandas.io.common.os is os.
_MODULES = _words(
    "argparse ast asyncio atexit bdb bltns builtins codecs contextlib copyreg ctypes ctypeslib "
    "dis distutils f2py fcntl fileinput gc glob importlib inspect io linecache logging marshal "
    "mmap multiprocessing nt ntpath operator os pathlib pickle pickletools pkgutil platform posix "
    "posixpath pty resource runpy shelve shutil signal site socket sqlite3 ssl subprocess sys "
    "sysconfig tarfile tempfile threading tokenize traceback types urllib warnings weakref "
    "webbrowser zipfile"
)
# From a generator, a traceback or a function these lead to the frames and globals of others.
_FRAMES = _words(
    "ag_code ag_frame cr_await cr_code cr_frame f_back f_builtins f_code f_globals f_locals "
    "f_trace func_globals gi_code gi_frame gi_yieldfrom mro tb_frame tb_next"
)
# Each runs a text, or what lies in a file, as code; `query` and `eval` are those of a DataFrame.
_TEXT_AS_CODE = _words(
    "CodeType ForwardRef FunctionType eval evaluate_forward_ref exec get_type_hints load popen "
    "query read_pickle system"
)
_ATTRIBUTES = _MODULES | _FRAMES | _TEXT_AS_CODE
_FORMATS = frozenset({"format", "format_map"})
_KEYWORDS = frozenset({"allow_pickle", "eval_str"})

_CONSTRUCTS: dict[type[ast.AST], str] = {
    ast.AsyncFunctionDef: "`async def`",
    ast.AsyncFor: "`async for`",
    ast.AsyncWith: "`async with`",
    ast.Await: "`await`",
    ast.ClassDef: "`class`",
    ast.Global: "`global`",
    ast.Yield: "`yield`",
    ast.YieldFrom: "`yield from`",
    ast.comprehension: "`async for`",
}
"""A body is one function that returns a value: it has no event loop, module or consumer."""


def check_python(
    code: str, path: str, sandboxes: Container[SandboxTier]
) -> tuple[RuleFinding, ...]:
    """Return what forbids code to run, where `sandboxes` are those at hand; empty: nothing."""
    if len(code.encode(errors="surrogatepass")) > MOST_BYTES:
        text = f"{path} is longer than {MOST_BYTES} bytes; split the work into several nodes."
        return (_finding(path, text, FindingCode.TOO_LARGE),)
    try:
        tree = _body(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = f" (line {error.lineno})" if isinstance(error, SyntaxError) else ""
        text = f"{path} cannot be read as the body of a Python function{line}; write valid Python."
        return (_finding(path, text),)
    nodes = list(ast.walk(tree))
    objections = sorted(set(_objections(nodes)))[:MOST_FINDINGS]
    found = tuple(_finding(path, f"{path}, line {line}: {text}") for line, text in objections)
    return found + _no_sandbox(_tier(nodes), path, sandboxes)


def tier_of(code: str) -> SandboxTier:
    """Return where code that passed `check_python` runs, by what it imports."""
    return _tier(ast.walk(ast.parse(code)))


def _body(code: str) -> ast.Module:
    """Return a module of one function whose body the code is, so that `return` is in its place."""
    function = node_function(code, (), "node")
    shell = ast.fix_missing_locations(ast.Module(body=[function], type_ignores=[]))
    # Some faults, such as a `break` outside a loop, only the compiler finds. Nothing is run.
    compile(shell, "<node>", "exec", dont_inherit=True)
    return shell


def _finding(
    path: str, message: str, code: FindingCode = FindingCode.FORBIDDEN_OPERATION
) -> RuleFinding:
    return RuleFinding(code=code, path=path, message=message, rule=RULE)


def _no_sandbox(
    tier: SandboxTier, path: str, sandboxes: Container[SandboxTier]
) -> tuple[RuleFinding, ...]:
    if tier in sandboxes:
        return ()
    text = f"{path} needs the sandbox `{tier}`, which this installation does not have."
    return (_finding(path, text),)


def _tier(nodes: Iterable[ast.AST]) -> SandboxTier:
    imports = {name.split(".")[0] for node in nodes for name in _imported(node)}
    return SandboxTier.PROCESS if imports & PROCESS_MODULES else SandboxTier.SMALL


def _imported(node: ast.AST) -> list[str]:
    """Return the dotted modules that a statement imports; a relative one begins with a point."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return ["." * node.level + (node.module or "")]
    return []


def _objections(nodes: list[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield line and objection."""
    excused = {id(node.func) for node in nodes if _reads_constant_name(node)}
    for node in nodes:
        if node._fields and id(node) not in excused:  # an operator has no fields
            line = getattr(node, "lineno", 0)
            for rule in (_RULES.get(type(node)), _of_identifiers):
                for text in rule(node) if rule else ():
                    yield line, text


def _of_construct(node: ast.AST) -> Iterator[str]:
    if not isinstance(node, ast.comprehension) or node.is_async:
        yield f"{_CONSTRUCTS[type(node)]} is not part of a node's code."


def _of_call(node: ast.AST) -> Iterator[str]:
    if _reads_constant_name(node):
        yield from _of_read(_constant(node.args[1]))


def _of_import(node: ast.AST) -> Iterator[str]:
    for name in _imported(node):
        root, *parts = name.split(".")
        if root not in SMALL_MODULES | PROCESS_MODULES:
            yield f"the module `{name[:80]}` may not be imported."
        for part in parts:
            yield from _of_attribute(part)
    if isinstance(node, ast.ImportFrom):
        for alias in node.names:
            if alias.name == "*":
                yield "`import *` brings names that cannot be checked; name what you import."
            yield from _of_attribute(alias.name)


def _of_identifiers(node: ast.AST) -> Iterator[str]:
    """Check whatever the tree holds as a name, wherever the language puts one."""
    if isinstance(node, ast.Constant | ast.ImportFrom):
        return
    for field in node._fields:
        value = getattr(node, field, None)
        for name in value if isinstance(value, list) else (value,):
            if not isinstance(name, str):
                continue
            if field == "attr":
                yield from _of_attribute(name)
            elif field == "kwd_attrs":
                yield from _of_read(name)
            elif isinstance(node, ast.keyword):
                yield from _of_keyword(name)
            elif (type(node), field) != (ast.alias, "name"):  # `_of_import` has read it
                yield from _of_name(name)


def _of_name(name: str) -> Iterator[str]:
    if "__" in name:
        yield f"the name `{name[:80]}` has a double underscore."
    elif name in _NAMES:
        yield f"`{name}` may not be used."


def _of_attribute(name: str) -> Iterator[str]:
    """Object to an attribute; an underscore in front marks what a library keeps for itself."""
    if name.startswith("_") or "__" in name:
        yield f"the attribute `{name[:80]}` is not public."
    elif name in _ATTRIBUTES:
        yield f"the attribute `{name}` may not be used."


def _of_read(name: str) -> Iterator[str]:
    """Object to an attribute that is read by name; of a text's format nothing is known then."""
    if name in _FORMATS:
        yield f"the attribute `{name}` may not be read by name."
    yield from _of_attribute(name)


def _of_keyword(name: str) -> Iterator[str]:
    if "__" in name or name in _KEYWORDS:
        yield f"the argument `{name[:80]}` may not be used."


def _reads_constant_name(node: ast.AST) -> TypeGuard[ast.Call]:
    """Tell a call of getattr or hasattr whose attribute stands in the code as a text."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"getattr", "hasattr"}
        and len(node.args) > 1
        and not any(isinstance(argument, ast.Starred) for argument in node.args)
        and bool(_constant(node.args[1]))
    )


def _constant(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _of_format(node: ast.AST) -> Iterator[str]:
    """Object to a `format` that reads attributes: its fields are code in a text."""
    if not isinstance(node, ast.Attribute) or node.attr not in _FORMATS:
        return
    text = node.value
    if not isinstance(text, ast.Constant) or not isinstance(text.value, str):
        yield f"`{node.attr}` of a computed text may not be used; write an f-string."
    elif any("." in field for field in _fields(text.value)):
        yield f"`{node.attr}` may not read attributes; write an f-string."


def _fields(text: str, depth: int = 2) -> Iterator[str]:
    """Yield the fields of a format and of its specifications, as deep as `format` itself goes."""
    try:
        parts = list(Formatter().parse(text))
    except ValueError:
        return  # `format` raises the same when it runs
    for _, name, spec, _ in parts:
        yield name or ""
        if spec and depth > 1:
            yield from _fields(spec, depth - 1)


_RULES: dict[type[ast.AST], Callable[[ast.AST], Iterator[str]]] = {
    **dict.fromkeys(_CONSTRUCTS, _of_construct),
    ast.Import: _of_import,
    ast.ImportFrom: _of_import,
    ast.Attribute: _of_format,
    ast.Call: _of_call,
}
