"""The objects find each other: labels, ports, names."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest
import yaml

from tests.support.manifests import (
    KUSTOMIZE,
    Pod,
    Rendered,
    kustomize,
    render,
    selects,
    write_overlay,
)
from tests.support.source_tree import ROOT

GUIDE = ROOT / "docs" / "operations" / "kubernetes.md"


@pytest.fixture(params=["executor", "monitor"])
def pod(rendered: Rendered, request: pytest.FixtureRequest) -> Pod:
    """Return the pod of each service, in turn."""
    (found,) = (pod for pod in rendered.pods() if pod.name == request.param)
    return found


def test_a_deployment_selects_its_own_pods(pod: Pod) -> None:
    """And no other's."""
    picked = pod.rendered.pods_labelled(pod.deployment["spec"]["selector"])
    assert [other.name for other in picked] == [pod.name]


def test_a_service_selects_its_own_pods(pod: Pod) -> None:
    """The Service of a name leads to the Deployment of that name."""
    service = pod.rendered.named("Service", pod.name)
    picked = pod.rendered.pods_labelled({"matchLabels": service["spec"]["selector"]})
    assert [other.name for other in picked] == [pod.name]


def test_a_service_shows_every_pod(pod: Pod) -> None:
    """Headless: behind one virtual address all calls of a connection go to one pod."""
    spec = pod.rendered.named("Service", pod.name)["spec"]
    assert spec["clusterIP"] == "None"
    assert not spec.get("publishNotReadyAddresses")


def test_a_service_has_the_port_of_its_pods(pod: Pod) -> None:
    """A headless Service cannot translate ports: both numbers are the same; health is not told."""
    (port,) = pod.rendered.named("Service", pod.name)["spec"]["ports"]
    assert (port["targetPort"], port["port"]) == ("grpc", pod.port("grpc"))


def test_a_disruption_takes_one_pod_at_a_time(pod: Pod) -> None:
    """The budget is about this service's pods, and lets a node be emptied even with one replica."""
    spec = pod.rendered.named("PodDisruptionBudget", pod.name)["spec"]
    assert [other.name for other in pod.rendered.pods_labelled(spec["selector"])] == [pod.name]
    assert spec["maxUnavailable"] == 1


def test_replicas_are_spread(pod: Pod) -> None:
    """Over nodes and zones, counting this service's pods."""
    spread = pod.spec["topologySpreadConstraints"]
    assert {rule["topologyKey"].split("/")[1] for rule in spread} == {"hostname", "zone"}
    assert all(selects(rule["labelSelector"], pod.labels) for rule in spread)


def test_a_pod_has_an_account_of_its_own(pod: Pod) -> None:
    """Rights given to one service by mistake are not the other's."""
    assert pod.spec["serviceAccountName"] == pod.name
    assert pod.rendered.named("ServiceAccount", pod.name)


def test_links_do_not_reach_the_environment(pod: Pod) -> None:
    """A Service called heartrule would otherwise set HEARTRULE_PORT to an address."""
    assert pod.spec["enableServiceLinks"] is False


def test_the_executor_is_told_where_monitors_are(rendered: Rendered) -> None:
    """By a name that gives all of them, and their port."""
    by_name = {pod.name: pod for pod in rendered.pods()}
    executor, monitor = by_name["executor"], by_name["monitor"]
    told = executor.environment()["HEARTRULE_MONITOR_ADDRESS"]
    assert told == f"dns:///monitor:{monitor.port('grpc')}"


def test_the_gateway_is_told_where_executors_are() -> None:
    """By a name that gives all of them; its Service leads to its port of HTTP."""
    rendered = render("gateway")
    by_name = {pod.name: pod for pod in rendered.pods()}
    gateway, executor = by_name["gateway"], by_name["executor"]
    told = gateway.environment()["HEARTRULE_GATEWAY_EXECUTOR_ADDRESS"]
    assert told == f"dns:///executor:{executor.port('grpc')}"
    service = rendered.named("Service", "gateway")["spec"]
    assert (service["selector"].items() <= gateway.labels.items(), service["ports"][0]["port"]) == (
        True, gateway.port("http"),
    )  # fmt: skip


def test_a_secret_is_named_in_the_guide(pod: Pod) -> None:
    """The guide shows how to make each Secret with the keys that pods ask for."""
    guide = GUIDE.read_text()
    for variable in pod.container.get("env", []):
        if wanted := variable.get("valueFrom", {}).get("secretKeyRef"):
            made = rf"create secret generic {wanted['name']}\b.*--from-literal={wanted['key']}="
            assert re.search(made, guide)


def test_no_secret_is_in_the_manifests(rendered: Rendered) -> None:
    """Secrets are made by operators; a rendered one would be in somebody's repository."""
    assert list(rendered.of("Secret")) == []


def test_a_changed_setting_restarts_the_pods(tmp_path: Path) -> None:
    """A ConfigMap's name holds its content's hash, so a new content is a new pod template."""
    changed = {"name": "executor", "behavior": "merge", "literals": ["HEARTRULE_LOCALE=en-US"]}
    names = []
    for generator in ([], [changed]):
        write_overlay(tmp_path, "traces", configMapGenerator=generator)
        pods = Rendered(variant="changed", objects=kustomize(tmp_path)).pods()
        names.append(pods[0].container["envFrom"][0]["configMapRef"]["name"])
    assert names[0] != names[1]


def test_the_readme_of_traces_moves_the_collector(tmp_path: Path) -> None:
    """Its two patches are taken out of the text and applied; they change address and edge."""
    readme = (KUSTOMIZE / "components" / "traces" / "README.md").read_text()
    (shown,) = re.findall(r"^    (patches:\n(?:    .*\n)+)", readme, re.MULTILINE)
    write_overlay(tmp_path, "traces", **yaml.safe_load(textwrap.dedent(f"    {shown}")))
    moved = Rendered(variant="moved", objects=kustomize(tmp_path))
    environments = [pod.environment() for pod in moved.pods()]
    told = {made["OTEL_EXPORTER_OTLP_ENDPOINT"] for made in environments}
    (rule,) = moved.named("NetworkPolicy", "services-to-collector")["spec"]["egress"]
    (namespace,) = (peer["namespaceSelector"]["matchLabels"].values() for peer in rule["to"])
    assert [f"http://collector.{name}:4317" for name in namespace] == list(told)
