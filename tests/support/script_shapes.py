"""Scripts as free data for property tests: right ones, and ones with a few things changed."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from executor_service.scripts.model.actions import CONFIGS, INTERACTIVE, ActionType
from executor_service.scripts.model.agent_file import AgentFile, AgentPhase, PhaseFeedback
from executor_service.scripts.model.exits import ConditionOperator
from executor_service.scripts.model.fields import Output
from executor_service.scripts.model.mapping import shape_of
from executor_service.scripts.model.script import Action, Phase, Script, Topic
from heartrule.domain.exits import DecisionSource

Data: TypeAlias = "dict[str, Any]"

TEXTS = st.sampled_from(["你好", "说一说", " 慢一点 ", "It is fine."])
IDS = st.sampled_from(["a", "b_1", "C-2", " d "])
NAMES = st.sampled_from(["称呼", "年龄", "mood_1", "_x", " 睡眠 "])
JUNK: tuple[Any, ...] = (
    *(None, "", " ", "abc", "3岁", "a b", "a，b", "x" * 129, "{称呼}", "on", "choice", "scale"),
    *("2026-11-21", "2026-13-01", "12", ">", "EXIT", "Content", "interrupt", "ai_agent", "session"),
    *("topic", "https://example.org/a.png", "ftp://x", "assets/a.png", "assets/../a", "https://"),
    *(0, 1, -1, 3.5, 101, 60_001, True, False, [], {}, [None], ["a"], [""], [3], [{}]),
    *({"get": "甲"}, [{"get": "甲"}], {"a": None}, {"min_rounds": None}, [{"var": "甲"}]),
)
"""Values that fit somewhere, or nowhere."""
KEYS = sorted(
    {"nonsense", "maxRounds", "technique_id", "get", "from", "min", "on_error", "monitor"}
    | {
        key
        for model in (Script, Phase, Topic, Action, Output, AgentFile, AgentPhase, PhaseFeedback)
        for key in shape_of(model).keys
    }
    | {key for shape in map(shape_of, CONFIGS.values()) for key in (*shape.keys, *shape.older)}
)
"""Keys of the language, of today and older, and others."""

_CONFIG_SHAPES = {kind.value: shape_of(model) for kind, model in CONFIGS.items()}


def _some(required: Data, optional: Data) -> SearchStrategy[Data]:
    return st.fixed_dictionaries(required, optional=optional)


OUTPUTS = _some(
    {"get": NAMES},
    {"define": TEXTS, "sensitive": st.booleans(), "type": st.sampled_from(["text", "integer"])},
) | st.just({"get": "选择", "type": "choice", "options": ["是", 2, True]})
CUSTOM = st.fixed_dictionaries(
    {
        "variable": NAMES,
        "operator": st.sampled_from([*ConditionOperator]).map(str),
        "value": st.sampled_from([3, 2.5, "12", "2026-11-21"]),
    }
)
CRITERIA = _some({"min_rounds": st.integers(1, 4)}, {"custom_conditions": st.lists(CUSTOM)})
POLICY = st.fixed_dictionaries(
    {"enabled_sources": st.lists(st.sampled_from([*DecisionSource]).map(str), min_size=1)}
)
_ASKED: Data = {"label": TEXTS, "required": st.booleans()}
_BOUNDS: Data = {"min": st.just(0), "max": st.just(3)}
_PLAIN = st.sampled_from(["text", "boolean", "date"])
FIELDS = (
    _some({"name": NAMES}, {**_ASKED, "type": _PLAIN})
    | _some({"name": NAMES, "type": st.sampled_from(["number", "integer"])}, {**_ASKED, **_BOUNDS})
    | _some({"name": NAMES, "type": st.just("scale"), **_BOUNDS}, _ASKED)
    | _some({"name": NAMES, "type": st.just("choice"), "options": st.just(["甲", "乙"])}, _ASKED)
)
DECLARED = _some(
    {"var": st.sampled_from(["旧事", "目标"])},
    {"define": TEXTS, "value": st.sampled_from(["无", 3, True, "2026-11-21", [1]])}
    | {"type": st.sampled_from(["text", "integer", "boolean", "date"])},
)
_ROUNDS = {"max_rounds": st.integers(1, 5)}
_TALK = {"tone": TEXTS, "exit": TEXTS, "exit_criteria": CRITERIA, **_ROUNDS}
_GATHERED = st.lists(OUTPUTS, max_size=2)
_RECORD = _some({"get": NAMES}, {"define": TEXTS, "type": st.sampled_from(["text", "integer"])})
COLLECT = _some(
    {"into": st.just("清单"), "fields": st.lists(_RECORD, min_size=1, max_size=2)},
    {"until": TEXTS | st.just("size({清单}) >= 2"), "sensitive": st.booleans()},
)
_GATHERING = _some({}, {"output": _GATHERED}) | st.fixed_dictionaries({"collect": COLLECT})
_CONFIGS: dict[str, SearchStrategy[Data]] = {
    "ai_ask": _some(
        {"content": TEXTS},
        {**_TALK, "required": st.booleans(), "brief": TEXTS}
        | {"options": st.lists(st.sampled_from(["甲", 1, True]), unique=True)},
    ).flatmap(lambda made: _GATHERING.map(lambda gathered: {**made, **gathered})),
    "ai_say": _some({"content": TEXTS}, {**_TALK, "goal": TEXTS}),
    "ai_think": _some(
        {"goal": TEXTS}, {"content": TEXTS, "input_variables": st.lists(NAMES), "output": _GATHERED}
    ),
    "fill_form": _some(
        {"form": st.fixed_dictionaries({"title": TEXTS, "fields": st.lists(FIELDS, min_size=1)})},
        {"content": TEXTS, **_ROUNDS},
    ),
    "ai_agent": _some(
        {"goal": TEXTS},
        {"exit_criteria": CRITERIA, "output": _GATHERED, **_ROUNDS}
        | {"allowed_decisions": st.sampled_from([["respond"], ["continue", "respond"]])}
        | {"node_types": st.just(["LLM", "HTTP"]), "subagent_types": st.just(["a_1"])}
        | {"max_decisions": st.integers(1, 20), "agent": IDS},
    ),
    "use_skill": _some(
        {"skill": IDS},
        {"input": st.lists(st.fixed_dictionaries({"name": NAMES, "value": TEXTS}), max_size=2)}
        | {"output": st.lists(st.fixed_dictionaries({"get": NAMES, "from": NAMES}), max_size=2)},
    ),
    "show_pic": _some(
        {"source": st.sampled_from(["https://example.org/a.png", "assets/圆 1.png"])},
        {"caption": TEXTS, "alt": TEXTS},
    ),
    "say": _some({"content": TEXTS}, {}),
}


MONITOR = st.sampled_from(["every_round", "on_suggestion", "on_signal", "off"]).flatmap(
    lambda word: st.sampled_from(
        [{"cadence": word}, {"cadence": "every_n", "n": 2}, {"wait_for_advice_ms": 5}]
    )
)


@st.composite
def actions(draw: DrawFn) -> Data:
    """An action, some keys of its config beside `config`."""
    kind = draw(st.sampled_from(sorted(ActionType)))
    config = draw(_CONFIGS[kind])
    beside = draw(st.sets(st.sampled_from(sorted(config)), max_size=2))
    optional: Data = {"mandatory": st.booleans(), "strategy_engine": st.sampled_from(["on", "off"])}
    optional["monitor"] = MONITOR
    if kind in INTERACTIVE:
        optional["exit_policy"] = POLICY
    own = draw(_some({"action_id": IDS}, {**optional, "condition": st.just("{称呼} == '甲'")}))
    inside = {key: value for key, value in config.items() if key not in beside}
    loose = {key: config[key] for key in beside}
    return {"action_type": kind.value, **own, **loose, **({"config": inside} if inside else {})}


TOPICS = _some(
    {"topic_id": IDS, "actions": st.lists(actions(), min_size=1, max_size=3)},
    {"topic_goal": TEXTS, "strategy": TEXTS | st.just({"max_retry_count": 2})}
    | {"declare": st.lists(DECLARED, max_size=2), "monitor": MONITOR},
)
PHASES = _some(
    {"phase_id": IDS, "topics": st.lists(TOPICS, min_size=1, max_size=2)},
    {"entry_condition": st.just("{称呼} == '甲'"), "declare": st.lists(DECLARED, max_size=1)},
)
SAFETY = st.sampled_from([{"mode": "on"}, {"mode": "off", "reason": "只给作者看"}])
_ROLES = st.lists(_some({"role": TEXTS, "name": TEXTS}, {"tone": TEXTS}), max_size=2)
SESSIONS = _some(
    {"session_id": IDS, "phases": st.lists(PHASES, min_size=1, max_size=2)},
    {"session_name": TEXTS, "template_scheme": IDS, "roles": _ROLES}
    | {"input": st.just({"if_busy": "queue", "merge_window_ms": 5})}
    | {"declare": st.lists(DECLARED, max_size=1), "monitor": MONITOR, "safety": SAFETY},
)
SCRIPTS = _some({"session": SESSIONS}, {"metadata": st.just({"name": "x", "n": [1, None]})})
TECHNIQUES = _some(
    {"technique_id": st.just("skill_1"), "topic": TOPICS},
    {
        "technique_name": TEXTS,
        "version": st.sampled_from([1.5, "2"]),
        "author": TEXTS,
        "output_variables": st.lists(NAMES, max_size=2),
    }
    | {"input_parameters": st.lists(_some({"name": NAMES}, {"required": st.booleans()}))},
)
_FEEDBACK = st.sampled_from(
    [
        {"text": "再写", "most": 2},
        {"rule": "until", "phrase": "完", "text": "再写"},
        {"rule": "judged", "question": "好吗", "text": "再写", "then": "谢谢"},
    ]
)
_UNITS = st.one_of(
    _some({"unit": st.just("starter"), "opening": TEXTS}, {"feedback": _FEEDBACK, "text": TEXTS}),
    _some({"unit": st.just("requester"), "opening": TEXTS}, {"output": st.just([{"get": "得分"}])}),
    st.just(
        {"unit": "requester", "opening": "写", "agent": "b", "each": "年龄", "input": {"a": 1}}
    ),
)
_MAIN_PHASES = (
    {
        "phase_id": "ask",
        "handler": "reply",
        "feedback": {"rule": "until", "phrase": "好"},
        "next": "p",
    },
    {"phase_id": "p", "handler": "prepare", "text": "请等等", "next": "w"},
    {"phase_id": "w", "handler": "execute", "agent": "b", "failure": "没有成", "next": "z"},
)
_DONE = {"phase_id": "z", "terminal": True}
AGENTS = st.builds(
    lambda unit, other: (
        {"agent_id": "x", "phases": [{"phase_id": "a", "next": "z", **unit}, _DONE]} | other
    ),
    _UNITS,
    _some(
        {},
        {"input": st.just([{"name": "年龄", "type": "number"}]), "timeout": st.integers(1, 60)}
        | {"title": TEXTS, "priority": st.integers(0, 10), "kind": st.just("sub_thread")},
    ),
) | st.just({"agent_id": "x", "kind": "main", "phases": [*_MAIN_PHASES, _DONE]})
GLOBALS = _some({}, {"global": st.lists(DECLARED, max_size=3)})


@st.composite
def mutated(draw: DrawFn, files: SearchStrategy[Data]) -> Data:
    """A file with up to three changes: a key more, less or another, another value."""
    data = copy.deepcopy(draw(files))
    for _ in range(draw(st.integers(0, 3))):
        _CHANGES[draw(st.integers(0, len(_CHANGES) - 1))](draw, data)
    return data


def _places(node: Any) -> Iterator[Any]:
    """Yield every mapping and every list that is not empty, the outermost first."""
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from _places(value)
    elif isinstance(node, list) and node:
        yield node
        for value in node:
            yield from _places(value)


def _place(draw: DrawFn, data: Data, kind: type) -> Any:
    found = [place for place in _places(data) if isinstance(place, kind) and place]
    return found[draw(st.integers(0, len(found) - 1))] if found else None


def _add(draw: DrawFn, data: Data) -> None:
    place = _place(draw, data, dict)
    if place is not None:
        place[draw(st.sampled_from(KEYS))] = copy.deepcopy(draw(st.sampled_from(JUNK)))


def _say_otherwise(draw: DrawFn, data: Data) -> None:
    """Write a key of a config, or an older name, in `config` or beside it."""
    found = [place for place in _places(data) if "action_type" in place]
    if not found:
        return
    action = found[draw(st.integers(0, len(found) - 1))]
    shape = _CONFIG_SHAPES.get(str(action["action_type"]), _CONFIG_SHAPES["ai_ask"])
    inside = draw(st.booleans()) and isinstance(action.get("config"), dict)
    place = action["config"] if inside else action
    value = st.sampled_from(["称呼", ["称呼"], {"get": "甲"}, 2, None])
    place[draw(st.sampled_from([*shape.keys, *shape.older]))] = draw(value)
    if draw(st.booleans()):
        place.pop(draw(st.sampled_from(["content", "goal", "output"])), None)


def _remove(draw: DrawFn, data: Data) -> None:
    place = _place(draw, data, dict)
    if place is not None:
        del place[draw(st.sampled_from(sorted(place)))]


def _rename(draw: DrawFn, data: Data) -> None:
    place = _place(draw, data, dict)
    if place is not None:
        value = place.pop(draw(st.sampled_from(sorted(place))))
        place[draw(st.sampled_from(KEYS))] = value


def _replace(draw: DrawFn, data: Data) -> None:
    place = _place(draw, data, dict)
    if place is not None:
        place[draw(st.sampled_from(sorted(place)))] = copy.deepcopy(draw(st.sampled_from(JUNK)))


def _replace_item(draw: DrawFn, data: Data) -> None:
    place = _place(draw, data, list)
    if place is not None:
        index = draw(st.integers(0, len(place) - 1))
        place[index] = copy.deepcopy(draw(st.sampled_from(JUNK)))


_CHANGES: tuple[Callable[[DrawFn, Data], None], ...] = (
    *(_add, _remove, _rename, _say_otherwise, _say_otherwise),
    *(_replace, _replace, _replace, _replace_item),
)
