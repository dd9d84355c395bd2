"""What the first set-up tells of itself."""

from __future__ import annotations

from scripts.dev import Progress


def told(*lines: str, live: bool = False) -> str:
    progress = Progress(77, live=live)
    return "".join(text for line in lines for text in progress.take(line))


def test_packages_and_megabytes_are_counted() -> None:
    """A line for each ten packages, where no line can be written over."""
    lines = ["  Downloading a-1.whl (1.5 MB)\n", "  Downloading b-1.whl (500 kB)\n"]
    assert told(*["Collecting a==1\n"] * 9, *lines, "Collecting b==1\n") == (
        "    10 of 77 packages, 2 MB\n"
    )


def test_a_terminal_names_each_package_in_one_line() -> None:
    """The line is emptied before it is written again."""
    assert told("Collecting aiohttp==3.1 (from -r x)\n", live=True) == (
        "\r\x1b[K    1 of 77 packages, 0 MB · aiohttp"
    )


def test_what_is_not_installed_here_counts_too() -> None:
    """A package for another system is done with; else the count would never reach the end."""
    lines = ["Ignoring colorama: markers 'x' don't match\n"] * 10
    assert "10 of 77" in told(*lines)


def test_unpacking_is_announced() -> None:
    """It is silent for as long as it takes."""
    assert "unpacking" in told("Installing collected packages: a, b\n")
