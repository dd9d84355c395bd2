"""Requests past the SDK leave by the way the SDK's own would take."""

from __future__ import annotations

import pytest

from heartrule.model.openai_client import proxy_for


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http", "https", "all", "no"):
        monkeypatch.delenv(f"{name}_proxy", raising=False)
        monkeypatch.delenv(f"{name}_PROXY".upper(), raising=False)


@pytest.mark.parametrize(
    ("variable", "scheme", "proxy"),
    [
        ("HTTPS_PROXY", "https", "http://p:1"),
        ("https_proxy", "https", "http://p:1"),
        ("HTTP_PROXY", "https", None),
        ("ALL_PROXY", "https", "http://p:1"),
        ("http_proxy", "http", "http://p:1"),
    ],
)
def test_proxy_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, variable: str, scheme: str, proxy: str | None
) -> None:
    """The usual variables name a proxy for their scheme, one of them for all."""
    monkeypatch.setenv(variable, "http://p:1")
    assert proxy_for(scheme, "model.example") == proxy


def test_addresses_without_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_PROXY leaves out the addresses it names."""
    monkeypatch.setenv("ALL_PROXY", "http://p:1")
    monkeypatch.setenv("NO_PROXY", "example.org,10.0.0.7")
    hosts = ("model.example.org", "10.0.0.7", "other.net")
    assert [proxy_for("http", host) for host in hosts] == [None, None, "http://p:1"]
