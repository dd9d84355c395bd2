"""Reads scene files and plays them on a stage; the format is told in tests/scenarios."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import yaml

from heartrule.domain.errors import HeartRuleError, ModelStreamCut, ModelUnavailable
from heartrule.domain.events import (
    ActionResultRecorded,
    AdviceChanged,
    AnalysisEnded,
    DraftDelta,
    InputRejected,
    MessageCommitted,
    SessionEvent,
    TurnEnded,
    VariableChanged,
)
from heartrule.domain.input_request import InputRequested
from heartrule.domain.monitoring import AnalysisAnswer
from heartrule.domain.skipping import StepSkipped
from heartrule.model.ports import ChatMessage
from session_store.records import Page
from tests.support.fake_model import FakeModel, Reply, ask_reply, whole
from tests.support.fake_monitor import SILENT, FakeMonitor, advises
from tests.support.stage import JudgingMonitor, Stage

_SOON_S = 5.0
READERS = ("executor_service.actions.reading", "monitor_service.asking")
"""Loggers whose lines a scene may expect."""
_KEYS = {"title", "shows", "script", "model", "monitor", "monitor_model", "held", "turns", "locale"}
_KEYS |= {"files", "imported", "strategy_engine"}
_TURN_KEYS = {"client", "form", "request", "id", "release", "expect"}


def load_scene(path: Path) -> dict[str, Any]:
    """Return a scene; a key the format does not have is an error."""
    scene: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    unknown = set(scene) - _KEYS
    unknown |= {key for turn in scene["turns"] for key in set(turn) - _TURN_KEYS}
    assert not unknown, f"{path.name}: unknown keys {sorted(unknown)}"
    return scene


class Play:
    """One scene being played."""

    def __init__(self, scene: Mapping[str, Any]) -> None:
        """Set the models; `prepare` sets the rest."""
        self._scene = scene
        self._gate = asyncio.Event() if scene.get("held") else None
        self.model = FakeModel([reply_of(each) for each in scene.get("model", [])])
        self.judge = FakeModel([reply_of(each) for each in scene.get("monitor_model", [])])
        answers = [_answer(each) for each in scene.get("monitor", [])]
        self.stage = Stage(self.model, FakeMonitor(answers, gate=self._gate))
        self._asked = self._paid = self._told = 0
        self._number = 0

    async def prepare(self) -> None:
        """Publish the script and create the session."""
        if "monitor_model" in self._scene:
            self.stage.monitor = JudgingMonitor(self.judge, self.stage.templates)
        files = self._scene.get("files", {})
        locale = self._scene.get("locale", "zh-CN")
        imported = self._scene.get("imported", {})
        await self.stage.set(
            self._scene["script"],
            files=files,
            imported=imported,
            strategy_engine=self._scene.get("strategy_engine"),
            locale=locale,
        )

    async def turn(self, step: Mapping[str, Any]) -> dict[str, Any]:
        """Play one turn, let the analyses end, and return what a scene may expect of it."""
        if "client" in step or "form" in step:
            self._number += 1
            told = await self._send(step.get("id", f"m{self._number}"), step)
        else:
            told = await self.stage.initialize()
        await self.stage.turns_over()
        if self._gate is not None and not self._gate.is_set():
            await self._reported(told)
        if step.get("release") and self._gate is not None:
            self._gate.set()
        if self._gate is None or self._gate.is_set():
            await self.stage.desk.idle()
        return await self._seen(told)

    async def _send(self, name: str, step: Mapping[str, Any]) -> list[SessionEvent]:
        """Say the turn's words, or submit its form for the request that is open."""
        if "form" not in step:
            return await self.stage.send(name, step["client"])
        record = await self.stage.store.get_session(self.stage.key)
        opened = record.open_request.input_request_id if record.open_request else "none"
        request = step.get("request", opened)
        return await self.stage.submit(name, step["form"], request, text=step.get("client", ""))

    async def _reported(self, told: Sequence[SessionEvent]) -> None:
        """Return when the monitor, which is held, was asked about every round of the turn."""
        results = (body.action_result for body in _bodies(told, ActionResultRecorded))
        wanted = {
            (each.action_instance_id, each.round)
            for each in results
            if each.metadata.get("analysis") == "requested"
        }
        monitor = self.stage.monitor
        assert isinstance(monitor, FakeMonitor)
        async with asyncio.timeout(_SOON_S):
            await monitor.was_asked_about(wanted)

    async def _seen(self, told: Sequence[SessionEvent]) -> dict[str, Any]:
        state = await self.stage.store.get_session(self.stage.key)
        values = await self.stage.store.list_variables(self.stage.key)
        ledger, _ = await self.stage.store.list_calls(self.stage.key, Page(size=500))
        strategies, _ = await self.stage.store.list_strategies(self.stage.key, Page(size=500))
        events = await self.stage.store.read_events(self.stage.key, self._told)
        asked = self.model.requests[self._asked :]
        paid = ledger[self._paid :]
        self._asked, self._paid = len(self.model.requests), len(ledger)
        self._told = events[-1].sequence if events else self._told
        ends = _bodies(told, TurnEnded)
        return {
            "said": [body.message.spoken() for body in _bodies(told, MessageCommitted)],
            "rejected": [body.problem.reason for body in _bodies(told, InputRejected)],
            "requests": [plain(body) for body in _bodies(told, InputRequested)],
            "open_request": state.open_request is not None,
            "media": [
                plain(part.media)
                for body in _bodies(told, MessageCommitted)
                for part in body.message.parts
                if part.media
            ],
            "drafted": "".join(body.text for body in _bodies(told, DraftDelta)),
            "outcome": ends[-1].outcome.value if ends else "",
            "problem": plain(ends[-1].problem) if ends else None,
            "degradations": [d.reason for d in ends[-1].degradations] if ends else [],
            "results": [plain(body.action_result) for body in _bodies(told, ActionResultRecorded)],
            "status": state.status.value,
            "position": plain(state.position),
            "variables": {value.name: plain(value.value) for value in values},
            "strategies": [plain(each) for each in strategies],
            "calls": len(asked),
            "prompt": asked[-1].messages[-1].content if asked else "",
            "prompts": [request.prompt_type for request in asked],
            "ledger": [plain(call) for call in paid],
            **await self._histories(),
            "skipped": [plain(body) for body in _bodies(told, StepSkipped)],
            "wrote": [_written(body) for body in _bodies(told, VariableChanged)],
            "advice": [body.advice.state.value for body in _bodies(events, AdviceChanged)],
            "analyses": [plain(body) for body in _bodies(events, AnalysisEnded)],
            "events": [type(event.body).__name__ for event in told if event.sequence],
            "reports": len(getattr(self.stage.monitor, "reports", ())),
            "monitor_prompt": "\n".join(m.content for m in self._last_judged()),
        }

    async def _histories(self) -> dict[str, Any]:
        """Return what the session keeps besides where it stands."""
        store, key, most = self.stage.store, self.stage.key, Page(size=500)
        definitions = await store.list_definitions(key)
        values = await store.list_variables(key)
        shots, _ = await store.list_snapshots(key, most)
        exits, _ = await store.list_exits(key, most)
        return {
            "definitions": [
                f"{d.origin} {d.name} {d.scope} {d.scope_id}".strip() for d in definitions
            ],
            "live": {f"{v.scope} {v.name}": plain(v.value) for v in values if not v.archived},
            "snapshots": [{f"{s.scope} {s.scope_id}".strip(): plain(s.variables)} for s in shots],
            "exits": [plain(entry) for entry in exits],
        }

    def _last_judged(self) -> Sequence[ChatMessage]:
        return self.judge.requests[-1].messages if self.judge.requests else ()


def lines(records: Sequence[logging.LogRecord]) -> list[list[str]]:
    """Return level and strategy of each line a reader of replies wrote."""
    ours = [record for record in records if record.name in READERS]
    return [[record.levelname, str(getattr(record, "strategy", ""))] for record in ours]


def differences(expected: Any, actual: Any, at: str = "") -> list[str]:
    """Return where the actual value is not what was expected.

    Mappings are compared by the expected keys, lists item by item. `{has: x}` wants a text to
    hold every x, `{lacks: x}` none of them.
    """
    if isinstance(expected, Mapping) and set(expected) <= {"has", "lacks"} and expected:
        return _text_differences(expected, str(actual), at)
    if isinstance(expected, Mapping):
        if not isinstance(actual, Mapping):
            return [f"{at}: expected a mapping, got {actual!r}"]
        return [
            found
            for key, value in expected.items()
            for found in differences(value, actual.get(key), f"{at}.{key}")
        ]
    if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        pairs = enumerate(zip(expected, actual, strict=True))
        return [found for n, (e, a) in pairs for found in differences(e, a, f"{at}[{n}]")]
    return [] if expected == actual else [f"{at}: expected {expected!r}, got {actual!r}"]


def plain(value: Any) -> Any:
    """Return dataclasses and enums as mappings and texts."""
    if is_dataclass(value) and not isinstance(value, type):
        return {key: plain(item) for key, item in asdict(value).items()}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def _text_differences(expected: Mapping[str, Any], actual: str, at: str) -> list[str]:
    found = [f"{at}: {w!r} is missing" for w in _words(expected.get("has")) if w not in actual]
    return found + [f"{at}: {w!r} is there" for w in _words(expected.get("lacks")) if w in actual]


def _words(value: Any) -> list[str]:
    return [] if value is None else value if isinstance(value, list) else [value]


def _written(body: VariableChanged) -> str:
    """Return `extract 感受 t1`: what was done, to what, in which scope; a skill's is `t1/`."""
    done = body.variable_operation
    topic, inside, _ = done.scope_id.partition("/")
    return f"{done.operation} {done.variable_name} {topic}{inside}".rstrip()


def _bodies(events: Sequence[SessionEvent], kind: type) -> list[Any]:
    return [event.body for event in events if isinstance(event.body, kind)]


def reply_of(written: Any) -> Reply:
    """Return what a model answers: a text as it is, or fields of a whole reply."""
    if isinstance(written, str):
        return whole(written)
    if "fails" in written:
        return Reply((), fails=ModelUnavailable("written", reason=written["fails"]))
    if "cut" in written:
        cut = ModelStreamCut("written", reason="MODEL_STREAM_CUT")
        return Reply(whole(written["cut"]).pieces, fails=cut)
    if "object" in written:
        return whole(json.dumps(written["object"], ensure_ascii=False))
    fields = dict(written)
    return whole(ask_reply(fields.pop("content"), exit_=fields.pop("EXIT", "NO"), **fields))


def _answer(written: Any) -> AnalysisAnswer | HeartRuleError:
    """Return what the second mind answers."""
    if written == "silent":
        return SILENT
    if "fails" in written:
        return HeartRuleError("written", reason=written["fails"])
    return advises(written["advice"])
