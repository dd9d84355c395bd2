"""Generated scripts: shipped ones with a few changes, and trees of known words.

Only located findings may leave the loader, whatever the bytes are, and it must end soon.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from executor_service.lint_installation import lint_environment
from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.loading.loader import LoadResult, load_script
from heartrule.chassis.system_files import system_dir
from heartrule.model.template_store import TemplateStore
from tests.chaos.fuzz.rounds import Found, Tally, explore

LONGEST_S = 5.0
_KEYS = (
    "session", "session_id", "phases", "phase_id", "topics", "topic_id", "actions", "action_type",
    "action_id", "config", "content", "output", "get", "define", "max_rounds", "exit_criteria",
    "condition", "strategy", "declare", "import", "techniques", "form", "options", "type", "tone",
    "require_acknowledgment", "safety", "monitor", "variables", "skill", "repeat", "scope", "value",
    "understanding_threshold", "has_questions", "target_user", "template_scheme",
)  # fmt: skip
_SCALARS = (
    "ai_ask", "ai_say", "ai_think", "show_pic", "fill_form", "yes", "no", "null", "~",
    "0", "-1", "1e999",
    "0x1F", "2026-11-22", "{name}", "{%chat%}", "{", "}", "a > 1", "1 +", "((((", "'", "你好", "",
    "[", "*a", "&a x", "!!python/object:os.system", "<<", "text", "number", "a.b.c",
    "topic", "session",
)  # fmt: skip
_TOKENS = (
    "\t", "\r", "\x00", ":", "- ", "? ", "&a ", "*a", "!x ", "|\n", ">-\n", "{", "}",
    "[", "]", ",", "#",
    "'", '"', "%YAML 9\n", "---\n", "...\n", "<<: *a\n", "\ufeff", "\u2028", "  ",
    "\n\n", "💥", "{x}",
)  # fmt: skip

Strategy = st.SearchStrategy[Any]
Change = Callable[[list[str]], None]


def shipped() -> Mapping[str, str]:
    """Return the scripts of the installation by their names."""
    folder = system_dir(None) / "scripts"
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml"))}


def environment() -> LintEnvironment:
    """Return what the installation offers to scripts."""
    root: Path = system_dir(None)
    return lint_environment(TemplateStore(root / "config"), root / "skills")


def _changed(text: str, changes: Sequence[tuple[int, int, str]]) -> str:
    lines = text.split("\n")
    for kind, place, token in changes:
        at = place % len(lines)
        line = lines[at]
        inside = place // 7 % (len(line) + 1)
        if kind == 0 and len(lines) > 1:
            del lines[at]
        elif kind == 1:
            lines.insert(at, line)
        elif kind == 2:
            lines[at] = "  " * (place % 5) + line.lstrip()
        elif kind == 3:
            lines[at] = line[:inside] + token + line[inside:]
        elif kind == 4:
            lines[at] = line[:inside] + line[inside + 1 + place % 9 :]
        elif kind == 5:
            key, colon, _ = line.partition(":")
            lines[at] = f"{key}{colon} {token}"
        else:
            other = place // 3 % len(lines)
            lines[at], lines[other] = lines[other], line
    return "\n".join(lines)


_trees: Strategy = st.recursive(
    st.sampled_from(_SCALARS) | st.integers(-5, 5) | st.booleans() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=6)
    ),
    max_leaves=25,
)


def _in_place(action: object, topic: object) -> dict[str, object]:
    """Return a script that is right up to the place of the tree."""
    listed = {"topic_id": "t", "actions": [action]}
    topics = [listed, topic] if topic is not None else [listed]
    return {"session": {"session_id": "s", "phases": [{"phase_id": "p", "topics": topics}]}}


def _actions(config: object, kind: str) -> dict[str, object]:
    return {"action_type": kind, "action_id": "a", "config": config}


def texts() -> Strategy:
    """Return scripts as bytes."""
    words = st.sampled_from([*_TOKENS, *_SCALARS, *_KEYS])
    change = st.tuples(st.integers(0, 6), st.integers(0, 100_000), words)
    mutated = st.builds(
        _changed,
        st.sampled_from(list(shipped().values())),
        st.lists(change, min_size=1, max_size=5),
    )
    action = st.builds(_actions, _trees, st.sampled_from(_SCALARS[:5])) | _trees
    tree = st.builds(_in_place, action, st.none() | _trees) | _trees
    dumped = tree.map(lambda made: yaml.safe_dump(made, allow_unicode=True))
    return st.one_of(mutated, mutated, dumped, st.text(max_size=60)).map(
        lambda text: text.encode("utf-8", "surrogatepass")
    ) | st.binary(max_size=60)


def wrong(result: LoadResult) -> str:
    """Return which rule a result breaks, or nothing."""
    if result.script is None and not result.errors:
        return "refused without an error"
    lost = [found for found in result.findings if not found.file or found.line < 1]
    return f"a finding without a place: {lost[0]}" if lost else ""


def fuzz_scripts(examples: int, *, seed: int, tally: Tally) -> None:
    """Load so many scripts; whatever leaves the loader but a located finding is found."""
    offered = environment()

    @given(texts())
    def run(text: bytes) -> None:
        tally.ran += 1
        began = time.monotonic()
        try:
            broken = wrong(load_script({"script.yaml": text}, environment=offered))
        except Exception as error:
            raise Found(f"script: {type(error).__name__}: {error}: {text!r}") from error
        if time.monotonic() - began > LONGEST_S:
            broken = f"took more than {LONGEST_S:g} s"
        if broken:
            raise Found(f"script: {broken}: {text!r}")

    explore(run, examples, seed=seed, tally=tally)
