"""Colours, and their absence."""

from __future__ import annotations

import io

import pytest

from heartrule_cli.style import Style, passing_line, style_for


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environ", "coloured"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
    ],
)
def test_a_terminal_is_coloured_unless_told_otherwise(
    environ: dict[str, str], *, coloured: bool
) -> None:
    """NO_COLOR and a dumb terminal switch colours off."""
    assert style_for(Terminal(), environ).colours is coloured


def test_a_file_is_never_coloured() -> None:
    """What is piped holds words alone."""
    style = style_for(io.StringIO(), {"TERM": "xterm"})
    assert style.warn(style.bold(style.dim("词"))) == "词"


def test_a_passing_line_is_taken_back() -> None:
    """A terminal shows it while one waits; a file never has it."""
    terminal, file = Terminal(), io.StringIO()
    for stream in (terminal, file):
        with passing_line(stream, style_for(stream, {}), "wait"):
            stream.write("")
    assert (terminal.getvalue(), file.getvalue()) == ("\x1b[2mwait\x1b[0m\r\x1b[K", "")


def test_each_line_is_marked_by_itself() -> None:
    """A mark never runs over a line break, so that half a page scrolled away does not colour."""
    assert Style(colours=True).dim("a\n\nb") == "\x1b[2ma\x1b[0m\n\n\x1b[2mb\x1b[0m"
