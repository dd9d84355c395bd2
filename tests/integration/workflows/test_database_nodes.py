"""DATABASE nodes on both databases: they read, and nothing else, within their limits."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from executor_service.workflows.nodes.database_node import DatabaseNode
from executor_service.workflows.nodes.node_access import NodeAccess
from executor_service.workflows.nodes.node_port import NodeCall
from executor_service.workflows.sql import check_sql
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import RunErrorCode
from tests.support.loop_watch import watched_loop
from tests.support.node_calls import failure_of, node_call, ran
from tests.support.odd_servers import listening, silent
from tests.support.postgres import fresh_database

TABLE = "CREATE TABLE sales (month TEXT, amount INTEGER)"
ROWS = "INSERT INTO sales VALUES ('2026-09', 5), ('2026-10', 7)"
# `similarity` is on the list of functions that read, and here it writes.
HIDDEN_WRITE = """
CREATE FUNCTION similarity(text, text) RETURNS text LANGUAGE plpgsql AS
$$ BEGIN INSERT INTO sales VALUES ('hidden', 1); RETURN 'done'; END $$
"""


@dataclass(frozen=True, slots=True)
class Sales:
    """A database that a node may name."""

    kind: str
    address: str

    def rows(self) -> int:
        """Return how many rows the table has, by a connection of the test's own."""
        if self.kind == "sqlite":
            with closing(sqlite3.connect(self.address.removeprefix("sqlite:///"))) as db:
                return int(db.execute("SELECT count(*) FROM sales").fetchone()[0])
        with psycopg.connect(self.address) as connection:
            row = connection.execute("SELECT count(*) FROM sales").fetchone()
            assert row
            return int(row[0])


@pytest.fixture(params=["sqlite", "postgresql"])
def sales(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Sales]:
    """Give a database with two rows, which no test of a node changes."""
    if request.param == "sqlite":
        with closing(sqlite3.connect(tmp_path / "sales.db")) as db:
            db.execute(TABLE)
            db.execute(ROWS)
            db.commit()
        found = Sales("sqlite", f"sqlite:///{tmp_path}/sales.db")
        yield found
        assert found.rows() == 2
        return
    with fresh_database() as address:
        with psycopg.connect(address, autocommit=True) as connection:
            for statement in (TABLE, ROWS, HIDDEN_WRITE, "CREATE SEQUENCE numbers"):
                connection.execute(statement.encode())
        found = Sales("postgresql", address)
        yield found
        assert found.rows() == 2
        with psycopg.connect(address, autocommit=True) as connection:
            for what in ("FUNCTION similarity", "TABLE sales", "SEQUENCE numbers"):
                connection.execute(f"DROP {what}".encode())


@pytest.fixture
async def node() -> AsyncIterator[DatabaseNode]:
    """Give the runner, and end its threads."""
    runner = DatabaseNode()
    yield runner
    await runner.aclose()


def call_of(sales: Sales, query: str, *values: JsonValue, timeout_s: float = 20.0) -> NodeCall:
    """Return a call of a node, its references already `$1` and so on."""
    params = {str(number): value for number, value in enumerate(values, start=1)}
    access = NodeAccess(connections={"sales_db": sales.address})
    config: dict[str, JsonValue] = {"query": query, "params": params, "connection": "sales_db"}
    return node_call(config, access=access, timeout_s=timeout_s)


async def test_rows_are_objects_by_the_names_of_columns(sales: Sales, node: DatabaseNode) -> None:
    """Parameters are bound, so that a quote in one is a quote."""
    query = "SELECT month, amount FROM sales WHERE amount > $1 OR month = $2 ORDER BY month;"
    result = await ran(node, call_of(sales, query, 6, "x' OR '1'='1"))
    rows = [{"month": "2026-10", "amount": 7}]
    assert result.output == {"data": rows, "row_count": 1, "truncated": False}


async def test_values_are_what_json_holds(sales: Sales, node: DatabaseNode) -> None:
    """Null, texts, numbers and what has no number in JSON."""
    query = "SELECT NULL AS a, 'b' AS b, 1.5 AS c, CAST($1 AS TEXT) AS d -- the end"
    result = await ran(node, call_of(sales, query, {"k": [1]}))
    assert isinstance(result.output, dict)
    assert result.output["data"] == [{"a": None, "b": "b", "c": 1.5, "d": '{"k":[1]}'}]


WRITES = [
    "INSERT INTO sales VALUES ('a', 1)",
    "DELETE FROM sales",
    "DROP TABLE sales",
    "SELECT 1; DELETE FROM sales",
    "SELECT 1) AS q) AS r; COMMIT; DELETE FROM sales; SELECT 1 FROM (SELECT (SELECT 1",
    "WITH gone AS (DELETE FROM sales RETURNING *) SELECT * FROM gone",
    "WITH a AS (SELECT 1) INSERT INTO sales SELECT 'a', 1",
    "SELECT similarity('a', 'b')",
    "SELECT month, amount INTO copied FROM sales",
    "SELECT nextval('numbers')",
    "SELECT * FROM sales FOR UPDATE",
    "SELECT set_config('transaction_read_only', 'off', true)",
    "SET TRANSACTION READ WRITE",
    "COPY sales TO '/tmp/sales.csv'",
    "PRAGMA writable_schema = 1",
    "ATTACH DATABASE '/tmp/other.db' AS other",
    "VACUUM INTO '/tmp/other.db'",
    "SELECT load_extension('x')",
    "SELECT * FROM pragma_table_info('sales')",
    "CREATE TEMP TABLE t (a)",
]


@pytest.mark.parametrize("query", WRITES)
async def test_nothing_but_reading_is_done(sales: Sales, node: DatabaseNode, query: str) -> None:
    """What a parser was not told, the connection refuses; the table stays as it is."""
    failure = await failure_of(node, call_of(sales, query))
    assert failure.code in {RunErrorCode.REFUSED, RunErrorCode.CODE_ERROR}
    assert not failure.is_retryable


async def test_a_write_that_the_parser_does_not_see_is_refused(
    sales: Sales, node: DatabaseNode
) -> None:
    """A function of the database's owner that writes has a name that the gate lets pass."""
    query = "SELECT similarity('a', 'b')"
    assert check_sql(query, "q") == ()
    if sales.kind == "postgresql":
        failure = await failure_of(node, call_of(sales, query))
        assert failure.code is RunErrorCode.REFUSED


ENDLESS = {
    "sqlite": [
        "SELECT count(*) FROM n, n AS b, n AS c, n AS d",
        "SELECT max(x) FROM e",
    ],
    "postgresql": [
        "SELECT count(*) FROM n, n AS b, n AS c, n AS d",
        "SELECT max(x) FROM e",
        "SELECT pg_sleep(60)",
        "SELECT set_config('statement_timeout', '0', true), pg_sleep(60)",
    ],
}
NUMBERS = """\
WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000),
e(x) AS (SELECT 1 UNION ALL SELECT x + 0 FROM e)
"""


@pytest.mark.parametrize("number", range(4))
async def test_a_query_has_its_time(sales: Sales, node: DatabaseNode, number: int) -> None:
    """A join without an end and a query that sleeps are stopped, on the server too."""
    queries = ENDLESS[sales.kind]
    query = queries[number % len(queries)]
    text = query if "sleep" in query else NUMBERS + query
    failure = await failure_of(node, call_of(sales, text, timeout_s=0.5))
    assert (failure.code, failure.is_retryable) == (RunErrorCode.TIMEOUT, True)
    if sales.kind == "postgresql":
        with psycopg.connect(sales.address) as connection:
            running = connection.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE application_name = 'heartrule node' AND state = 'active'"
            ).fetchone()
        assert running == (0,)


# One step of SQLite each, so that no handler of progress is asked meanwhile.
UNINTERRUPTED = {
    "trim": "trim(printf('%.900000c', 'a'), printf('%.60000c', 'b') || 'a')",
    "instr": "instr(printf('%.900000c', 'a'), printf('%.450000c', 'a') || 'b')",
    "replace": "replace(printf('%.900000c', 'a'), printf('%.450000c', 'a') || 'b', '')",
}


@pytest.mark.parametrize("sales", ["sqlite"], indirect=True)
@pytest.mark.parametrize("call", UNINTERRUPTED.values(), ids=UNINTERRUPTED.keys())
async def test_a_step_that_cannot_be_interrupted_has_its_time_too(
    sales: Sales, node: DatabaseNode, call: str
) -> None:
    """The gate lets it pass, for it reads; the next query is read at once."""
    query = f"SELECT length({call}) AS n"
    assert check_sql(query, "q") == ()
    failure = await failure_of(node, call_of(sales, query, timeout_s=1.0))
    assert (failure.code, failure.is_retryable) == (RunErrorCode.TIMEOUT, True)
    result = await ran(node, call_of(sales, "SELECT 1 AS n"))
    assert result.output == {"data": [{"n": 1}], "row_count": 1, "truncated": False}


SORTED = """\
WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
SELECT x FROM n ORDER BY printf('%.900000c', 'a') || x"""


@pytest.mark.parametrize("sales", ["sqlite"], indirect=True)
async def test_sorting_fills_no_disk(sales: Sales, node: DatabaseNode) -> None:
    """What is too much for memory is sorted in a file, and that has an end."""
    failure = await failure_of(node, call_of(sales, SORTED))
    assert (failure.code, failure.is_retryable) == (RunErrorCode.LIMIT, False)


MANY = """\
WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 10000000)
SELECT x FROM n"""
WIDE = """\
WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 9000),
w(t) AS (SELECT replace('aaaaaaaaaa', 'a', replace('bbbbbbbbbb', 'b', 'cccccccccc')))
SELECT x, t FROM n, w"""


@pytest.mark.parametrize(("query", "count"), [(MANY, 10_000), (WIDE, None)])
async def test_ten_million_rows_are_cut(
    sales: Sales, node: DatabaseNode, query: str, count: int | None
) -> None:
    """10,000 rows and 4 MB are kept, and the output says that there was more."""
    with watched_loop() as longest:
        output = (await ran(node, call_of(sales, query))).output
    assert isinstance(output, dict)
    assert output["truncated"] is True
    assert output["row_count"] == len(output["data"])
    assert count is None or output["row_count"] == count
    assert 3_000 < output["row_count"] <= 10_000
    assert longest.cpu_s < 0.05


HUGE = {
    "sqlite": "SELECT replace(hex(zeroblob(400000)), '0', 'xxxxxxxxxx') AS t",
    "postgresql": "SELECT lpad('', 50000000, 'x') AS t",
}


async def test_one_huge_value_is_not_carried_here(sales: Sales, node: DatabaseNode) -> None:
    """SQLite refuses to make it, PostgreSQL keeps it; neither holds our memory."""
    call = call_of(sales, HUGE[sales.kind])
    if sales.kind == "sqlite":
        assert (await failure_of(node, call)).code is RunErrorCode.LIMIT
        return
    result = await ran(node, call)
    assert result.output == {"data": [], "row_count": 0, "truncated": True}


async def test_a_wrong_query_is_told_in_the_databases_words(
    sales: Sales, node: DatabaseNode
) -> None:
    """Whoever wrote it can mend it."""
    failure = await failure_of(node, call_of(sales, "SELECT amonut FROM sales"))
    assert failure.code is RunErrorCode.CODE_ERROR
    assert "amonut" in failure.message


@pytest.mark.parametrize(
    "address", ["sqlite:////nowhere/sales.db", "postgresql://me:swordfish@127.0.0.1:1/sales"]
)
async def test_a_database_that_is_away_may_come_back(node: DatabaseNode, address: str) -> None:
    """The failure names neither its address nor a password."""
    failure = await failure_of(node, call_of(Sales("", address), "SELECT 1"))
    assert (failure.code, failure.is_retryable) == (RunErrorCode.CONNECTION, True)
    assert "sales" not in failure.message
    assert "swordfish" not in failure.message


async def test_a_server_that_never_answers_is_left(node: DatabaseNode) -> None:
    """The node's time is over whether the server hears of it or not."""
    async with listening(silent) as server:
        address = f"postgresql://me@{server.host}:{server.port}/sales?sslmode=disable"
        failure = await failure_of(node, call_of(Sales("", address), "SELECT 1", timeout_s=0.3))
    assert (failure.code, failure.is_retryable) == (RunErrorCode.TIMEOUT, True)


async def test_a_value_that_no_text_holds_is_told(sales: Sales, node: DatabaseNode) -> None:
    """Half a character and a whole number above 64 bits are bound as texts."""
    result = await ran(node, call_of(sales, "SELECT $1 AS a, $2 AS b", "x\ud800", 2**70))
    assert isinstance(result.output, dict)
    assert result.output["data"] == [{"a": "x?", "b": str(2**70)}]


async def test_a_connection_is_one_of_the_policys(node: DatabaseNode) -> None:
    """Where a node names none, the policy's only one is meant."""
    failure = await failure_of(node, node_call({"query": "SELECT 1", "connection": "x"}))
    assert failure.code is RunErrorCode.REFUSED
    failure = await failure_of(node, node_call({"query": "SELECT 1"}))
    assert failure.code is RunErrorCode.REFUSED
