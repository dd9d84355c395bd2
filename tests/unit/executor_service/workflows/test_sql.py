from __future__ import annotations

import logging
import sqlite3
import time

import pytest

from executor_service.workflows.sql import MOST_BYTES, bound_sql, check_sql
from heartrule.domain.decisions import FindingCode

PATH = "nodes.0.config.query"

GOOD = {
    "printed": "SELECT * FROM sales WHERE date >= DATE_SUB(NOW(), INTERVAL 3 MONTH)",
    "lower case and an end": "select 1;",
    "values": "VALUES (1, 'a'), (2, 'b')",
    "parentheses": "(SELECT 1)",
    "a union": "SELECT 1 UNION ALL SELECT 2 EXCEPT SELECT 3",
    "a table of its own": "WITH a(n) AS (SELECT 1) SELECT n FROM a",
    "recursion": "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) "
    "SELECT n FROM t",
    "joins": "SELECT a.x, b.y FROM a LEFT JOIN b USING (id) CROSS JOIN c WHERE a.x IN (1, 2) "
    "AND EXISTS (SELECT 1 FROM d) AND NOT a.z IS NULL ORDER BY 1 DESC NULLS LAST LIMIT 5 OFFSET 2",
    "groups": "SELECT month, count(*) AS n, sum(DISTINCT amount) FROM sales GROUP BY month "
    "HAVING count(*) > 1",
    "groups of groups": "SELECT a, b, sum(c) FROM t GROUP BY ROLLUP (a, b)",
    "a window": "SELECT row_number() OVER (PARTITION BY a ORDER BY b), lag(x, 1) OVER w FROM t "
    "WINDOW w AS (ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
    "a filter": "SELECT count(*) FILTER (WHERE a > 1) FROM t",
    "an ordered set": "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM t",
    "a choice": "SELECT CASE WHEN a THEN 1 ELSE 2 END, coalesce(a, b), nullif(a, 0) FROM t",
    "casts": "SELECT CAST(a AS numeric(10, 2)), a::text, date '2026-01-01' FROM t",
    "texts": "SELECT upper(a) || 'x', trim(both ' ' from a), substring(a from 1 for 2), "
    "position('a' in b), string_agg(a, ',') FROM t WHERE a LIKE 'x%' ESCAPE '!' OR a ILIKE '%y'",
    "times of PostgreSQL": "SELECT date_trunc('month', d), extract(year from d), current_date, "
    "now() - interval '3 months' FROM t",
    "times of SQLite": "SELECT strftime('%Y-%m', d), date('now', '-3 months') FROM t",
    "patterns of PostgreSQL": "SELECT a FROM t WHERE a ~ '^x' AND b @> '{}'",
    "patterns of SQLite": "SELECT a FROM t WHERE t MATCH 'x' AND b GLOB 'y*'",
    "JSON": "SELECT a -> 'b' ->> 'c', json_extract(a, '$.b') FROM t",
    "rows of a function": "SELECT * FROM generate_series(1, 3) AS g(n)",
    "names in quotes": 'SELECT "Größe" AS "a ""b""" FROM "Tabelle"',
    "Chinese": "SELECT 金额 FROM 销售 WHERE 城市 = '北京'",
    "words in a text": "SELECT 'DROP TABLE x; --' AS a, '/*' AS b, '$5' AS c, '{#' AS d",
    "a backslash in a text": "SELECT '\\' AS a",
    "a backslash and an end": "SELECT 'a\\''; DROP TABLE x; --'",
    "a column called like a command": 'SELECT "delete", t.update FROM t',
    "comments": "-- sales\nSELECT 1 /* one */ AS a -- end\n",
    "other line ends": "SELECT 1 -- one\r\nAS a",
    "references": "SELECT * FROM t WHERE a = ${input.a} AND b IN (${X}, ${n.output.y}) "
    "LIMIT ${input.most}",
    "a cast reference": "SELECT ${input.a}::date",
    "16 brackets": "SELECT " + "(" * 16 + "1" + ")" * 16,
    "brackets in texts": "SELECT " + ", ".join(["'('"] * 20),
    "types in a row": "SELECT " + ", ".join(["date (a)"] * 20) + " FROM t",
    "three types": "SELECT date(datetime(time(CAST(a AS text)))) FROM t",
}
BAD = {
    "nothing": "",
    "a comment alone": "-- SELECT 1",
    "an end alone": ";",
    "no SQL": "show me the sales",
    "half a statement": "SELECT * FROM",
    "an open quote": "SELECT 'a",
    "insert": "INSERT INTO t VALUES (1)",
    "update": "UPDATE t SET a = 1",
    "delete": "DELETE FROM t",
    "merge": "MERGE INTO t USING u ON a = b WHEN MATCHED THEN DELETE",
    "replace": "REPLACE INTO t VALUES (1)",
    "create": "CREATE TABLE t (a int)",
    "create as": "CREATE TABLE t AS SELECT 1",
    "drop": "DROP TABLE t",
    "alter": "ALTER TABLE t ADD a int",
    "truncate": "TRUNCATE t",
    "a write in a WITH": "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x",
    "a write after a WITH": "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x",
    "a write deep down": "SELECT (SELECT 1 FROM (WITH x AS (UPDATE t SET a = 1 RETURNING a) "
    "SELECT a FROM x) y)",
    "a second statement": "SELECT 1; DROP TABLE t",
    "a second that reads": "SELECT 1; SELECT 2",
    "a second after a comment": "SELECT 1 -- x\n; DROP TABLE t",
    "a second after two ends": "SELECT 1;; DELETE FROM t",
    "into a table": "SELECT * INTO u FROM t",
    "into a file": "SELECT * FROM t INTO OUTFILE '/tmp/x'",
    "into a variable": "SELECT 1 INTO @x",
    "a lock": "SELECT a FROM t FOR UPDATE",
    "a shared lock": "SELECT a FROM t FOR SHARE",
    "a lock deep down": "SELECT (SELECT 1 FROM t FOR NO KEY UPDATE)",
    "a lock of a table": "LOCK TABLE t",
    "copy": "COPY t TO '/tmp/x'",
    "copy to a program": "COPY (SELECT 1) TO PROGRAM 'id'",
    "pragma": "PRAGMA writable_schema = 1",
    "pragma as a function": "SELECT * FROM pragma_table_info('t')",
    "attach": "ATTACH 'x' AS y",
    "vacuum": "VACUUM INTO '/tmp/x'",
    "explain": "EXPLAIN ANALYZE DELETE FROM t",
    "a block": "DO $$ BEGIN END $$",
    "a call": "CALL f()",
    "a setting": "SET a = 1",
    "a transaction": "BEGIN",
    "an end of one": "SELECT 1; COMMIT",
    "a grant": "GRANT ALL ON t TO public",
    "show": "SHOW TABLES",
    "listen": "LISTEN x",
    "table": "TABLE t",
    "sleep": "SELECT pg_sleep(10)",
    "sleep in full": "SELECT pg_catalog.pg_sleep(10)",
    "sleep in quotes": 'SELECT "pg_sleep"(10)',
    "sleep in code points": 'SELECT U&"pg_sl\\0065ep"(10)',
    "sleep as a table": "SELECT * FROM pg_sleep(10)",
    "sleep as rows": "SELECT * FROM ROWS FROM (pg_sleep(10))",
    "sleep in an order": "SELECT 1 ORDER BY pg_sleep(10)",
    "sleep in a limit": "SELECT 1 LIMIT (SELECT pg_sleep(10))",
    "sleep in a join": "SELECT 1 FROM a JOIN b ON pg_sleep(10) IS NULL",
    "sleep behind a comment": "SELECT pg_sleep/* */(10)",
    "sleep over a window": "SELECT pg_sleep(1) OVER ()",
    "a file": "SELECT pg_read_file('/etc/passwd')",
    "a folder": "SELECT * FROM pg_ls_dir('/')",
    "a large object": "SELECT lo_import('/etc/passwd')",
    "a file of MySQL": "SELECT LOAD_FILE('/etc/passwd')",
    "a file of SQLite": "SELECT writefile('x', 'y')",
    "another database": "SELECT * FROM dblink('host=x', 'DROP TABLE t') AS t(a int)",
    "a query in a text": "SELECT query_to_xml('DELETE FROM t', true, true, '')",
    "an extension": "SELECT load_extension('x')",
    "a sequence": "SELECT nextval('s')",
    "a set sequence": "SELECT setval('s', 1)",
    "a setting by function": "SELECT set_config('a', 'b', false)",
    "a session": "SELECT pg_terminate_backend(1)",
    "an advisory lock": "SELECT pg_advisory_lock(1)",
    "a notice": "SELECT pg_notify('a', 'b')",
    "a stranger's function": "SELECT purge_all()",
    "a stranger's known name": "SELECT evil.count(1)",
    "a stranger's known rows": "SELECT * FROM evil.unnest(1)",
    "a known name in capitals": 'SELECT "NOW"()',
    "an open parameter": "SELECT :x",
    "a question mark": "SELECT * FROM t WHERE a = ?",
    "a numbered parameter": "SELECT $1",
    "our parameter": "SELECT ${x}, :hr_0",
    "a variable": "SELECT @x := 1",
    "a setting of MySQL": "SELECT @@version",
    "a reference in quotes": "SELECT * FROM t WHERE a = '${input.a}'",
    "a reference in a name": 'SELECT "${input.a}" FROM t',
    "a reference in a comment": "SELECT 1 -- ${input.a}\n",
    "a reference as a table": "SELECT * FROM ${input.table}",
    "a reference as a statement": "${input.query}",
    "an open reference": "SELECT ${input.a",
    "a dollar quote": "SELECT $$ ' $$; DROP TABLE t; --'",
    "a tagged dollar quote": "SELECT $é$ ' $é$; DROP TABLE t; --'",
    "an escaped text": "SELECT E'\\'; DROP TABLE t; --'",
    "a text of code points": "SELECT U&'\\0041'",
    "backticks": "SELECT ` ' ` ; DROP TABLE t; --'",
    "square brackets": "SELECT [ ' ] ; DROP TABLE t; --'",
    "a comment in a comment": "SELECT 1 /* /* */ ; DROP TABLE t; -- */",
    "a comment and a return": "SELECT 1 -- x\r; DROP TABLE t",
    "a null character": "SELECT 1\0; DROP TABLE t",
    "half a character": "SELECT '\ud800'",
    "a hint for MySQL": "SELECT 1 /*!50000 INTO OUTFILE '/tmp/x' */ FROM t FOR UPDATE",
    "17 brackets": "SELECT " + "(" * 17 + "1" + ")" * 17,
    "types in types": "SELECT " + "date (" * 4 + "1" + ")" * 4,
    "a type's name and a bracket": "SELECT " + "date (a, " * 4 + "1" + ")" * 4,
    "types between others": "SELECT " + "date (a, CASE WHEN " * 4 + "1" + " THEN 1 END)" * 4,
    "types closed in texts": "SELECT " + "date (')', " * 4 + "1" + ")" * 4,
    "4,000 brackets": "SELECT " + "(" * 4_000 + "1" + ")" * 4_000,
    "4,000 signs": "SELECT " + "- " * 4_000 + "1",
    "1,000 queries in one": "SELECT * FROM " + "(SELECT * FROM " * 900 + "t" + ")" * 900,
}


@pytest.mark.parametrize("query", GOOD.values(), ids=GOOD.keys())
def test_a_statement_that_reads_passes(query: str) -> None:
    """One statement that only reads, of SQLite or PostgreSQL, is not objected to."""
    assert check_sql(query, PATH) == ()


@pytest.mark.parametrize("query", BAD.values(), ids=BAD.keys())
def test_whatever_is_not_known_to_read_is_forbidden(query: str) -> None:
    """Each other text is a forbidden operation at the path of the query."""
    found = check_sql(query, PATH)
    assert {(finding.code, finding.path) for finding in found} == {
        (FindingCode.FORBIDDEN_OPERATION, PATH)
    }
    assert all(finding.correction is None and PATH in finding.message for finding in found)


def test_a_query_has_16_kibibytes() -> None:
    """The longest legal query passes, and one byte more is too large."""
    query = "SELECT 'é".ljust(MOST_BYTES - 2, "x") + "'"
    assert check_sql(query, PATH) == ()
    [finding] = check_sql(query + " ", PATH)
    assert (finding.code, finding.path) == (FindingCode.TOO_LARGE, PATH)


@pytest.mark.parametrize("opened", ["date (", "decimal(", "char(", "json(", "date (a, CASE WHEN "])
def test_a_query_that_a_parser_would_read_for_minutes_is_refused_unread(opened: str) -> None:
    """A parser reads what follows a type's name twice, so that each level doubles its time."""
    begun = time.thread_time()
    assert check_sql("SELECT " + opened * 40 + "1" + ")" * 40, PATH) != ()
    assert time.thread_time() - begun < 0.5


def test_what_is_not_understood_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    """A client's words in a query reach no log."""
    with caplog.at_level(logging.DEBUG):
        assert check_sql("CALL secret('a')", PATH) != ()
    assert caplog.records == []


def test_references_become_numbered_parameters() -> None:
    """A reference is bound by its number, and one that stands twice has one."""
    bound = bound_sql("SELECT ${input.a}, ${B}, ${input.a} + 1")
    assert bound.text == "SELECT  $1 ,  $2 ,  $1  + 1"
    assert bound.references == ("input.a", "B")


def test_sqlite_takes_a_bound_query() -> None:
    """The bound text runs as it is, and a value in it is never read as SQL."""
    bound = bound_sql("SELECT ${input.a} || ${input.b}")
    values = dict(zip(["1", "2"], ["'; DROP", " x"], strict=True))
    rows = sqlite3.connect(":memory:").execute(bound.text, values)
    assert rows.fetchall() == [("'; DROP x",)]
