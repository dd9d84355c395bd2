"""Runs the faults: `python -m tests.chaos`."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":
    # Before gRPC is imported: this process forks other programs while gRPC runs in it.
    os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"
    from tests.chaos.command import main

    sys.exit(main(sys.argv[1:]))
