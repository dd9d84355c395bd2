"""How many files a process may open: 1,024 on an ordinary Linux, unless it asks for more."""

from __future__ import annotations

import resource


def allow_files(wanted: int) -> int:
    """Let this process and its children open that many files, or as many as may be; say which."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return max(soft, most)
