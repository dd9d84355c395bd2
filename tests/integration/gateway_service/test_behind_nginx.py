"""The example configuration of nginx, run in front of a gateway."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx

from tests.support.gateways import gateway_to
from tests.support.require import require_tool
from tests.support.source_tree import ROOT

EXAMPLE = ROOT / "deploy" / "nginx" / "heartrule.conf"
NOBODY = "127.0.0.1:9"


def free_port() -> int:
    from heartrule_cli.services import free_ports

    return free_ports(1)[0]


async def run(*command: str, folder: Path) -> None:
    child = await asyncio.create_subprocess_exec(
        *command, cwd=folder, stderr=asyncio.subprocess.PIPE
    )
    _, errors = await child.communicate()
    assert child.returncode == 0, errors.decode()


@asynccontextmanager
async def nginx(folder: Path, gateway: int) -> AsyncIterator[int]:
    """Run nginx with the example, its addresses and time-outs made ours; yields its port."""
    program, port = require_tool("nginx"), free_port()
    text = EXAMPLE.read_text("utf-8").replace("127.0.0.1:8443", f"127.0.0.1:{port}")
    text = text.replace("127.0.0.1:8080", f"127.0.0.1:{gateway}")
    text = text.replace("client_header_timeout 10s", "client_header_timeout 1s")
    (folder / "nginx.conf").write_text(text, "utf-8")
    await run(
        require_tool("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1",
        "-subj", "/CN=heartrule.example", "-keyout", "key.pem", "-out", "cert.pem", folder=folder,
    )  # fmt: skip
    child = await asyncio.create_subprocess_exec(
        program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", "daemon off;",
        "-e", str(folder / "error.log"), stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        while not await _listens(port):
            assert child.returncode is None, (folder / "error.log").read_text("utf-8")
        yield port
    finally:
        with suppress(ProcessLookupError):
            child.terminate()
        await child.wait()


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return True


async def test_the_example_serves_and_limits(tmp_path: Path) -> None:
    """Pages and the client's address pass; a large header and a slow one do not."""
    async with gateway_to(NOBODY, token="s3cret", trusted_proxies="127.0.0.1") as (running, _):
        async with nginx(tmp_path, running.port) as port:
            base = f"https://127.0.0.1:{port}"
            async with httpx.AsyncClient(base_url=base, verify=_any(), trust_env=False) as http:
                assert (await http.get("/api/about")).status_code == 200
                login = await http.post("/api/login", json={"token": "s3cret"})
                assert "Secure" in login.headers["set-cookie"]
                large = await http.get("/api/about", headers={"x": "a" * 100_000})
                assert large.status_code == 400
            assert await _slow_header(port) < 5


def _any() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


async def _slow_header(port: int) -> float:
    """Return the seconds after which a connection without the end of its header is closed."""
    begun = asyncio.get_running_loop().time()
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=_any())
    writer.write(b"GET / HTTP/1.1\r\n")
    with suppress(ConnectionError):
        async with asyncio.timeout(15):
            await reader.read()
    writer.close()
    with suppress(OSError, ssl.SSLError):
        await writer.wait_closed()
    return asyncio.get_running_loop().time() - begun
