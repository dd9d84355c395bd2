"""What can be typed."""

from __future__ import annotations

import pytest

from heartrule_cli.__main__ import parser


@pytest.mark.parametrize(
    "line",
    [
        [],
        ["chat"],
        ["chat", "--script", "a.yaml", "--session", "ses_1"],
        ["run"],
        ["run", "a.yaml", "--session", "ses_1"],
        ["check"],
        ["rehearse", "a.yaml"],
        ["rehearse", "--with", "c.yaml"],
        ["rehearse", "a.yaml", "--with", "c.yaml", "--format", "xml"],
        ["show"],
        ["up", "--port", "70000"],
        ["rehearsal-model", "--port", "x"],
        ["scrub", "--longest", "0"],
        ["nosuch"],
    ],
)
def test_a_wrong_command_line_is_refused_with_code_two(
    line: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The usage is shown, nothing is started."""
    with pytest.raises(SystemExit) as left:
        parser().parse_args(line)
    assert (left.value.code, "usage: heartrule" in capsys.readouterr().err) == (2, True)


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """`heartrule --version` answers and ends."""
    with pytest.raises(SystemExit) as left:
        parser().parse_args(["--version"])
    assert (left.value.code, capsys.readouterr().out.split()[0]) == (0, "heartrule")


def test_chat_talks_with_this_machine_by_default() -> None:
    """The address is that of `heartrule up`."""
    args = parser().parse_args(["chat", "--session", "ses_1"])
    assert (args.address, args.debug, args.script) == ("127.0.0.1:50051", False, None)
