#!/usr/bin/env python3
"""What a turn costs, beside a bare one: `python benchmarks/turns.py [--quick] [--json FILE]`.

Starts a fake model, a load generator, an executor and the floor, each a process of its own on free
loopback ports, lets both answer the same clients in turns, and prints CPU per turn, time to first
text and their ratios. What is measured and what is not: docs/reference/benchmarks.md.

The floor is in this file: the same turn on bare drivers. An input is stored and committed,
acknowledged, the state loaded, a prompt of the same size built, the reply streamed and its
`content` read out of the JSON as it comes (what one read of the socket gave is one delta, and
deltas are joined over 50 ms, as in the executor), the message and the new position committed, and
both told. It has the same contract on the wire, and none of leases, scripts, events, replay,
validation, ledger, traces.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:  # run as a file, from anywhere
    sys.path.insert(0, str(ROOT))

import aiohttp  # noqa: E402
import orjson  # noqa: E402
from grpc import aio  # noqa: E402

from benchmarks.command import run_command  # noqa: E402
from benchmarks.joining import Joining  # noqa: E402
from benchmarks.lines import run  # noqa: E402
from heartrule.v1 import (  # noqa: E402
    conversation_pb2,
    event_pb2,
    message_pb2,
    script_pb2,
    session_pb2,
    turn_pb2,
)
from heartrule.v1.executor_service_pb2_grpc import (  # noqa: E402
    ExecutorServiceServicer,
    add_ExecutorServiceServicer_to_server,
)

TEMPLATE = ROOT / "_system" / "config" / "default" / "ai_ask_v1.md"
T = TypeVar("T")
Window = list[tuple[str, str]]

SCHEMA = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, position TEXT, turn INTEGER, next_seq INTEGER)
    WITHOUT ROWID;
CREATE TABLE messages (session TEXT, seq INTEGER, id TEXT, role TEXT, text TEXT, time INTEGER,
    PRIMARY KEY (session, seq)) WITHOUT ROWID;
"""


class Database:
    """Plain sqlite3 in one thread of its own, so that no commit stops the event loop."""

    def __init__(self, path: str) -> None:
        """Make the file; as safe as ours: a write-ahead log, synced at every commit."""
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;" + SCHEMA)
        self._thread = ThreadPoolExecutor(1)

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Run one of the functions below in the thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, work, *arguments)

    def begin(self, session: str) -> None:
        """Store a session."""
        self._db.execute("INSERT INTO sessions VALUES (?, '{\"round\":0}', 0, 1)", (session,))

    def accept(self, session: str, mark: str, text: str) -> tuple[int, dict[str, Any], Window]:
        """Store an input, the first transaction of a turn; return its number and load the state.

        The history's window is as ours: the last 10 to 20 turns, moved on by ten.
        """
        db = self._db
        db.execute("BEGIN IMMEDIATE")
        number, position, turn = db.execute(
            "UPDATE sessions SET next_seq = next_seq + 1 WHERE id = ?"
            " RETURNING next_seq - 1, position, turn",
            (session,),
        ).fetchone()
        values = (session, number, mark, "user", text, time.time_ns())
        db.execute("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?)", values)
        db.execute("COMMIT")
        kept = 2 * (turn - max(0, (turn // 10 - 1) * 10))
        rows = db.execute(
            "SELECT role, text FROM messages WHERE session = ? AND seq < ?"
            " ORDER BY seq DESC LIMIT ?",
            (session, number, kept),
        ).fetchall()
        return number, orjson.loads(position), rows[::-1]

    def commit(self, session: str, message_id: str, text: str, position: bytes) -> int:
        """Store what was said and the new position: the second transaction of a turn."""
        db = self._db
        db.execute("BEGIN IMMEDIATE")
        row = db.execute(
            "UPDATE sessions SET position = ?, turn = turn + 1, next_seq = next_seq + 2"
            " WHERE id = ? RETURNING next_seq - 2",
            (position.decode(), session),
        ).fetchone()
        values = (session, row[0], message_id, "assistant", text, time.time_ns())
        db.execute("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?)", values)
        db.execute("COMMIT")
        return int(row[0])


class Prompt:
    """Builds the same prompt as ours, with one substitution a turn."""

    def __init__(self, template: str) -> None:
        """Split the template of ai_ask, and fill once what never changes."""
        head, *parts = re.split(r"(?m)^<!-- section: (\w+) -->\n", template)
        self._sections = dict(zip(parts[::2], parts[1::2], strict=True))
        fields = head.partition("fields:\n")[2].removesuffix("---\n")
        constant = {"who": "咨询助手", "user": "来访者", "field_list": fields}
        self._system = _fill(self._sections["system"], constant)

    def body(self, section: str, window: Window, words: str, round_: int) -> bytes:
        """Return the request to the model."""
        task = "最近睡得怎么样？早上醒来的时候心里在想什么？"
        outputs = [{"name": "醒来时的想法", "type": "text", "options": []}]
        card = {"v": 1, "kind": "ai_ask", "stage": section, "task": task, "outputs": outputs,
                "user_input": words, "round": round_, "asks": ["metrics"]}  # fmt: skip
        values = {
            "topic_name": "睡眠", "topic_goal": "了解来访者最近的睡眠", "task": task,
            "output_list": "- 醒来时的想法（text）：早上刚醒时心里想的事", "tone": "温和、不催促",
            "exit": "来访者说清了醒来时的想法", "user_input": words, "current_round": str(round_),
            "time": time.strftime("%Y-%m-%d %H:%M"), "max_rounds": "1000000000",
            "task_card": f"<heartrule-task>\n{orjson.dumps(card).decode()}\n</heartrule-task>",
        }  # fmt: skip
        messages = [{"role": "system", "content": self._system}]
        messages += [{"role": role, "content": text} for role, text in window]
        messages.append({"role": "user", "content": _fill(self._sections[section], values)})
        options = {"include_usage": True}
        return orjson.dumps(
            {"model": "bench", "messages": messages, "stream": True, "stream_options": options}
        )


def _fill(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\{%(\w+)%\}", lambda found: values.get(found[1], ""), text)


class Content:
    """Reads the string `content` out of a JSON object while it is written."""

    _CHARACTERS = re.compile(r'(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')

    def __init__(self) -> None:
        """Begin before the first character."""
        self.raw = ""
        self.shown = ""
        self._at = -1

    def feed(self, piece: str) -> str:
        """Return what a piece adds to the client's text."""
        self.raw += piece
        if self._at < 0:
            begins = self.raw.find('"content":"')
            if begins < 0:
                return ""
            self._at = begins + len('"content":"')
        found = self._CHARACTERS.match(self.raw, self._at)
        assert found is not None
        self._at = found.end()
        text: str = orjson.loads(f'"{found.group()}"')
        self.shown += text
        return text


class Floor(ExecutorServiceServicer):
    """Serves a conversation with nothing between client, model and database."""

    def __init__(self, database: str, model: str) -> None:
        """Use one database file and one model address; call it inside the loop."""
        self._database = Database(database)
        self._prompt = Prompt(TEMPLATE.read_text(encoding="utf-8"))
        self._http = aiohttp.ClientSession(headers={"content-type": "application/json"})
        self._url = f"{model}/chat/completions"

    async def PublishScript(self, _request: object, _context: object) -> Any:  # noqa: N802
        """Have nothing to publish."""
        return script_pb2.PublishScriptResponse(script=script_pb2.Script(script_id="floor"))

    async def StartSession(self, _request: object, _context: object) -> Any:  # noqa: N802
        """Begin a session."""
        session_id = f"ses_{time.time_ns():x}"
        await self._database.run(self._database.begin, session_id)
        return session_pb2.StartSessionResponse(session=session_pb2.Session(session_id=session_id))

    async def Converse(  # type: ignore[override]  # noqa: N802  it writes by context
        self, _requests: object, context: Any
    ) -> None:
        """Answer one message after the other."""
        session_id = (await context.read()).open.session_id
        await self._answer(context, session_id, None)
        while (request := await context.read()) is not aio.EOF:
            await self._answer(context, session_id, request.input)

    async def _answer(self, context: Any, session_id: str, said: Any) -> None:
        """Run one turn; without an input the opening one."""
        database, tell = self._database, _teller(context, session_id)
        number, position = 0, {"round": 0}
        window: Window = []
        section, words, mark = "opening", "", ""
        if said is not None:
            section, words, mark = "turn", said.parts[0].text, said.client_message_id
            number, position, window = await database.run(database.accept, session_id, mark, words)
            message = _message(mark, number, words, message_pb2.ROLE_CLIENT)
            await tell(number, input_accepted=turn_pb2.InputAccepted(messages=[message]))
        message_id = f"msg_{time.time_ns():x}"
        content, drafts = Content(), Joining(_drafter(tell, message_id))
        prompt = self._prompt.body(section, window, words, position["round"])
        async for piece in self._stream(prompt):
            if text := content.feed(piece):
                await drafts.add(text)
        await drafts.flush()
        assert orjson.loads(content.raw)["EXIT"] == "NO"
        position["round"] += 1
        number = await database.run(
            database.commit, session_id, message_id, content.shown, orjson.dumps(position)
        )
        message = _message(message_id, number, content.shown, message_pb2.ROLE_ASSISTANT)
        await tell(number, message_committed=message)
        ended = turn_pb2.TurnEnded(
            outcome=turn_pb2.OUTCOME_WAITING, client_message_ids=[mark] if mark else []
        )
        await tell(number + 1, turn_ended=ended)

    async def _stream(self, body: bytes) -> AsyncIterator[str]:
        """Yield what each read of the socket adds to the model's reply."""
        rest = b""
        async with self._http.post(self._url, data=body) as response:
            async for data in response.content.iter_any():
                *events, rest = (rest + data).split(b"\n\n")
                found = (orjson.loads(e[6:])["choices"] for e in events if e != b"data: [DONE]")
                yield "".join(c[0]["delta"].get("content", "") for c in found if c)


def _teller(context: Any, session_id: str) -> Callable[..., Any]:
    def tell(sequence: int, **body: Any) -> Any:
        event = event_pb2.SessionEvent(session_id=session_id, sequence=sequence, **body)
        return context.write(conversation_pb2.ConverseResponse(event=event))

    return tell


def _drafter(tell: Callable[..., Any], message_id: str) -> Callable[[int, str], Any]:
    def draft(offset: int, text: str) -> Any:
        at = turn_pb2.DraftPosition(message_id=message_id, offset=offset)
        return tell(0, draft_delta=turn_pb2.DraftDelta(at=at, text=text))

    return draft


def _message(message_id: str, number: int, text: str, role: Any) -> message_pb2.Message:
    parts = [message_pb2.Part(text=text)]
    return message_pb2.Message(message_id=message_id, role=role, parts=parts, sequence=number)


async def serve_floor(database: str, model: str) -> None:
    """Listen on a free port, say which, and serve until the process is ended."""
    server = aio.server()
    floor = Floor(database, model)  # type: ignore[abstract]  # three rpcs are all it needs
    add_ExecutorServiceServicer_to_server(floor, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"floor listening on 127.0.0.1:{port}", flush=True)
    await server.wait_for_termination()


def main(arguments: Sequence[str]) -> int:
    """Run the benchmark, or with `floor DATABASE MODEL` the process it starts for the floor."""
    if arguments[:1] == ["floor"]:
        run(serve_floor(*arguments[1:]))
        return 0
    return run_command(arguments, floor=(str(Path(__file__).resolve()), "floor"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
