"""The image: what goes in, who runs it, how it ends."""

from __future__ import annotations

import importlib.util
import json
import re
import tomllib
from functools import cache
from typing import Any

from executor_service.settings import ExecutorServerSettings
from gateway_service.settings import GatewayServerSettings
from monitor_service.settings import MonitorServerSettings
from tests.support.manifests import DEPLOY, render
from tests.support.source_tree import ROOT

Instruction = tuple[str, str]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())


@cache
def instructions() -> tuple[Instruction, ...]:
    """Return every instruction with its arguments, continued lines joined."""
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#")).replace("\\\n", " ")
    pairs = (line.split(maxsplit=1) for line in text.splitlines() if line.strip())
    return tuple((word, " ".join(rest.split())) for word, rest in pairs)


def last_stage() -> list[Instruction]:
    """Return the instructions that make what is shipped."""
    begins = [place for place, (word, _) in enumerate(instructions()) if word == "FROM"]
    assert len(begins) == 2
    return list(instructions()[begins[-1] :])


def said(word: str, among: list[Instruction] | None = None) -> list[str]:
    """Return the arguments of every instruction of this name."""
    return [rest for name, rest in among or instructions() if name == word]


def copied() -> set[str]:
    """Return what the build takes out of the repository."""
    copies = [rest.split()[:-1] for rest in said("COPY") if "--from=" not in rest]
    return {name.rstrip("/") for names in copies for name in names}


def test_the_base_is_an_argument() -> None:
    """Both stages stand on one image, by default the plain name of a Python we support."""
    given = dict(rest.split("=", 1) for rest in said("ARG") if "=" in rest)
    assert {rest.split()[0] for rest in said("FROM")} == {"${PYTHON_IMAGE}"}
    version = re.fullmatch(r"python:3\.(\d+)-slim", given["PYTHON_IMAGE"])
    oldest = re.fullmatch(r">=3\.(\d+)", PROJECT["project"]["requires-python"])
    assert version
    assert oldest
    assert int(version[1]) >= int(oldest[1])


def test_what_is_installed_has_a_hash() -> None:
    """The lock is installed with its hashes checked; of Python nothing else is fetched."""
    steps = [step for run in said("RUN") for step in run.split(" && ")]
    locked, own = (step for step in steps if "PIP" in step and " install " in step)
    assert "--require-hashes" in locked
    assert locked.endswith("--requirement ${LOCK}")
    assert {"--no-deps", "--no-index", "--no-build-isolation"} <= set(own.split())


def test_workers_have_the_same_and_more() -> None:
    """Which lock is an argument; the one with the extra has every pin of the usual one."""
    given = dict(rest.split("=", 1) for rest in said("ARG") if "=" in rest)
    usual, more = (pins(name) for name in (given["LOCK"], "requirements-analysis.lock"))
    assert usual < more
    assert {"pandas", "matplotlib"} <= {pin.partition("==")[0] for pin in more - usual}


def pins(lock: str) -> set[str]:
    """Return the packages of a lock, each with its version."""
    return set(re.findall(r"^([a-z0-9][^ =]*==[^ ]+)", (ROOT / lock).read_text(), re.MULTILINE))


def test_the_build_backend_is_taken_out_again() -> None:
    """What only the extra `build` asks for is not in the environment that is copied."""
    (removed,) = re.findall(r"uninstall --yes ([a-z -]+?) &&", " ".join(said("RUN")))
    backend = {re.split(r"[><=]", name)[0] for name in PROJECT["build-system"]["requires"]}
    assert backend <= set(removed.split())
    assert any(run.endswith("${PIP} check") for run in said("RUN"))


def test_the_last_stage_builds_nothing() -> None:
    """It takes the finished environment and fonts, and runs neither pip nor a package manager."""
    taken = [f"--from=build {path} {path}" for path in ("/usr/share/fonts", "/opt/heartrule")]
    assert said("COPY", last_stage()) == taken
    assert re.findall(r"\b(?:pip|apt|apt-get|gcc)\b", " ".join(said("RUN", last_stage()))) == []


def test_the_user_is_the_pods_user() -> None:
    """A number that is not root's, the same in image and manifests."""
    (user,) = said("USER")
    contexts = [pod.spec["securityContext"] for pod in render("base").pods()]
    assert {f"{made['runAsUser']}:{made['runAsGroup']}" for made in contexts} == {user}
    assert said("USER", last_stage()) == [user]
    assert "0" not in user.split(":")


def test_sigterm_reaches_python() -> None:
    """No shell stands between, which would keep the signal to itself."""
    (entry,) = said("ENTRYPOINT")
    assert json.loads(entry) == ["/opt/heartrule/bin/python", "-m"]
    assert said("STOPSIGNAL") == ["SIGTERM"]


def test_any_service_is_an_argument() -> None:
    """Without one the image runs the executor."""
    (command,) = said("CMD")
    (module,) = json.loads(command)
    assert importlib.util.find_spec(f"{module}.__main__")


def test_nothing_is_written_at_run_time() -> None:
    """Bytecode is made in the build; a read-only root is enough."""
    environment = " ".join(said("ENV", last_stage())).split()
    assert {"PYTHONDONTWRITEBYTECODE=1", "PYTHONUNBUFFERED=1"} <= set(environment)


def test_the_exposed_ports_are_the_services() -> None:
    """The ports of the settings, when nobody says otherwise."""
    classes = (ExecutorServerSettings, MonitorServerSettings, GatewayServerSettings)
    ports = {str(cls.model_fields["port"].default) for cls in classes}
    assert set(said("EXPOSE")[0].split()) == ports


def test_all_that_ships_is_copied() -> None:
    """Everything the wheel holds, and what building it reads."""
    wheel = set(PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"])
    locks = {"requirements.lock", "requirements-analysis.lock"}
    assert copied() == wheel | locks | {"pyproject.toml", "README.md", "LICENSE"}
    assert [name for name in copied() if not (ROOT / name).exists()] == []


def test_nothing_else_goes_into_a_build() -> None:
    """The context is what the Dockerfile copies: no database, key or history slips in."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    assert {rule[1:] for rule in rules if rule.startswith("!")} == copied()
