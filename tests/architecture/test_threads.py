"""Threads are passed on as the main thread and a path, and interfaces are as they are printed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.support.source_tree import Function, Source, code

EXTRACTED = "ExtractedThread"
SIGNATURES = {
    "execute_task": ("self", "task", "thread"),
    "handle": ("self", "task", "thread", "agent"),
    "execute": ("self", "task", "thread", "agent"),
    "generate_user_message": ("self", "bot_message", "task", "thread", "agent"),
    "_suggest_phase_update": ("self", "task", "thread"),
    "_apply_phase_update_suggestion": ("self", "task", "thread"),
}
"""Document 003, section 11.3."""
NOT_ASYNC = {"_suggest_phase_update", "_apply_phase_update_suggestion"}
BASES = {"BaseAgent", "SubThreadAgent", "StateHandler", "InteractionUnit", "PhaseSuggesting"}
KINDS = {"Responsor", "Starter", "Requester", "ThreadAgent"} | BASES
PERSISTS = {"save_thread", "update_message", "write", "write_message"}


def arguments(function: Function) -> Iterator[ast.arg]:
    """Yield all arguments of a function."""
    args = function.args
    yield from (*args.posonlyargs, *args.args, *args.kwonlyargs)
    yield from (each for each in (args.vararg, args.kwarg) if each)


def takes_extracted(tree: ast.AST) -> Iterator[str]:
    """Yield the functions that take an extracted thread, under its name or in a container."""
    for node in ast.walk(tree):
        if isinstance(node, Function):
            annotations = (each.annotation for each in arguments(node) if each.annotation)
            if any(EXTRACTED in ast.unparse(each) for each in annotations):
                yield node.name


def parts(source: Source) -> Iterator[ast.ClassDef]:
    """Yield the classes of a module that are parts of agents, by the names of their bases."""
    known = set(KINDS)
    for node in source.tree.body:
        if isinstance(node, ast.ClassDef):
            bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
            if node.name in KINDS or bases & known or any(map(_is_handler, bases)):
                known.add(node.name)
                yield node


def _is_handler(base: str) -> bool:
    return base.startswith("SubThread") and base.endswith(("Handler", "Agent"))


def test_no_function_takes_an_extracted_thread() -> None:
    """003-3.1, 003-11.1, R23: a sub-thread is read where it was extracted, and never passed on."""
    naming = [each for each in code() if EXTRACTED in each.text]
    found = [f"{each.name}:{name}" for each in naming for name in takes_extracted(each.tree)]
    assert naming
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "def f(thread: ExtractedThread): ...",
        "async def f(*, thread: list[ExtractedThread] | None = None): ...",
        "class A:\n    def f(self, *threads: thread_tree.ExtractedThread): ...",
    ],
)
def test_a_function_that_takes_one_is_noticed(text: str) -> None:
    """The check itself can fail."""
    assert list(takes_extracted(ast.parse(text))) == ["f"]


def test_the_printed_signatures_are_kept() -> None:
    """003-10.1, 003-11.1, 003-11.3: names and arguments of the interfaces never change."""
    wrong, seen = [], set()
    for source in code():
        for part in parts(source):
            for method in (each for each in part.body if isinstance(each, Function)):
                if method.name not in SIGNATURES:
                    continue
                seen.add(method.name)
                found = tuple(each.arg for each in arguments(method))
                is_async = isinstance(method, ast.AsyncFunctionDef)
                is_right = is_async is (method.name not in NOT_ASYNC)
                if found != SIGNATURES[method.name] or not is_right:
                    wrong.append(f"{source.name}:{part.name}.{method.name}{found}")
    assert wrong == []
    assert seen == set(SIGNATURES)


def test_agents_write_nothing() -> None:
    """003-6.1, T19: units write messages, handlers write states; agents leave both to them."""
    names = ("executor_service/threads/agents.py", "executor_service/threads/thread_agent.py")
    modules = [source for source in code() if source.name in names]
    called = {
        node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        for source in modules
        for node in source.nodes
        if isinstance(node, ast.Call)
    }
    assert len(modules) == len(names)
    assert called & PERSISTS == set()
