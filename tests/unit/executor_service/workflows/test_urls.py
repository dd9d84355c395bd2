from __future__ import annotations

import pytest

from executor_service.workflows.urls import MOST_CHARACTERS, check_url
from heartrule.domain.decisions import FindingCode

PATH = "nodes.3.config.url"

GOOD = [
    "https://api.weather.com/v1/current",
    "https://api.email.com/send",
    "http://example.com",
    "HTTPS://Example.COM:8443/a?b=c#d",
    "https://例.example/".replace("例", "xn--fsq"),
    "http://192.0.2.1:80/",
    "http://[2001:db8::1]/",
    "https://example.com/city/${input.city}?key=${WEATHER_API_KEY}&q=北京",
    "https://example.com/${ input.city }",
    "https://example.com?q=${input.q}",
    "https://a_b.example.com./",
]
BAD = {
    "nothing": "",
    "no scheme": "example.com/x",
    "no slashes": "https:example.com",
    "no host": "https:///x",
    "a file": "file:///etc/passwd",
    "gopher": "gopher://example.com/",
    "ftp": "ftp://example.com/",
    "javascript": "javascript:alert(1)",
    "a user": "https://user@example.com/",
    "a user and a word": "https://user:word@example.com/",
    "a host as a user": "https://good.example:443@bad.example/",
    "a backslash": "https://good.example\\@bad.example/",
    "a line end": "https://exa\nmple.com/",
    "a tab": "https://example.com/\ta",
    "a space": " https://example.com/",
    "a null": "https://example.com/\0",
    "a soft space": "https://example.com/\u00a0",
    "half a character": "https://example.com/\ud800",
    "full width": "https://ｅxample.com/",
    "a full-width stop": "https://127。0。0。1/",
    "a percent sign": "https://%65xample.com/",
    "decimal": "http://2130706433/",
    "hexadecimal": "http://0x7f000001/",
    "octal": "http://0177.0.0.1/",
    "short": "http://127.1/",
    "a number at the end": "http://example.0x7f/",
    "five numbers": "http://1.2.3.4.5/",
    "too large a number": "http://256.1.1.1/",
    "no IPv6": "http://[::1::]/",
    "an IPv6 zone": "http://[fe80::1%25eth0]/",
    "an open bracket": "http://[::1/",
    "an empty label": "http://a..example/",
    "a hyphen in front": "http://-a.example/",
    "a long label": f"http://{'a' * 64}.example/",
    "a long name": f"http://{'a.' * 130}example/",
    "port 0": "http://example.com:0/",
    "port 65536": "http://example.com:65536/",
    "no port": "http://example.com:/",
    "a word as a port": "http://example.com:http/",
    "a reference alone": "${input.url}",
    "a reference as the scheme": "${input.scheme}://example.com/",
    "a reference as the host": "https://${input.host}/",
    "a reference in the host": "https://api.${input.domain}.example/",
    "a reference as the port": "https://example.com:${input.port}/",
    "a reference as a user": "https://${TOKEN}@example.com/",
    "a reference right behind the host": "https://good.example${input.rest}",
}


@pytest.mark.parametrize("url", GOOD)
def test_a_plain_address_passes(url: str) -> None:
    """An address of http or https with a plain host is not objected to."""
    assert check_url(url, PATH) == ()


@pytest.mark.parametrize("url", BAD.values(), ids=BAD.keys())
def test_an_address_that_can_be_read_in_two_ways_is_forbidden(url: str) -> None:
    """Another scheme, a user or a doubtful host is a forbidden operation."""
    [finding] = check_url(url, PATH)
    assert (finding.code, finding.path) == (FindingCode.FORBIDDEN_OPERATION, PATH)
    assert finding.message.startswith(PATH)
    assert finding.correction is None


def test_an_address_has_2048_characters() -> None:
    """The longest legal address passes, and one character more is too large."""
    url = "https://example.com/".ljust(MOST_CHARACTERS, "a")
    assert check_url(url, PATH) == ()
    [finding] = check_url(url + "a", PATH)
    assert finding.code is FindingCode.TOO_LARGE


@pytest.mark.parametrize(
    "host", ["example.com", "API.Example.com", "example.com.", "a.b.example.com:8"]
)
def test_a_domain_of_the_policy_holds_for_those_below_it(host: str) -> None:
    """A host that is one of the domains, or below one, passes."""
    assert check_url(f"https://{host}/x", PATH, ("other.example", "Example.com")) == ()


@pytest.mark.parametrize("host", ["badexample.com", "example.com.bad.example", "192.0.2.1", "com"])
def test_a_host_outside_the_policy_is_forbidden(host: str) -> None:
    """A host that only looks like one of the domains is a forbidden operation."""
    [finding] = check_url(f"https://{host}/x", PATH, ("example.com",))
    assert (finding.code, finding.path) == (FindingCode.FORBIDDEN_OPERATION, PATH)
    assert finding.rule.startswith("3.2.2")


def test_a_policy_without_domains_forbids_all() -> None:
    """No domain at all is a limit, unlike no policy."""
    assert check_url("https://example.com/", PATH, ()) != ()
    assert check_url("https://example.com/", PATH, None) == ()
