"""LangGraph under the same load: `langgraph_server DATABASE MODEL`, in the peers' environment.

One graph with one node, ChatOpenAI streaming, the messages in the graph's state and the saver
LangGraph ships for the database, as its documentation shows. The node builds our prompt out of the
same window of the history. An input is acknowledged without waiting for its checkpoint.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, TypedDict

import orjson
from langchain_core.messages import AIMessage, AIMessageChunk, AnyMessage, HumanMessage
from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages

from tests.benchmarks.joining import Joining
from tests.benchmarks.lines import run
from tests.benchmarks.prompts import Content, Prompt, window_turns
from tests.benchmarks.serving import Turn, serve_conversations


class State(TypedDict):
    """What the graph keeps of a session."""

    messages: Annotated[list[AnyMessage], add_messages]
    round: int


class LangGraph:
    """Serves a conversation by one graph."""

    def __init__(self, model: str, saver: Any) -> None:
        """Build the graph on a model's address and a saver."""
        self._prompt = Prompt()
        self._model = ChatOpenAI(
            model="bench",
            base_url=model,
            api_key="none",
            streaming=True,
            max_retries=0,
            timeout=600,
        )
        graph = StateGraph(State)
        graph.add_node("talk", self._talk)
        graph.add_edge(START, "talk")
        graph.add_edge("talk", END)
        self._graph = graph.compile(checkpointer=saver)
        self._numbers: dict[str, int] = {}

    async def begin(self, session_id: str) -> None:
        """Begin a session: it has no checkpoint yet."""
        self._numbers[session_id] = 0

    async def answer(self, turn: Turn) -> None:
        """Run the graph once and tell what its model writes."""
        number = self._numbers[turn.session_id]
        self._numbers[turn.session_id] += 3
        if turn.mark:
            await turn.accepted(number)
        update: dict[str, Any] = {"messages": [HumanMessage(turn.words)] if turn.mark else []}
        if not turn.mark:
            update["round"] = 0
        config = {"configurable": {"thread_id": turn.session_id}}
        content, drafts = Content(), Joining(turn.draft)
        async for chunk, _ in self._graph.astream(update, config, stream_mode="messages"):
            if isinstance(chunk, AIMessageChunk) and (text := content.feed(str(chunk.content))):
                await drafts.add(text)
        await drafts.flush()
        assert orjson.loads(content.raw)["EXIT"] == "NO"
        await turn.committed(number + 1, content.shown)

    async def _talk(self, state: State) -> dict[str, Any]:
        """Ask the model; the graph streams what it writes."""
        known, round_ = state["messages"], state["round"]
        newest = known[-1] if known and isinstance(known[-1], HumanMessage) else None
        former = known[:-1] if newest else known
        kept = 2 * window_turns(round_)
        window = [
            ("assistant" if isinstance(each, AIMessage) else "user", str(each.content))
            for each in former[-kept:]
        ] if kept else []  # fmt: skip
        words = str(newest.content) if newest else ""
        messages = self._prompt.messages("turn" if newest else "opening", window, words, round_)
        reply = await self._model.ainvoke(messages)
        content = Content()
        content.feed(str(reply.content))
        return {"messages": [AIMessage(content.shown)], "round": round_ + 1}


@asynccontextmanager
async def saving(database: str) -> AsyncIterator[Any]:
    """Give LangGraph's own saver for a database, a path or a postgresql:// address."""
    if not database.startswith("postgresql://"):
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

        async with AsyncSqliteSaver.from_conn_string(database) as saver:
            yield saver
        return
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    from psycopg.rows import dict_row
    from psycopg_pool import AsyncConnectionPool

    options = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    async with AsyncConnectionPool(database, min_size=4, max_size=4, kwargs=options) as pool:
        postgres = AsyncPostgresSaver(pool)
        await postgres.setup()
        yield postgres


async def serve(database: str, model: str) -> None:
    """Serve until the process is ended."""
    async with saving(database) as saver:
        await serve_conversations("langgraph", LangGraph(model, saver))


if __name__ == "__main__":
    run(serve(*sys.argv[1:]))
