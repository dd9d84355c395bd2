"""The rules of an HTTP node's address (document 002, sections 3.1.2 and 3.2.2).

An address is refused unless every program reads it alike, so that the host judged here is the host
that is called. Which addresses a host's name may lead to is judged where the node connects.
"""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address

from heartrule.domain.decisions import FindingCode, RuleFinding

MOST_CHARACTERS = 2_048
RULE = "3.1.2 dangerous operations"
DOMAIN_RULE = "3.2.2 API domains"

# RFC 3986 ends the authority at the first of these three, whatever follows.
_SHAPE = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<authority>[^/?#]*)(?:[/?#].*)?")
_AUTHORITY = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]+)(?::(?P<port>[0-9]{1,5}))?")
_LABEL = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?")
# Browsers and resolvers read a host with such a last label as a number: 127.1, 0x7f000001.
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")
# A backslash is a slash to some readers; white space and control characters are dropped by others.
_UNSAFE = re.compile(r"[\\\x00-\x20\x7f-\xa0\u2028\u2029\ufeff\ud800-\udfff]")
_REFERENCE = re.compile(r"\$\{[^{}]*\}")


def check_url(
    url: str, path: str, domains: tuple[str, ...] | None = None
) -> tuple[RuleFinding, ...]:
    """Return what forbids calling an address; `domains` are the hosts of a policy, None is any.

    A `${…}` may stand behind the host alone: one in its place would be judged by nobody.
    """
    if len(url) > MOST_CHARACTERS:
        text = f"{path} is longer than {MOST_CHARACTERS} characters; send what is long in the body."
        return (_finding(path, text, FindingCode.TOO_LARGE),)
    shape = _SHAPE.fullmatch(url)
    if shape is None or _UNSAFE.search(_REFERENCE.sub("", url)):
        text = f"{path} is not an address; write http:// or https://, a host and a path."
        return (_finding(path, text),)
    if shape["scheme"].lower() not in {"http", "https"}:
        return (_finding(path, f"{path} has a scheme other than http and https."),)
    if problem := _problem(shape["authority"]):
        return (_finding(path, f"{path} {problem}"),)
    return _outside(_host(shape["authority"]), path, domains)


def _finding(
    path: str, message: str, code: FindingCode = FindingCode.FORBIDDEN_OPERATION, rule: str = RULE
) -> RuleFinding:
    return RuleFinding(code=code, path=path, message=message, rule=rule)


def _problem(authority: str) -> str:
    """Return what is wrong with the part between the slashes, or an empty text."""
    if "$" in authority:
        return "has a reference in its host; write the host, and references behind it."
    if "@" in authority:
        return "names a user; credentials belong in the headers, as declared secrets."
    match = _AUTHORITY.fullmatch(authority)
    if match is None:
        return "has no plain host; write a name in ASCII (xn--… for others) or an IP address."
    if match["port"] and not 0 < int(match["port"]) < 65_536:
        return "has a port outside 1 to 65535."
    if not _is_host(match["host"]):
        return "has a host that is neither a name nor an IP address in its usual form."
    return ""


def _host(authority: str) -> str:
    """Return the host of a sound authority, as names are compared."""
    match = _AUTHORITY.fullmatch(authority)
    assert match is not None
    return match["host"].lower().removesuffix(".")


def _is_host(host: str) -> bool:
    try:
        if host.startswith("["):
            IPv6Address(host[1:-1])
            return True
        labels = host.removesuffix(".").split(".")
        if _NUMBER.fullmatch(labels[-1]):
            IPv4Address(host)
            return True
    except AddressValueError:
        return False
    return len(host) <= 254 and all(_LABEL.fullmatch(label) for label in labels)


def _outside(host: str, path: str, domains: tuple[str, ...] | None) -> tuple[RuleFinding, ...]:
    """Object to a host that is none of the domains, nor below one."""
    allowed = [domain.lower().strip(".") for domain in domains or ()]
    if domains is None or any(host == name or host.endswith("." + name) for name in allowed):
        return ()
    text = f"{path} calls `{host}`, which is none of the domains of the policy."
    return (_finding(path, text, rule=DOMAIN_RULE),)
