"""What the manifests set is what the processes read."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from executor_service.settings import ExecutorSettings
from gateway_service.settings import GatewayServerSettings, GatewaySettings
from heartrule import __version__
from heartrule.chassis import lifecycle
from heartrule.chassis.health import LIVE, READY
from heartrule.chassis.server import ServerSettings
from heartrule.chassis.settings import SettingsError, read, variables
from heartrule.model.providers import read_providers
from monitor_service.settings import MonitorSettings
from tests.support.manifests import PROVIDERS, Pod, Rendered, render

SETTINGS: dict[str, type[ExecutorSettings | MonitorSettings | GatewaySettings]] = {
    "executor_service": ExecutorSettings,
    "gateway_service": GatewaySettings,
    "monitor_service": MonitorSettings,
}
STANDARD = ("OTEL_", "OPENAI_")
"""Variables that libraries read by themselves."""
CONFIGURED = ("example", "gateway", "providers", "sqlite", "traces", "workflows")
"""The variants that name a model; the base alone leaves that to whoever uses it."""
OPTIONAL = {"gateway": "gateway", "worker": "workflows"}
"""The component that each further pod comes with."""


@pytest.fixture(params=["executor", "gateway", "monitor", "worker"])
def pod(rendered: Rendered, request: pytest.FixtureRequest) -> Pod:
    """Return each pod, in turn."""
    pods = {pod.name: pod for pod in rendered.pods()}
    if request.param not in pods:
        pods = {pod.name: pod for pod in render(OPTIONAL[request.param]).pods()}
    return pods[request.param]


def server_of(pod: Pod) -> ServerSettings | GatewayServerSettings:
    """Return where the pod's process listens, as it understands its environment."""
    environ = {**pod.environment(), "HEARTRULE_MODEL": "any"}
    return read(SETTINGS[pod.module], environ).server


def test_every_process_is_a_module_of_ours(pod: Pod) -> None:
    """`python -m` finds a package that can be run."""
    assert importlib.util.find_spec(f"{pod.module}.__main__")


def test_every_variable_is_known(pod: Pod) -> None:
    """A misspelt variable would be ignored in silence."""
    known = {variable.name for variable in variables(SETTINGS[pod.module])}
    strangers = [name for name in pod.environment() if not name.startswith(STANDARD)]
    assert set(strangers) - known == set()


@pytest.mark.parametrize("variant", CONFIGURED)
def test_the_process_accepts_its_environment(variant: str) -> None:
    """Every value is of the right kind and nothing is lacking."""
    for pod in render(variant).pods():
        read(SETTINGS[pod.module], pod.environment())


def test_the_base_alone_names_no_model() -> None:
    """Which model hears clients is a decision: a process without one ends at once and says so."""
    for pod in render("base").pods():
        with pytest.raises(SettingsError, match="HEARTRULE_MODEL is required"):
            read(SETTINGS[pod.module], pod.environment())


def test_a_pod_can_be_reached(pod: Pod) -> None:
    """Services listen on 127.0.0.1 unless told otherwise."""
    assert server_of(pod).host == "0.0.0.0"


def test_the_ports_are_those_listened_on(pod: Pod) -> None:
    """Every container port stands in the settings, none is left to chance; a worker's is health."""
    server = server_of(pod)
    numbers = {port["name"]: port["containerPort"] for port in pod.container["ports"]}
    assert numbers.pop("health") == server.health_port > 0
    wanted = [] if pod.name == "worker" else [server.port]
    assert list(numbers.values()) == wanted
    assert server.health_port not in wanted


@pytest.mark.parametrize(
    ("probe", "check"),
    [("startupProbe", LIVE), ("livenessProbe", LIVE), ("readinessProbe", READY)],
)
def test_a_probe_asks_the_right_check_on_the_health_port(pod: Pod, probe: str, check: str) -> None:
    """A process that leaves is not ready and still alive; one that migrates is not killed."""
    asked = {"port": server_of(pod).health_port, "service": check}
    assert pod.container[probe]["grpc"] == asked


def test_leaving_fits_into_the_pods_grace(pod: Pod) -> None:
    """The drain's grace and the time of each step around it end before Kubernetes kills."""
    package = importlib.util.find_spec(pod.module)
    assert package is not None
    modules = [path.read_text() for path in Path(str(package.origin)).parent.glob("*.py")]
    (main,) = [text for text in modules if "async def main(life" in text]
    steps = main.count("life.announce(") + main.count("life.close(")
    longest = server_of(pod).stop_grace + steps * lifecycle._CLOSE_WITHIN_S
    assert steps >= 2
    assert longest <= pod.spec["terminationGracePeriodSeconds"]


def test_nothing_is_put_before_sigterm(pod: Pod) -> None:
    """The process itself tells its clients; a hook that waits would only shorten its grace."""
    assert "lifecycle" not in pod.container
    assert "command" not in pod.container


def test_an_update_keeps_every_replica() -> None:
    """On PostgreSQL a new pod is ready before an old one leaves."""
    for pod in render("example").pods():
        strategy = pod.deployment["spec"]["strategy"]
        assert strategy["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}
        assert pod.deployment["spec"]["replicas"] >= 2


def test_a_database_file_has_one_executor() -> None:
    """On SQLite the old pod is gone before the new one comes, and the file outlives both."""
    (executor, _) = render("sqlite").pods()
    spec, url = executor.deployment["spec"], executor.environment()["HEARTRULE_DATABASE_URL"]
    assert (spec["replicas"], spec["strategy"]) == (1, {"type": "Recreate"})
    (mount,) = (m for m in executor.container["volumeMounts"] if m["name"] == "data")
    assert Path(url).parent == Path(mount["mountPath"])


def test_the_providers_file_is_one() -> None:
    """The example is read by the code that will read an operator's, where the variable says."""
    assert len(read_providers(PROVIDERS.read_text(), source=PROVIDERS.name).in_order()) == 2
    for pod in render("providers").pods():
        (mount,) = (m for m in pod.container["volumeMounts"] if m["name"] == "providers")
        path = Path(mount["mountPath"]) / "providers.yaml"
        assert pod.environment()["HEARTRULE_PROVIDERS"] == str(path)
        assert "OPENAI_API_KEY" not in pod.environment()


def test_the_image_is_this_release(pod: Pod) -> None:
    """The tag is the version of the code beside it."""
    name, _, tag = pod.container["image"].partition(":")
    assert tag == __version__
    assert name in {"heartrule", "heartrule-analysis"}
