"""The example configurations of proxies, run in front of a gateway and an executor of a test."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from heartrule_cli.services.running_services import free_ports
from tests.support.require import require_tool
from tests.support.source_tree import ROOT

NAME = "heartrule.example"
_EXAMPLES = ROOT / "deploy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """A proxy that runs; it answers by TLS at these ports of 127.0.0.1."""

    http: int
    grpc: int
    certificate: bytes


@asynccontextmanager
async def nginx(folder: Path, *, gateway: int, executor: int) -> AsyncIterator[Proxy]:
    """Run nginx with the example, its addresses and the time of a header made ours."""
    del executor  # the example has none
    program, (port,) = require_tool("nginx"), free_ports(1)
    changed = {"127.0.0.1:8443": f"127.0.0.1:{port}", "127.0.0.1:8080": f"127.0.0.1:{gateway}",
               "client_header_timeout 10s": "client_header_timeout 1s"}  # fmt: skip
    file = _written(folder / "nginx.conf", _EXAMPLES / "nginx" / "heartrule.conf", changed)
    proxy = Proxy(http=port, grpc=0, certificate=await _certificate(folder))
    command = (program, "-p", str(folder), "-c", str(file), "-g", "daemon off;", "-e", "stderr")
    async with _running(command, folder, port):
        yield proxy


@asynccontextmanager
async def envoy(folder: Path, *, gateway: int, executor: int) -> AsyncIterator[Proxy]:
    """Run Envoy with the example, its addresses and the time of a header made ours."""
    program, (http, grpc) = require_tool("envoy"), free_ports(2)
    ports = {8443: http, 8444: grpc, 8080: gateway, 50051: executor}
    changed = {f"port_value: {was}}}": f"port_value: {now}}}" for was, now in ports.items()}
    for name in ("request_headers_timeout", "transport_socket_connect_timeout"):
        changed[f"{name}: 10s"] = f"{name}: 1s"
    file = _written(folder / "envoy.yaml", _EXAMPLES / "envoy" / "heartrule.yaml", changed)
    proxy = Proxy(http=http, grpc=grpc, certificate=await _certificate(folder))
    options = ("--concurrency", "1", "--disable-hot-restart", "--log-level", "warning")
    async with _running((program, "-c", str(file), *options), folder, http):
        yield proxy


PROXIES = {"nginx": nginx, "envoy": envoy}


def _written(file: Path, example: Path, changed: Mapping[str, str]) -> Path:
    text = example.read_text("utf-8")
    for was, now in changed.items():
        assert was in text, was
        text = text.replace(was, now)
    file.write_text(text, "utf-8")
    return file


async def _certificate(folder: Path) -> bytes:
    child = await asyncio.create_subprocess_exec(
        require_tool("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1",
        "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", "key.pem",
        "-out", "cert.pem", cwd=folder, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    _, errors = await child.communicate()
    assert child.returncode == 0, errors.decode()
    return (folder / "cert.pem").read_bytes()


@asynccontextmanager
async def _running(command: tuple[str, ...], folder: Path, port: int) -> AsyncIterator[None]:
    with (folder / "proxy.log").open("wb") as log:
        child = await asyncio.create_subprocess_exec(*command, cwd=folder, stdout=log, stderr=log)
    try:
        while not await _listens(port):
            assert child.returncode is None, (folder / "proxy.log").read_text("utf-8")
        yield
    finally:
        with suppress(ProcessLookupError):
            child.terminate()
        await child.wait()


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    await hang_up(writer)
    return True


async def hang_up(writer: asyncio.StreamWriter) -> None:
    """Close a connection, whatever became of it."""
    writer.close()
    with suppress(OSError, ssl.SSLError):
        await writer.wait_closed()


def any_certificate() -> ssl.SSLContext:
    """Return a context that believes every proxy."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
