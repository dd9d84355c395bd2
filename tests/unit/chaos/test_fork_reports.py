"""What the fork server reports: each process has an end of its own, whatever its id."""

from __future__ import annotations

import asyncio

import pytest

from tests.chaos.fork_reports import ForkReports, NotStarted

PID = 4711


@pytest.fixture
async def reports() -> ForkReports:
    """Of a fork server that has reported nothing yet."""
    return ForkReports()


async def test_a_process_with_the_id_of_an_earlier_one_runs(reports: ForkReports) -> None:
    """The system gives an id again after 32,768 others; the process it names has not ended."""
    earlier, later = reports.asked(1), reports.asked(2)
    for report in ({"started": 1, "pid": PID}, {"ended": PID, "code": -9}):
        reports.take(report)
    reports.take({"started": 2, "pid": PID})
    assert (await earlier).ended.result() == -9
    assert not (await later).ended.done()


async def test_each_ends_with_its_own_code(reports: ForkReports) -> None:
    """The end of the later one is reported to whoever waits for it."""
    codes = []
    for number, code in ((1, -9), (2, 0)):
        asked = reports.asked(number)
        reports.take({"started": number, "pid": PID})
        reports.take({"ended": PID, "code": code})
        codes.append((await asked).ended.result())
    assert codes == [-9, 0]


async def test_an_end_that_is_read_with_the_start_is_kept(reports: ForkReports) -> None:
    """A process that ends at once has ended before whoever started it looks."""
    asked = reports.asked(1)
    reports.take({"started": 1, "pid": PID})
    reports.take({"ended": PID, "code": 1})
    assert (await asked).ended.result() == 1


async def test_a_start_given_up_disturbs_no_other(reports: ForkReports) -> None:
    """Its report is read all the same, and so are those behind it."""
    given_up, asked = reports.asked(1), reports.asked(2)
    given_up.cancel()
    reports.take({"started": 1, "pid": PID})
    reports.take({"started": 2, "pid": PID + 1})
    assert (await asked).pid == PID + 1


async def test_without_a_server_nothing_starts_and_all_has_ended(reports: ForkReports) -> None:
    """Whoever waits for a start or an end hears of it when the server is gone."""
    running, asked = reports.asked(1), reports.asked(2)
    reports.take({"started": 1, "pid": PID})
    reports.lost()
    assert await (await running).ended == -9
    with pytest.raises(NotStarted, match="the fork server has ended"):
        await asked
    with pytest.raises(NotStarted, match="the fork server has ended"):
        await asyncio.wait_for(reports.asked(3), 1)
