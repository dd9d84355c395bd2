"""Who may talk to whom: these edges and no others."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from typing import Any

import pytest

from tests.support.manifests import Manifest, Rendered, render

CLIENT = "heartrule-client=true"
PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
BOTH = ("executor", "monitor")
INGRESS = {(CLIENT, "executor", 50051), (f"{CLIENT}/{CLIENT}", "executor", 50051),
           ("executor", "monitor", 50052)}  # fmt: skip
NAMES = "kubernetes.io/metadata.name=kube-system/k8s-app=kube-dns"
HTTP_CLIENT = "heartrule-http-client=true/"
WITH_GATEWAY = (INGRESS - {(CLIENT, "executor", 50051)}) | {
    ("gateway", "executor", 50051), (HTTP_CLIENT, "gateway", 8080),
}  # fmt: skip
"""The gateway bears the label of clients, and is heard by its own."""
SCRUB = {("scrub", NAMES, 53), *(("scrub", block, 5432) for block in PRIVATE)}
SERVICES = {
    ("executor", "monitor", 50052),
    *((service, block, 443) for service in BOTH for block in ("0.0.0.0/0", "::/0")),
    *((service, NAMES, 53) for service in BOTH),
}
EGRESS = SERVICES | SCRUB | {("executor", block, 5432) for block in PRIVATE}
WORKER = {
    *(("worker", block, port) for block in ("0.0.0.0/0", "::/0") for port in (80, 443)),
    *(("worker", block, 5432) for block in PRIVATE),
    ("worker", NAMES, 53),
}
COLLECTOR = {(s, "kubernetes.io/metadata.name=observability/", 4317) for s in BOTH}

Edge = tuple[str, str, int]


def peers(rendered: Rendered, peer: Manifest) -> list[str]:
    """Return names of our pods a peer picks, or else what it picks by, as text."""
    if "ipBlock" in peer:
        return [peer["ipBlock"]["cidr"]]
    if "namespaceSelector" not in peer:
        ours = [pod.name for pod in rendered.pods_labelled(peer["podSelector"])]
        return ours or [text(peer["podSelector"])]
    return [f"{text(peer['namespaceSelector'])}/{text(peer.get('podSelector', {}))}"]


def text(selector: dict[str, Any]) -> str:
    return ",".join(f"{key}={value}" for key, value in selector.get("matchLabels", {}).items())


def edges(rendered: Rendered, direction: str) -> Iterator[Edge]:
    """Yield (from, to, port) for all that the policies of one direction let through."""
    side = {"ingress": "from", "egress": "to"}[direction]
    for policy in rendered.of("NetworkPolicy"):
        for pod in rendered.pods_labelled(policy["spec"]["podSelector"]):
            for rule in policy["spec"].get(direction, []):
                for other in (name for peer in rule[side] for name in peers(rendered, peer)):
                    for port in (p["port"] for p in rule["ports"]):
                        number = port if isinstance(port, int) else pod.port(port)
                        inward = direction == "ingress"
                        ends = (other, pod.name) if inward else (pod.name, other)
                        yield (*ends, number)


def test_everything_is_closed_first(rendered: Rendered) -> None:
    """One policy picks every pod, both directions, and lets nothing through."""
    closed = rendered.named("NetworkPolicy", "closed")["spec"]
    assert closed == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}


def test_a_policy_is_about_the_directions_it_has_rules_for(rendered: Rendered) -> None:
    """Rules of a direction that is not named would do nothing."""
    for policy in rendered.of("NetworkPolicy"):
        spec = policy["spec"]
        if policy["metadata"]["name"] != "closed":
            rules = {"ingress", "egress"} & spec.keys()
            assert {kind.lower() for kind in spec["policyTypes"]} == rules


def test_only_clients_and_the_executor_are_heard(rendered: Rendered) -> None:
    """Clients reach the executor, the executor the monitor, nobody else either, nor a worker."""
    expected = WITH_GATEWAY if rendered.variant == "gateway" else INGRESS
    assert set(edges(rendered, "ingress")) == expected


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("base", EGRESS),
        ("example", EGRESS),
        ("providers", EGRESS),
        ("traces", EGRESS | COLLECTOR),
        ("sqlite", SERVICES),
        ("gateway", EGRESS | {("gateway", "executor", 50051), ("gateway", NAMES, 53)}),
        ("workflows", EGRESS | WORKER),
    ],
)
def test_services_speak_to_these_alone(variant: str, expected: set[Edge]) -> None:
    """Monitor and database from the executor, models and names from both, the scrub to its own.

    What nodes of workflows call opens no edge of the executor.
    """
    assert set(edges(render(variant), "egress")) == expected


@pytest.mark.parametrize(
    ("variant", "edge"), [("base", "services-to-model"), ("workflows", "worker-to-hosts")]
)
@pytest.mark.parametrize(
    ("address", "reachable"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("169.254.169.254", False),
        ("10.96.0.1", False),
        ("172.20.1.1", False),
        ("192.168.1.1", False),
        ("100.64.0.1", False),
        ("fd00::1", False),
        ("fe80::1", False),
    ],
)
def test_an_edge_to_the_internet_leads_outside_alone(
    variant: str, edge: str, address: str, *, reachable: bool
) -> None:
    """An address that somebody chose badly reaches neither metadata nor neighbours."""
    policy = render(variant).named("NetworkPolicy", edge)
    blocks = [peer["ipBlock"] for peer in policy["spec"]["egress"][0]["to"]]
    found = any(
        ip_address(address) in ip_network(block["cidr"])
        and not any(ip_address(address) in ip_network(gap) for gap in block["except"])
        for block in blocks
    )
    assert found is reachable
