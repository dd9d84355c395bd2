"""References: how they are written, and that each is found wherever it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executor_service.workflows.references import (
    Reference,
    ReferenceKind,
    input_names,
    read_reference,
    references_in,
    references_of,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import Edge, NodeType, WorkflowInput
from tests.support.workflow_builders import a_loop, a_node, a_plan

WRITTEN = [
    ("node_1.output.data", ReferenceKind.NODE, "node_1", ("data",)),
    ("node-1.output", ReferenceKind.NODE, "node-1", ()),
    ("节点.output.行.0", ReferenceKind.NODE, "节点", ("行", "0")),
    ("a.output.output", ReferenceKind.NODE, "a", ("output",)),
    ("input.date_range", ReferenceKind.INPUT, "date_range", ()),
    ("input.output.x", ReferenceKind.INPUT, "output", ("x",)),
    ("WEATHER_API_KEY", ReferenceKind.NAME, "WEATHER_API_KEY", ()),
    ("输入", ReferenceKind.NAME, "输入", ()),
    ("item.name", ReferenceKind.NAME, "item", ("name",)),
    ("item", ReferenceKind.NAME, "item", ()),
]

UNREADABLE = [
    "", " x", "x ", "1x", "a.b", "a.b.output", "a.outptu.x", "a.output.", ".output.x", "input",
    "input.", "a.output..b", "HOME:-x", "a b", "a+1", "x[0]", "$x",
]  # fmt: skip
BARE = {"input"}  # a word that can be read as NAME

TEXTS = st.lists(
    st.sampled_from(["${a.output.x}", "${b}", "${", "}", "$", "{", "x", "${input.y}", "${ z}"]),
    max_size=5,
).map("".join)
VALUES = st.recursive(
    TEXTS | st.none() | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("pqr"), inner, max_size=3)
    ),
    max_leaves=12,
)


def naive(value: JsonValue, path: str) -> list[tuple[str, str | None]]:
    """Return each reference's path and text, None without an end, by recursion and splitting."""
    if isinstance(value, dict):
        parts = [naive(each, f"{path}.{key}") for key, each in value.items()]
    elif isinstance(value, list):
        parts = [naive(each, f"{path}.{n}") for n, each in enumerate(value)]
    else:
        pieces = [piece.partition("}") for piece in str(value or "").split("${")[1:]]
        ends = [text if brace and "{" not in text else None for text, brace, _ in pieces]
        parts = [[(path, text) for text in dict.fromkeys(ends)]]
    return [each for part in parts for each in part]


@pytest.mark.parametrize(("text", "kind", "name", "fields"), WRITTEN)
def test_a_reference_is_read(
    text: str, kind: ReferenceKind, name: str, fields: tuple[str, ...]
) -> None:
    """A node's output, an input, a name, and what is taken of it."""
    read = read_reference(text)
    assert (read.kind, read.name, read.fields) == (kind, name, fields)


@pytest.mark.parametrize("text", sorted(set(UNREADABLE) - BARE))
def test_what_is_no_reference_is_unreadable(text: str) -> None:
    """Nothing is guessed."""
    assert read_reference(text).kind is ReferenceKind.UNREADABLE


@given(VALUES)
def test_every_reference_is_found_in_its_order(value: JsonValue) -> None:
    """At each place where a `${` stands, and with the text up to the brace that ends it."""
    assert list(references_in(value, "v")) == [
        Reference(kind=ReferenceKind.UNREADABLE, path=path, text="")
        if text is None
        else read_reference(text, path)
        for path, text in naive(value, "v")
    ]


def test_a_reference_is_found_at_any_depth() -> None:
    """Nesting deeper than Python's own calls is walked too."""
    value: JsonValue = "${x}"
    for _ in range(100_000):
        value = [value]
    (found,) = references_in(value)
    assert (found.name, len(found.path)) == ("x", 199_999)


def test_a_reference_in_a_key_is_unreadable() -> None:
    """Only values are filled in."""
    (found,) = references_in({"${KEY}": 1}, "config.headers")
    assert (found.kind, found.path) == (ReferenceKind.UNREADABLE, "config.headers.${KEY}")


def test_all_places_of_a_workflow_are_searched() -> None:
    """Configuration, mappings, bodies of loops and edges; code is no place."""
    code = a_node("p", NodeType.PYTHON, code="return f'${x}'", inputs={"x": "${A}"})
    plan = a_plan(
        a_node("a", outputs={"o": "${B}"}, messages=[{"content": "${C}"}]),
        a_loop("l", code, a_node("q", prompt="${D}"), items="${E}"),
        edges=[Edge(source="a", target="l", condition="${F} == 1")],
    )
    assert sorted(each.name for each in references_of(plan.nodes, plan.edges)) == list("ABCDEF")


def test_parameters_are_declared_or_used() -> None:
    """An `${input.x}` makes x a parameter, declared or not (D24)."""
    plan = a_plan(a_node("a", prompt="${input.used} ${other}"), inputs={"said": WorkflowInput()})
    assert input_names(plan) == {"used", "said"}
