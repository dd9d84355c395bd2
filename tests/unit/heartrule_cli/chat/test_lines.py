"""Lines of a client that is no terminal."""

from __future__ import annotations

import os
from itertools import chain
from threading import Thread

from heartrule_cli.chat.client_lines import LONGEST_LINE, StreamLines, batches, without_surrogates


def pipe_with(data: bytes) -> int:
    """Return the reading end of a pipe that holds the data and is closed."""
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    return reading


def lines_of(data: bytes) -> list[str]:
    reading = pipe_with(data)
    try:
        return list(chain.from_iterable(batches(reading)))
    finally:
        os.close(reading)


def test_each_line_is_one_message() -> None:
    """Unix or Windows line breaks, the last one or none, a byte order mark or none."""
    assert lines_of("\ufeff小明\r\n25岁\n最后".encode()) == ["小明", "25岁", "最后"]
    assert lines_of(b"") == []


def test_bytes_that_are_no_text_are_marked() -> None:
    """Nothing a file holds can stop the conversation with a traceback."""
    assert lines_of(b"a\xff\xfeb\n") == ["a\ufffd\ufffdb"]


def test_a_terminals_bytes_that_are_no_text_are_marked() -> None:
    """What a terminal of another encoding sends can be put into a message, in the C locale too."""
    typed = "我想死".encode("gbk").decode("utf-8", errors="surrogateescape")
    assert without_surrogates(typed + "ok").endswith("ok")
    without_surrogates(typed).encode("utf-8")


def test_a_line_without_end_does_not_fill_the_memory() -> None:
    """Its beginning and its end are kept, more than a server takes, and no more than that."""
    reading, writing = os.pipe()
    data = b"begun" + b"x" * (LONGEST_LINE + 100_000) + b"ended\nnext\n"
    writer = Thread(target=os.write, args=(writing, data))
    writer.start()
    found = chain.from_iterable(batches(reading))
    line = next(found)
    assert (line[:5], line[-5:], len(line)) == ("begun", "ended", LONGEST_LINE)
    assert next(found) == "next"
    writer.join()
    os.close(writing)
    os.close(reading)


async def test_blank_lines_are_no_messages() -> None:
    """An empty message would be refused anyway."""
    reading = pipe_with("\n  \n小明\n\n".encode())
    lines = StreamLines(reading)
    assert [await lines.next(), await lines.next(), await lines.next()] == ["小明", None, None]
    os.close(reading)


async def read_of_an_open_pipe(*written: bytes) -> list[tuple[str | None, bool]]:
    """Return each line of what is written piece by piece, and whether it is live."""
    reading, writing = os.pipe()
    lines, found = StreamLines(reading), []
    for each in written:
        os.write(writing, each)
        found += [(await lines.next(), lines.live) for _ in range(each.count(b"\n"))]
    lines.close()
    os.close(writing)
    return found


async def test_lines_that_come_together_were_prepared() -> None:
    """Nobody writes so fast; what comes after a pause is written now."""
    assert await read_of_an_open_pipe("一\n二\n".encode(), "三\n".encode()) == [
        ("一", False), ("二", False), ("三", True),
    ]  # fmt: skip


async def test_a_single_line_of_a_pipe_that_stays_open_is_live() -> None:
    """A program that passes on what a person wrote may begin with it."""
    assert await read_of_an_open_pipe("一\n".encode()) == [("一", True)]


async def test_a_single_line_and_no_more_was_prepared() -> None:
    """Its writer has gone."""
    reading = pipe_with("一\n".encode())
    lines = StreamLines(reading)
    assert (await lines.next(), lines.live) == ("一", False)
    assert await lines.next() is None
    os.close(reading)


async def test_a_closed_standard_input_is_an_empty_one() -> None:
    """Started by a daemon, a chat says where it waits instead of failing."""
    assert await StreamLines(None).next() is None
