"""openai-agents under the same load: `agents_server DATABASE MODEL`, in the peers' environment.

One agent, `Runner.run_streamed`, its SQLite session, tracing off. Its session keeps the bare words;
the filter of the model's input puts our prompt out of the same window in their place.
"""

from __future__ import annotations

import sys
from typing import Any

import orjson
from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    RunConfig,
    Runner,
    SQLiteSession,
    set_tracing_disabled,
)
from agents.run import CallModelData, ModelInputData
from openai import AsyncOpenAI

from tests.benchmarks.joining import Joining
from tests.benchmarks.lines import run
from tests.benchmarks.prompts import Content, Prompt, window_turns
from tests.benchmarks.serving import Turn, serve_conversations

_DELTA = "response.output_text.delta"


class Agents:
    """Serves a conversation by one agent."""

    def __init__(self, database: str, model: str) -> None:
        """Use one file for all sessions."""
        set_tracing_disabled(True)
        self._database = database
        self._prompt = Prompt()
        client = AsyncOpenAI(base_url=model, api_key="none", max_retries=0, timeout=600)
        self._agent = Agent(
            name="bench",
            instructions=self._prompt.system,
            model=OpenAIChatCompletionsModel(model="bench", openai_client=client),
        )
        self._sessions: dict[str, tuple[SQLiteSession, int]] = {}

    async def begin(self, session_id: str) -> None:
        """Begin a session."""
        self._sessions[session_id] = (SQLiteSession(session_id, self._database), 0)

    async def answer(self, turn: Turn) -> None:
        """Run the agent once and tell what its model writes."""
        session, round_ = self._sessions[turn.session_id]
        self._sessions[turn.session_id] = (session, round_ + 1)
        if turn.mark:
            await turn.accepted(3 * round_)
        content, drafts = Content(), Joining(turn.draft)
        result = Runner.run_streamed(
            self._agent, turn.words or "…", session=session, run_config=self._config(turn, round_)
        )
        async for event in result.stream_events():
            data: Any = getattr(event, "data", None)
            written = str(data.delta) if getattr(data, "type", "") == _DELTA else ""
            if written and (text := content.feed(written)):
                await drafts.add(text)
        await drafts.flush()
        assert orjson.loads(content.raw)["EXIT"] == "NO"
        await turn.committed(3 * round_ + 1, content.shown)

    def _config(self, turn: Turn, round_: int) -> RunConfig:
        section, kept = "turn" if turn.mark else "opening", 2 * window_turns(round_)

        def filled(data: CallModelData[Any]) -> ModelInputData:
            items = list(data.model_data.input)
            last = self._prompt.last(section, turn.words, round_)
            window = items[:-1][-kept:] if kept else []
            message: Any = {"role": "user", "content": last}
            return ModelInputData([*window, message], data.model_data.instructions)

        return RunConfig(call_model_input_filter=filled, tracing_disabled=True)


async def serve(database: str, model: str) -> None:
    """Serve until the process is ended."""
    await serve_conversations("agents", Agents(database, model))


if __name__ == "__main__":
    run(serve(*sys.argv[1:]))
