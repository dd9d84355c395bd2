"""The rules of a DATABASE node's query (document 002, section 3.1.2).

A query is read as each database reads it that a node may have, SQLite and PostgreSQL; a text that
these cut into other words is refused, and so is whatever is not known to read. What a function of a
database does, no tree tells: the connection of a run is read-only besides.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, ClassVar

from executor_service.workflows.sql_words import CLAUSES, FUNCTIONS, SPECIAL_FUNCTIONS, STATEMENTS
from heartrule.domain.decisions import FindingCode, RuleFinding

if TYPE_CHECKING:
    from sqlglot import Dialect, Parser, Token, exp

MOST_BYTES = 16_384
"""UTF-8 bytes of one query."""
MOST_LEVELS = 16
"""Brackets in one another."""
MOST_TYPE_LEVELS = 3
"""Brackets in one another that follow a type's name, such as those of `date(…)`."""
RULE = "3.1.2 dangerous operations"

_REFERENCE = re.compile(r"\$\{([^{}]*)\}")
_UNREADABLE = "cannot be read as SQL; write one SELECT, WITH or VALUES statement."
_READ_DIFFERENTLY = (
    "has a comment, a text or a name that databases read differently; write texts in single "
    "quotes, names in double quotes, no nested comments and no square brackets."
)
_TOO_DEEP = (
    f"has more than {MOST_LEVELS} brackets in one another, or more than {MOST_TYPE_LEVELS} of "
    "`date(…)` and the like; select in several nodes, or in a WITH."
)
_OPEN = frozenset({"L_PAREN", "L_BRACKET", "L_BRACE"})
_CLOSED = frozenset({"R_PAREN", "R_BRACKET", "R_BRACE"})
# SQLite ends a query at a null character; a lone return ends a comment for PostgreSQL only.
_UNSAFE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]|\r(?!\n)|\$\{[^{}]*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundQuery:
    """A query as a database takes it."""

    text: str
    """The first reference stands as `$1`, the next as `$2`: SQLite and PostgreSQL know both."""
    references: tuple[str, ...]
    """What `${…}` held, in the order of their numbers; each once."""


def bound_sql(query: str) -> BoundQuery:
    """Return a query that passed `check_sql`, with its references as parameters."""
    references = tuple(dict.fromkeys(_REFERENCE.findall(query)))
    numbers = {name: number for number, name in enumerate(references, start=1)}
    text = _REFERENCE.sub(lambda found: f" ${numbers[found[1]]} ", query)
    return BoundQuery(text=text, references=references)


def check_sql(query: str, path: str) -> tuple[RuleFinding, ...]:
    """Return what forbids a query: anything but one statement that reads; empty: nothing.

    The first call loads sqlglot, which takes a quarter of a second and more.
    """
    if len(query.encode(errors="surrogatepass")) > MOST_BYTES:
        text = f"{path} is longer than {MOST_BYTES} bytes; select less, or use several nodes."
        return (_finding(path, text, FindingCode.TOO_LARGE),)
    objections = dict.fromkeys(_objections(query))
    return tuple(_finding(path, f"{path} {text}") for text in objections)


def _finding(
    path: str, message: str, code: FindingCode = FindingCode.FORBIDDEN_OPERATION
) -> RuleFinding:
    return RuleFinding(code=code, path=path, message=message, rule=RULE)


def _objections(query: str) -> Iterator[str]:
    if _UNSAFE.search(query):
        yield "has a control character or an open `${`; write plain text."
        return
    numbers = count()
    # A reference is read as the parameter that it becomes; blanks keep it a word of its own.
    text = _REFERENCE.sub(lambda _: f" :hr_{next(numbers)} ", query)
    parameters = {f"hr_{number}" for number in range(next(numbers))}
    cut = [_tokens(dialect, text) for dialect, _ in _readers()]
    if len({_words_of(tokens, text) for tokens in cut}) > 1:
        yield _READ_DIFFERENTLY
        return
    if any(
        _is_too_deep(tokens, parser) for (_, parser), tokens in zip(_readers(), cut, strict=True)
    ):
        yield _TOO_DEEP
        return
    readings = [
        statements
        for (dialect, parser), tokens in zip(_readers(), cut, strict=True)
        if (statements := _statements(parser(dialect=dialect), tokens, text))
    ]
    if not readings:
        yield _UNREADABLE
    for statements in readings:
        yield from _of_statements(statements, parameters)
        _let_go(statements)


def _let_go(statements: list[exp.Expr]) -> None:
    """Take trees apart, whose nodes know their parents: the garbage collector stops every thread.

    The queries of the largest plan would be half a million objects for it, a third of a second.
    """
    for node in [node for statement in statements for node in statement.walk()]:
        node.parent = None
        node.args.clear()


@cache
def _readers() -> tuple[tuple[Dialect, type[Parser]], ...]:
    """Return each dialect with a parser that leaves the names of functions as they are written."""
    from sqlglot.dialects.postgres import Postgres
    from sqlglot.dialects.sqlite import SQLite
    from sqlglot.parsers.postgres import PostgresParser
    from sqlglot.parsers.sqlite import SQLiteParser

    class PlainPostgres(PostgresParser):
        FUNCTIONS: ClassVar[dict[str, Callable[..., exp.Expr]]] = {}

    class PlainSQLite(SQLiteParser):
        FUNCTIONS: ClassVar[dict[str, Callable[..., exp.Expr]]] = {}

    # What it does not understand it would write to the log, a client's words with it.
    logging.getLogger("sqlglot").setLevel(logging.CRITICAL)
    return ((SQLite(), PlainSQLite), (Postgres(), PlainPostgres))


def _tokens(dialect: Dialect, text: str) -> list[Token]:
    """Return the tokens of a text, none where there is no way to cut it."""
    from sqlglot.errors import TokenError

    try:
        return dialect.tokenize(text)
    except TokenError:
        return []


def _is_too_deep(tokens: list[Token], parser: type[Parser]) -> bool:
    """Return whether parentheses stand in one another deeper than a parser reads in good time.

    It reads what follows a type's name as the type's size first, then as the arguments of a
    function: each such level doubles its time.
    """
    open_ones: list[bool] = []
    before = None
    for token in tokens:
        if token.token_type.name in _OPEN:
            open_ones.append(before in parser.TYPE_TOKENS)
        elif token.token_type.name in _CLOSED and open_ones:
            open_ones.pop()
        if len(open_ones) > MOST_LEVELS or sum(open_ones) > MOST_TYPE_LEVELS:
            return True
        before = token.token_type
    return False


def _words_of(tokens: list[Token], text: str) -> tuple[frozenset[int], frozenset[tuple[int, int]]]:
    """Return where a dialect sees words and ends of statements, and where whole quoted texts."""
    plain: set[int] = set()
    quoted: set[tuple[int, int]] = set()
    for token in tokens:
        span = range(token.start, token.end + 1)
        if any(text[place] in "'\"`[$" for place in span):
            quoted.add((token.start, token.end))
        else:
            plain.update(place for place in span if text[place].isalnum() or text[place] == ";")
    return frozenset(plain), frozenset(quoted)


def _statements(parser: Parser, tokens: list[Token], text: str) -> list[exp.Expr]:
    """Return the statements of a text, none where it is no SQL of this dialect."""
    from sqlglot.errors import SqlglotError

    try:
        found = parser.parse(tokens, text)
    except (SqlglotError, RecursionError):
        return []
    return [tree for tree in found if tree is not None and type(tree).__name__ != "Semicolon"]


def _of_statements(statements: list[exp.Expr], parameters: set[str]) -> Iterator[str]:
    tree = statements[0]
    if len(statements) > 1:
        yield "has more than one statement; write one, and other nodes for others."
    if type(tree).__name__ not in STATEMENTS:
        yield "is no statement that reads; write SELECT, WITH or VALUES."
    nodes = [node for statement in statements for node in statement.walk()]
    bound = sorted(node.name for node in nodes if type(node).__name__ == "Placeholder")
    if bound != sorted(parameters):
        yield "has a parameter that is no `${…}`, or a `${…}` in quotes or in a comment."
    for node in nodes:
        yield from _of_node(node)


def _of_node(node: exp.Expr) -> Iterator[str]:
    from sqlglot import exp

    kind = type(node).__name__
    if isinstance(node, exp.Anonymous):
        yield from _of_function(node)
    elif isinstance(node, exp.Placeholder) and isinstance(node.parent, exp.Table):
        yield "has a `${…}` in the place of a table; only values can be bound."
    elif not isinstance(node, exp.Binary):
        known = SPECIAL_FUNCTIONS if isinstance(node, exp.Func) else CLAUSES
        if kind not in known:
            yield f"has a part that may do more than read ({kind})."


def _of_function(call: exp.Anonymous) -> Iterator[str]:
    from sqlglot import exp

    # A quoted name keeps its capitals: "NOW" is another function than now.
    name = call.name if isinstance(call.this, exp.Identifier) else call.name.lower()
    table = call.parent if isinstance(call.parent, exp.Table) else None
    if name not in FUNCTIONS:
        yield f"calls `{name[:80]}`, which may do more than read."
    elif isinstance(call.parent, exp.Dot) or (table and table.args.get("db")):
        yield f"calls `{name}` of a schema; write the name alone."
