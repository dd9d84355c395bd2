"""One conversation with both services as processes, its traces collected; tests only look at it."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from heartrule.chassis.channels import open_channel
from heartrule.domain.events import AnalysisEnded, InputAccepted, TurnEnded
from tests.support.conversing import Client, Conversing
from tests.support.fake_model import ask_reply
from tests.support.otlp import OtlpReceiver, ReceivedSpan
from tests.support.processes import Service, service
from tests.support.scripted_model import Pause, Reply, ScriptedModel

CLIENT_WORDS = "kingfisher-7731"
MODEL_WORDS = "periwinkle-4409"
PARENTS = {f"m{n}": f"00-{n:032x}-{n + 10:016x}-01" for n in (1, 2, 3, 4)}
"""The traceparent of each input."""
SAYINGS = 5
"""Actions after the question that wait for nobody: more than a turn may have spans for."""

ASK = """
            - action_type: ai_ask
              action_id: ask
              config: {content: 怎么称呼你, output: [{get: 称呼}], max_rounds: 9}"""
SAY = """
            - action_type: ai_say
              action_id: say_%d
              config: {content: 谢谢, require_acknowledgment: false}"""
SCRIPT = f"""
session:
  session_id: traced
  phases:
    - phase_id: p1
      topics:
        - topic_id: t1
          actions:{ASK}{"".join(SAY % n for n in range(SAYINGS))}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What is left of the conversation."""

    session_id: str
    spans: list[ReceivedSpan]
    raw: bytes
    logs: str

    def trace(self, client_message_id: str) -> list[ReceivedSpan]:
        """Return the spans in the trace of an input."""
        wanted = PARENTS[client_message_id].split("-")[1]
        return [span for span in self.spans if span.trace_id == wanted]

    def one(self, client_message_id: str, name: str, service: str = "executor") -> ReceivedSpan:
        """Return the only span of that name that a service made in the trace of an input."""
        named = (span for span in self.trace(client_message_id) if span.name == name)
        (found,) = [span for span in named if span.service == f"heartrule-{service}"]
        return found


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """The conversation, held once."""
    return asyncio.run(_record(tmp_path_factory.mktemp("traces")))


def environment(model: str, name: str) -> dict[str, str]:
    """Return what both services need to find their model."""
    return {
        "OPENAI_BASE_URL": model,
        "OPENAI_API_KEY": "scripted",
        "HEARTRULE_MODEL": name,
        "HEARTRULE_PORT": "0",
        "HEARTRULE_MONITOR_PORT": "0",
    }


async def _record(folder: Path) -> Recorded:
    async with OtlpReceiver() as receiver, ScriptedModel() as model:
        held = _script_the_model(model)
        tracing = receiver.environ()
        to_judge = {**environment(model.base_url, "judge"), **tracing}
        async with service("monitor_service", folder, to_judge) as monitor:
            talking = {"HEARTRULE_MONITOR_ADDRESS": monitor.address, **tracing}
            to_talk = {**environment(model.base_url, "talker"), **talking}
            async with service("executor_service", folder, to_talk) as executor:
                session_id = await _converse(executor, held)
                assert await executor.stop() == 0
            assert await monitor.stop() == 0
        logs = [each.log.read_text() for each in (executor, monitor)]
        return Recorded(
            session_id=session_id,
            spans=receiver.spans(),
            raw=b"".join(receiver.raw),
            logs="".join(logs),
        )


def _script_the_model(model: ScriptedModel) -> Pause:
    """Write the replies: a failed attempt, an advice, a held reply, an exit, broken ones."""
    held = Pause()
    model.say(
        Reply(_said("怎么称呼你？")),
        Reply(MODEL_WORDS, status=500),
        Reply(_said("慢慢说。")),
        Reply(_said("嗯。"), pauses={2: held}),
        Reply(_said("好的。", exit_="YES")),
        *[Reply(f'{{"EXIT":"YES","content":"谢谢{n}。{MODEL_WORDS}') for n in range(SAYINGS)],
        model="talker",
    )
    advice = {"intervention_needed": True, "feedback_for_action": MODEL_WORDS}
    model.say(Reply(json.dumps(advice)), model="judge")
    model.always = Reply(f"I cannot judge {MODEL_WORDS}")
    return held


def _said(text: str, exit_: str = "NO") -> str:
    """Return a reply with the model's mark in every field that takes text."""
    marked = {"称呼": MODEL_WORDS}
    return ask_reply(f"{text}{MODEL_WORDS}", exit_=exit_, BRIEF=MODEL_WORDS, variables=marked)


async def _converse(executor: Service, held: Pause) -> str:
    """Hold a conversation of four inputs in three turns; the second turn uses an advice."""
    async with open_channel(executor.address) as channel:
        client = Client(channel)
        session_id = await client.start(SCRIPT)
        async with client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await _say(stream, "m1")
            await stream.until_body(AnalysisEnded)
            await _say(stream, "m2")
            await held.reached.wait()
            for waiting in ("m3", "m4"):
                await _say(stream, waiting)
                await stream.until_body(InputAccepted)
            held.go.set()
            await stream.until(lambda _: _ended(stream, turns=4, analyses=2))
            await stream.finish()
        return session_id


async def _say(stream: Conversing, name: str) -> None:
    """Send an input that brings its own trace."""
    await stream.say(name, f"{CLIENT_WORDS} {name}", traceparent=PARENTS[name])


def _ended(stream: Conversing, *, turns: int, analyses: int) -> bool:
    told = stream.told
    return (len(told.of(TurnEnded)), len(told.of(AnalysisEnded))) == (turns, analyses)
