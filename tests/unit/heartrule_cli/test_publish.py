"""A script on its way to an executor."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from executor_service.scripts.loading.bundle import Bundle
from executor_service.scripts.loading.bundle_files import LARGEST_SENT_ALONG
from heartrule.v1 import script_pb2
from heartrule_cli.executor_client import ExecutorClient
from heartrule_cli.script_publishing import publish


class Receiver:
    """Takes what it is sent, in order."""

    def __init__(self) -> None:
        self.taken: list[Path | Bundle] = []

    async def upload(self, picture: Path) -> None:
        """Take a picture."""
        self.taken.append(picture)

    async def publish(self, bundle: Bundle) -> script_pb2.Script:
        """Take a script."""
        self.taken.append(bundle)
        return script_pb2.Script(script_id="s")


async def test_large_pictures_go_up_before_the_script_that_names_them(tmp_path: Path) -> None:
    """An executor refuses a hash it does not hold; small ones lie in the bundle."""
    (tmp_path / "assets").mkdir()
    large = tmp_path / "assets" / "large.jpg"
    large.write_bytes(b"\xff\xd8\xff" + bytes(LARGEST_SENT_ALONG))
    (tmp_path / "assets" / "small.jpg").write_bytes(b"\xff\xd8\xff")
    script = tmp_path / "s.yaml"
    script.write_text("- source: assets/large.jpg\n- source: assets/small.jpg\n", "utf-8")
    receiver = Receiver()
    await publish(cast("ExecutorClient", receiver), script)
    first, second = receiver.taken
    assert first == large
    assert isinstance(second, Bundle)
    assert (list(second.assets), sorted(second.files)) == (
        ["assets/large.jpg"],
        ["assets/small.jpg", "s.yaml"],
    )
