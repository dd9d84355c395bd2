"""Runs the executor service: `python -m executor_service`."""

from __future__ import annotations

if __name__ == "__main__":
    # Not at the top: each worker process runs this file under another name (as those of
    # multiprocessing do), and would import all of the service to check a script.
    import sys

    from executor_service.executor_process import main
    from heartrule.chassis.lifecycle import run

    sys.exit(run(main))
