"""Whatever a file holds, loading answers with findings and never with an exception."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from executor_service.scripts.environment import LintEnvironment
from executor_service.scripts.loader import load_script

GREETING = (Path(__file__).parents[4] / "_system/scripts/greeting.yaml").read_text("utf-8")
SPLINTERS = [
    *("{", "}", "[", "]", ": ", "\n", "- ", "&a ", "*a ", "!!x ", "'", '"', "|\n", ">", "%", "@"),
    *(
        "#",
        "---\n",
        "null",
        "3",
        ".nan",
        "：",
        "\t",
        "🙂",
        "\u2028",
        "\r",
        "? ",
        "<<: ",
        "{{",
        "${甲}",
    ),
]


@given(st.data())
def test_a_damaged_script_gives_findings_at_places_of_the_file(data: st.DataObject) -> None:
    """Pieces put in and cut out anywhere make errors that stand within the file."""
    text = GREETING
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 8))
        text = text[:at] + data.draw(st.sampled_from(["", *SPLINTERS])) + text[at + cut :]
    result = load_script({"s.yaml": text.encode()}, environment=LintEnvironment())
    lines = len(text.splitlines()) + 1
    assert all(1 <= found.line <= lines and found.column >= 1 for found in result.findings)
    assert (result.script is None) == bool(result.errors)


@given(st.binary(max_size=200))
def test_any_bytes_give_findings(data: bytes) -> None:
    """Bytes that are no script are told to be none."""
    result = load_script({"s.yaml": data}, environment=LintEnvironment())
    assert result.script is None
    assert result.errors
