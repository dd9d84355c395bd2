"""The nightly scrub: the same database as the executor's, one at a time, bounded."""

from __future__ import annotations

import pytest

from heartrule import __version__
from heartrule_cli.__main__ import _COMMANDS, parser
from tests.support.manifests import Manifest, Pod, render

DATABASE = "HEARTRULE_DATABASE_URL"


@pytest.fixture
def job() -> Pod:
    """Return the one job's pod."""
    (found,) = render("base").jobs()
    return found


def cron_job() -> Manifest:
    return render("base").named("CronJob", "scrub")


def test_it_runs_a_command_of_ours(job: Pod) -> None:
    """The image's entry takes a module; the rest is a command line that is understood."""
    module, *line = job.container["args"]
    assert module == "heartrule_cli"
    assert parser().parse_args(line).command in _COMMANDS
    assert job.container["image"] == f"heartrule:{__version__}"


def test_it_has_the_executors_database(job: Pod) -> None:
    """The address comes from the same Secret; no other secret is given to it."""
    executor = next(pod for pod in job.rendered.pods() if pod.name == "executor")
    (its,) = job.container["env"]
    assert [each for each in executor.container["env"] if each["name"] == DATABASE] == [its]
    assert "envFrom" not in job.container


def test_one_scrub_at_a_time() -> None:
    """A night's scrub that still runs is not joined by the next."""
    assert cron_job()["spec"]["concurrencyPolicy"] == "Forbid"


def test_a_failure_is_kept_to_be_read(job: Pod) -> None:
    """A table that was left out makes a failed job, whose pod is still there in the morning."""
    assert cron_job()["spec"]["failedJobsHistoryLimit"] >= 1
    assert job.spec["restartPolicy"] == "Never"
    assert job.deployment["spec"]["activeDeadlineSeconds"] > 0


def test_it_has_an_account_without_rights(job: Pod) -> None:
    """Its own, not the executor's."""
    assert job.spec["serviceAccountName"] == job.name
    assert job.rendered.named("ServiceAccount", job.name)


def test_a_database_file_needs_none() -> None:
    """On SQLite every erasure writes the file anew by itself, and no second process may open it."""
    assert render("sqlite").jobs() == ()
