"""What hostile code tries in a sandbox, and how each try ends; as a program, it tries them all."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from executor_service.workflows.node_failed import NodeFailed
from executor_service.workflows.sandbox.probing import open_sandbox
from executor_service.workflows.sandbox.sandbox_port import Sandbox, SandboxJob
from heartrule.domain.workflows import SandboxTier

CANARY = "HEARTRULE_TEST_CANARY"
"""A variable of the environment that no code may see."""
TIMEOUT_S = 1.5
"""Of an attack that would never end; the others have time to start on a busy machine."""
UNHURRIED_S = 30.0

REFUSED = frozenset({"CODE_ERROR"})
LIMITED = frozenset({"LIMIT"})
ENDLESS = frozenset({"TIMEOUT"})
NO_JSON = frozenset({"UNREADABLE"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """Code that returns something where it gets through."""

    name: str
    code: str
    process: frozenset[str]
    """How it may end in the tier PROCESS."""
    small: frozenset[str] | None = None
    """How it may end in the tier SMALL; None: as in PROCESS."""

    def ends(self, tier: SandboxTier) -> frozenset[str]:
        """Return the codes that are no escape."""
        return self.small if self.small and tier is SandboxTier.SMALL else self.process

    @property
    def is_endless(self) -> bool:
        """Return whether nothing but the time may end it."""
        return "TIMEOUT" in self.process

    @property
    def timeout_s(self) -> float:
        """Seconds it is given."""
        return TIMEOUT_S if self.is_endless else UNHURRIED_S


def _attacks() -> Iterator[Attack]:
    tables = ((REFUSED, _REFUSED), (LIMITED, _LIMITED), (ENDLESS, _ENDLESS), (NO_JSON, _NO_JSON))
    for ends, table in tables:
        for name, code in table.items():
            process = _PROCESS.get(name, ends)
            yield Attack(name=name, code=code, process=process, small=_SMALL.get(name))


_REFUSED = {
    "a password file": "return open('/etc/passwd').read()",
    "a path of pathlib": "from pathlib import Path\nreturn Path('/etc/passwd').read_text()",
    "its environment by proc": "return open('/proc/self/environ').read()",
    "the parent's memory": "import os\nreturn open(f'/proc/{os.getppid()}/mem', 'rb').read(1)",
    "the list of processes": "import os\nreturn os.listdir('/proc')",
    "folders of other jobs": "import os\nreturn os.listdir('..')",
    "the home folder": "import os\nreturn os.listdir('/root')",
    "a device": "return len(open('/dev/vda', 'rb').read(1))",
    "a socket": "import socket\nsocket.socket()\nreturn 'open'",
    "a socket pair": "import socket\nsocket.socketpair()\nreturn 'open'",
    "fork": "import os\nreturn os.fork()",
    "a thread": "import threading\nthreading.Thread(target=print).start()\nreturn 'started'",
    "exec": "import os\nos.execv('/bin/true', ['true'])",
    "spawn": "import os\nreturn os.posix_spawn('/bin/true', ['true'], {})",
    "a shell": "import subprocess\nreturn subprocess.run('id', shell=True, check=True)",
    "kill the parent": "import os\nos.kill(os.getppid(), 9)\nreturn 'killed'",
    "kill the group": "import os\nos.killpg(0, 9)\nreturn 'killed'",
    "a limit of the parent": "import os, resource\n"
    "resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))\nreturn 'limited'",
    "its own limits": "import resource\n"
    "resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))\nreturn 'raised'",
    "a signal by a descriptor": "import fcntl, os\n"
    "fcntl.fcntl(1, fcntl.F_SETOWN, os.getppid())\nreturn 'owned'",
    "a symlink out": "import os\nos.symlink('/etc/passwd', 'x')\nreturn open('x').read()",
    "a hard link out": "import os\nos.link('/etc/passwd', 'x')\nreturn 'linked'",
    "a folder": "import os\nos.mkdir('x')\nreturn 'made'",
    "a pipe with a name": "import os\nos.mkfifo('x')\nreturn 'made'",
    "a file elsewhere": "open('/tmp/heartrule-escaped', 'w')\nreturn 'written'",
    "rights of a file": "import os\nos.chmod('.', 0o777)\nreturn 'changed'",
    "a removed file": "import os\nopen('x', 'w')\nos.remove('x')\nreturn 'removed'",
    "a file without a name": "import os\nos.open('.', os.O_TMPFILE | os.O_RDWR)\nreturn 'hidden'",
    "an emptied library": "import json, os\n"
    "os.open(json.__file__, os.O_RDONLY | os.O_TRUNC)\nreturn 'emptied'",
    "another user": "import os\nos.setuid(0)\nos.setgid(1)\nreturn 'changed'",
    "the end of the process": "import os\nos._exit(0)",
    "a dead interpreter": "import ctypes\nctypes.string_at(0)",
    "system calls by ctypes": "import ctypes, errno, platform\n"
    "libc = ctypes.CDLL(None, use_errno=True)\n"
    "calls = {'x86_64': [41, 56, 57, 59, 62, 101, 157, 165, 169, 272, 308, 310, 317, 319, 321,\n"
    "                    425, 434, 435, 437, 444],\n"
    "         'aarch64': [198, 220, 221, 129, 117, 167, 40, 142, 97, 268, 270, 277, 279, 280,\n"
    "                     425, 434, 435, 437, 444]}[platform.machine()]\n"
    "done = []\n"
    "for call in calls:\n"
    "    if libc.syscall(call, 0, 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() != errno.EPERM:\n"
    "        done.append(call)\n"
    "if done:\n    return done\nraise PermissionError('all refused')",
}
_LIMITED = {
    "ten gigabytes": "return len([0] * 10**10)",
    "a list without end": "x = []\nwhile True:\n    x.append([0] * 100_000)",
    "deep recursion": "def f(n):\n    return f(n + 1)\nreturn f(0)",
    "a large file": "with open('x', 'wb') as file:\n    while True:\n"
    "        file.write(b'x' * 2**20)",
    "a full disk": "number = 0\nwhile True:\n    number += 1\n"
    "    with open(f'{number}', 'wb') as file:\n        file.write(b'x' * 2**22)",
    "files without end": "number = 0\nwhile True:\n    number += 1\n    open(f'{number}', 'wb')",
    "a hundred megabytes": "return 'x' * 10**8",
    "a million values": "return [0] * 10**6",
}
_ENDLESS = {
    "a loop": "while True:\n    pass",
    "a caught loop": "while True:\n    try:\n        while True:\n            pass\n"
    "    except BaseException:\n        pass",
    "a large power": "return len(str(9**9**8))",
    "a pattern that explodes": "import re\nre.match(r'(a+)+$', 'a' * 40 + 'b')\nraise ValueError",
    "output without end": "while True:\n    print('x' * 10_000)",
    "no recursion limit": "import sys\nsys.setrecursionlimit(10**9)\n"
    "def f(n):\n    return [f(n + 1)]\nreturn f(0)",
    "sleep": "import time\ntime.sleep(100)\nreturn 'woken'",
}
_NO_JSON = {
    "a function": "return lambda: 1",
    "a set": "return {1, 2}",
    "bytes": "return b'x'",
    "not a number": "return float('nan')",
    "half a letter": "return chr(0xD800)",
    "itself": "x = []\nx.append(x)\nreturn x",
    "a forged answer": "import os\nfor number in range(3, 64):\n    try:\n"
    "        os.write(number, b'nonsense')\n    except OSError:\n        pass\nreturn 1",
}
_PROCESS = {"no recursion limit": ENDLESS | LIMITED | REFUSED}
# The small interpreter lacks most of it: what is not there cannot be called.
_SMALL = {
    "a large file": REFUSED,
    "a full disk": REFUSED,
    "files without end": REFUSED,
    "no recursion limit": REFUSED | LIMITED,
    "a large power": LIMITED | ENDLESS | REFUSED,
    "a pattern that explodes": ENDLESS | LIMITED | REFUSED,
    "sleep": ENDLESS | REFUSED,
    "a forged answer": REFUSED,
    "half a letter": NO_JSON | REFUSED,
}

ATTACKS = {each.name: each for each in _attacks()}


async def outcome(sandbox: Sandbox, attack: Attack) -> str:
    """Return the code that the attack ends in, or what it got."""
    try:
        result = await sandbox.run(SandboxJob(code=attack.code, timeout_s=attack.timeout_s))
    except NodeFailed as error:
        return error.failure.code
    return f"escaped: {result.value!r}"[:200]


async def main(tier: SandboxTier) -> None:
    """Try all attacks on a tier, and print what became of each as JSON."""
    sandbox = open_sandbox(tier)
    try:
        ended = {name: await outcome(sandbox, attack) for name, attack in ATTACKS.items()}
    finally:
        await sandbox.aclose()
    sys.stdout.write(json.dumps({"user": os.geteuid(), "ended": ended}))


if __name__ == "__main__":
    asyncio.run(main(SandboxTier(sys.argv[1])))
