"""Runs the executor service: `python -m executor_service`."""

from __future__ import annotations

if __name__ == "__main__":
    # Not at the top: each worker process runs this file under another name (as those of
    # multiprocessing do), and would import all of the service to check a script.
    import gc
    import os
    import sys

    # Read when grpc is imported. A worker is a fork for the moment before its own program begins;
    # grpc would stop its threads around that, as for a child that goes on to use it.
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

    # What a start makes is there to stay: a search for garbage among it takes a sixth of the start.
    # `warm_up` ends this.
    gc.disable()

    from executor_service.executor_process import main
    from heartrule.chassis.lifecycle import run

    sys.exit(run(main))
