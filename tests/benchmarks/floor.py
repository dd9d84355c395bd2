"""The floor: a turn on bare drivers. `python -m tests.benchmarks.floor DATABASE MODEL`.

An input is stored and committed, acknowledged, the state loaded, a prompt of the same size built,
the reply streamed and its `content` read out of the JSON as it comes (what one read of the socket
gave is one delta, and deltas are joined over 50 ms, as in the executor), the message and the new
position committed, and both sent. It has the same contract on the wire, and none of leases,
scripts, events, replay, validation, ledger, traces.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Sequence

import aiohttp
import orjson

from tests.benchmarks.floor_store import FloorStore, open_floor
from tests.benchmarks.joining import Joining
from tests.benchmarks.lines import run
from tests.benchmarks.prompts import Content, Prompt, Window
from tests.benchmarks.serving import Turn, serve_conversations


class Floor:
    """Serves a conversation with nothing between client, model and database."""

    def __init__(self, store: FloorStore, model: str) -> None:
        """Use one database and one model address; call it inside the loop."""
        self._store = store
        self._prompt = Prompt()
        self._http = aiohttp.ClientSession(headers={"content-type": "application/json"})
        self._url = f"{model}/chat/completions"

    async def begin(self, session_id: str) -> None:
        """Begin a session."""
        await self._store.run(self._store.begin, session_id)

    async def answer(self, turn: Turn) -> None:
        """Run one turn; without an input the opening one."""
        store = self._store
        position, section = {"round": 0}, "opening"
        window: Window = []
        if turn.mark:
            section = "turn"
            number, position, window = await store.run(
                store.accept, turn.session_id, turn.mark, turn.words
            )
            await turn.accepted(number)
        content, drafts = Content(), Joining(turn.draft)
        prompt = self._prompt.body(section, window, turn.words, position["round"])
        async for piece in self._stream(prompt):
            if text := content.feed(piece):
                await drafts.add(text)
        await drafts.flush()
        assert orjson.loads(content.raw)["EXIT"] == "NO"
        position["round"] += 1
        committed = (turn.session_id, turn.message_id, content.shown, orjson.dumps(position))
        number = await store.run(store.commit, *committed)
        await turn.committed(number, content.shown)

    async def _stream(self, body: bytes) -> AsyncIterator[str]:
        """Yield what each read of the socket adds to the model's reply."""
        rest = b""
        async with self._http.post(self._url, data=body) as response:
            async for data in response.content.iter_any():
                *events, rest = (rest + data).split(b"\n\n")
                found = (orjson.loads(e[6:])["choices"] for e in events if e != b"data: [DONE]")
                yield "".join(c[0]["delta"].get("content", "") for c in found if c)


async def serve_floor(database: str, model: str) -> None:
    """Serve until the process is ended."""
    await serve_conversations("floor", Floor(open_floor(database), model))


def main(arguments: Sequence[str]) -> None:
    """Serve with the database and the model named."""
    database, model = arguments
    run(serve_floor(database, model))


if __name__ == "__main__":
    main(sys.argv[1:])
