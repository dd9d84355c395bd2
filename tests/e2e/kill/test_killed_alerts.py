"""kill -9 between the claim of an alert and its delivery: the alert still arrives."""

from __future__ import annotations

import signal
from pathlib import Path

from heartrule.chassis.channels import open_channel
from heartrule.model.rehearsal.rehearsal_server import serve
from tests.support.alert_inbox import alert_inbox
from tests.support.conversing import Client
from tests.support.databases import database_address
from tests.support.killing import environment, executor_here
from tests.support.processes import service
from tests.support.scripts import ask_script


async def test_an_alert_outlives_the_executor_that_claimed_it(tmp_path: Path) -> None:
    """The next executor delivers it once the dead one's claim has run out."""
    model = await serve()
    async with database_address("sqlite", tmp_path) as address, alert_inbox() as inbox:
        told = {"HEARTRULE_ALERT_TIMEOUT": "0.2", **inbox.environ()}
        environ = {**environment(address, model.base_url), **told}
        armed = {"HEARTRULE_TEST_MODE": "1", "HEARTRULE_FAILPOINT": "alert_claimed"}
        async with service("executor_service", tmp_path, {**environ, **armed}) as doomed:
            channel = open_channel(doomed.address)
            client = Client(channel)
            session_id = await client.start(ask_script(9))
            await client.send(session_id, "m1", "我想自杀")
            assert await doomed.died() == -signal.SIGKILL
            await channel.close()
        assert inbox.ids == []
        async with executor_here(environ):
            alert = await inbox.first()
    await model.aclose()
    assert alert["data"]["sessionId"] == session_id
