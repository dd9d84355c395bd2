"""Whatever a file holds, loading answers with findings and never with an exception."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.loading.loader import load_script

SYSTEM = Path(__file__).parents[4] / "_system"
GREETING = (SYSTEM / "scripts/greeting.yaml").read_text("utf-8")
HOMEWORK = (SYSTEM / "scripts/mood_homework.yaml").read_text("utf-8")
RECORD = (SYSTEM / "skills/thought_record.yaml").read_text("utf-8")
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


def damaged(text: str, data: st.DataObject) -> str:
    """Return a text with pieces put in and cut out."""
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 8))
        text = text[:at] + data.draw(st.sampled_from(["", *SPLINTERS])) + text[at + cut :]
    return text


@settings(max_examples=60)
@given(st.data())
def test_damaged_forms_conditions_and_techniques_give_findings_in_their_files(
    data: st.DataObject,
) -> None:
    """A script that uses most of the language, and the technique it uses, both damaged."""
    files = {
        "s.yaml": damaged(HOMEWORK, data).encode(),
        "skills/thought_record.yaml": damaged(RECORD, data).encode(),
    }
    result = load_script(files, main="s.yaml", environment=LintEnvironment())
    for found in result.findings:
        lines = len(files[found.file].decode().splitlines()) + 1
        assert 1 <= found.line <= lines
        assert found.column >= 1
    assert (result.script is None) == bool(result.errors)


@given(st.data())
def test_a_damaged_script_gives_findings_at_places_of_the_file(data: st.DataObject) -> None:
    """Pieces put in and cut out anywhere make errors that stand within the file."""
    text = damaged(GREETING, data)
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
