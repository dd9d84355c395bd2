"""Values under names that no output has."""

from __future__ import annotations

from executor_service.scripts.model.fields import Output
from executor_service.variables.outputs import rename

NUMBER, NAME = Output(get="岁数", also=("age",)), Output(get="称呼")


def always(_output: Output, _name: str) -> bool:
    """Say that every value fits."""
    return True


def test_the_only_unset_output_takes_it() -> None:
    """With one output left there is no other meaning."""
    assert rename({"年龄": "25"}, (NUMBER,), fits=always).names == {"岁数": "年龄"}


def test_a_listed_name_goes_first() -> None:
    """`also` decides among several."""
    found = rename({"x": 1, "age": 2}, (NAME, NUMBER), fits=always)
    assert (found.names, found.unknown) == ({"岁数": "age", "称呼": "x"}, ())


def test_among_several_nothing_is_guessed() -> None:
    """Two unset outputs and a name of neither: the next prompt asks for the right one."""
    found = rename({"年龄": "25"}, (Output(get="a"), NAME), fits=always)
    assert (found.names, found.unknown) == ({}, ("年龄",))


def test_what_does_not_fit_stays_unknown() -> None:
    """Type and quote decide too."""
    found = rename({"年龄": "?"}, (NUMBER,), fits=lambda _output, _name: False)
    assert (found.names, found.unknown) == ({}, ("年龄",))
