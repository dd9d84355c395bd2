from __future__ import annotations

import importlib
import sys
from types import ModuleType

import pytest

from executor_service.workflows.python_code import (
    MOST_BYTES,
    SMALL_MODULES,
    check_python,
    tier_of,
)
from heartrule.domain.decisions import FindingCode
from heartrule.domain.workflows import SandboxTier

BOTH = frozenset(SandboxTier)
PATH = "nodes.1.config.code"

SYSTEM = ("builtins", "importlib", "io", "os", "sys", "types")

PRINTED = {
    "trend": "import pandas as pd\ndf = pd.DataFrame(input_data)\n"
    "trend = df.groupby('month')['amount'].sum()\nreturn {'trend': trend.to_dict()}",
    "chart": "import matplotlib.pyplot as plt\nplt.plot(trend.keys(), trend.values())\n"
    "plt.savefig('trend.png')\nreturn {'chart_path': 'trend.png'}",
}
GOOD = {
    "nothing": "",
    "words": "total = sum(x['amount'] for x in rows)\nreturn {'total': total}",
    "a helper": "def half(x):\n    return x / 2\nreturn [half(x) for x in rows]",
    "an import inside": "def f():\n    import math\n    return math.pi\nreturn f()",
    "a word in a text": "return 'open the file and eval __class__'",
    "a word as an argument": "return dict(open=1, input=2)",
    "a column": "import pandas as pd\nreturn float(pd.DataFrame(rows).open.mean())",
    "a pattern": "import re\nreturn re.compile(r'a+').findall(text)",
    "a getattr": "return getattr(row, 'amount', 0)",
    "a format": "return '{:>{width}} {0[a]}'.format(1, width=4)",
    "an f-string": "return f'{total:.2f}'",
    "a try": "try:\n    return 1 / n\nexcept ZeroDivisionError as error:\n    return str(error)",
    "a match": "match row:\n    case {'a': a}:\n        return a",
    "json": "import json\nfrom datetime import date, timedelta\nreturn json.loads(text)",
}
BAD = {
    "eval": "return eval('1')",
    "exec": "exec('x = 1')",
    "compile": "compile('1', 'x', 'eval')",
    "open": "with open('x') as f:\n    return f.read()",
    "input": "return input()",
    "globals": "return globals()",
    "vars": "return vars()",
    "an alias": "e = eval\nreturn e('1')",
    "an alias by a default": "def f(e=eval):\n    return e",
    "a lambda": "return (lambda: open)()('x')",
    "a decorator": "@exec\ndef f(): pass",
    "a name in full width": "return ｅｖａｌ('1')",
    "an f-string": "return f'{open(\"x\").read()}'",
    "a format specification": "return f'{x:{eval(\"1\")}}'",
    "a dunder attribute": "return ().__class__.__bases__",
    "a dunder in an f-string": "return f'{x.__class__}'",
    "a dunder name": "return __builtins__",
    "dunder import": "return __import__('os')",
    "a dunder function": "def __getattr__(x): return x",
    "a dunder argument": "return f(__x=1)",
    "a dunder in a pattern": "match x:\n    case object(__class__=c):\n        return c",
    "a captured dunder": "match x:\n    case {**__rest}:\n        return 1",
    "an exception's dunder": "try:\n    pass\nexcept Exception as __e:\n    pass",
    "a dunder alias": "import math as __m",
    "getattr of a computed name": "return getattr(x, '__cl' + 'ass__')",
    "getattr of a dunder": "return getattr(x, '__class__')",
    "getattr of a module": "import json\nreturn getattr(json, 'codecs')",
    "getattr by another name": "g = getattr\nreturn g(x, n)",
    "getattr handed on": "return list(map(getattr, a, b))",
    "getattr of many": "return getattr(*a)",
    "hasattr of a computed name": "return hasattr(x, n)",
    "setattr": "setattr(x, 'a', 1)",
    "a format's attribute": "return '{0.__class__}'.format(x)",
    "a format within a format": "return '{0:{1.a}}'.format(x, y)",
    "a computed format": "t = '{0.a}'\nreturn t.format(x)",
    "the format of str": "return str.format('{0.a}', x)",
    "a format by getattr": "f = getattr('{0.a}', 'format')\nreturn f(x)",
    "a format by a pattern": "match '{0.a}':\n    case str(format=f):\n        return f(x)",
    "format_map": "return ('{0' + '.a}').format_map(x)",
    "os": "import os",
    "os behind an allowed one": "import json, os",
    "os under a good name": "import os as pandas",
    "a part of os": "from os import path",
    "os in full width": "import ｏｓ",
    "os inside a function": "def f():\n    import os\n    return os",
    "a sibling": "from . import x",
    "a relative pandas": "from .pandas import x",
    "a star": "from math import *",
    "a stranger": "import requests",
    "a near name": "import pandas_evil",
    "sockets": "import socket",
    "ctypes": "import ctypes",
    "builtins": "import builtins",
    "importlib": "import importlib",
    "the future": "from __future__ import annotations",
    "a library's io": "import pandas.io.common",
    "a library's os": "import pandas as pd\nreturn pd.io.common.os.system('id')",
    "a library's os, imported": "from pandas.core.common import os",
    "a library's private part": "import random\nreturn random._os",
    "a private part, imported": "from random import _os",
    "a module's sys": "import datetime\nreturn datetime.sys.modules",
    "an aliased attribute": "import numpy as np\nf = np\nreturn f.f2py",
    "ctypes of numpy": "import numpy as np\nreturn np.ctypeslib",
    "code of a type": "import copy\nreturn copy.types.FunctionType",
    "a frame": "return (x for x in y).gi_frame",
    "a function's globals": "def f(): pass\nreturn f.func_globals",
    "a traceback": "try:\n    1 / 0\nexcept Exception as e:\n    return e.tb_frame.f_back",
    "a query in a text": "return df.query('@x.y')",
    "an eval of a frame": "return df.eval('a + b')",
    "a pickle": "import pandas as pd\nreturn pd.read_pickle('x')",
    "a pickle in numpy": "import numpy as np\nreturn np.load('x', **options)",
    "a pickle by its argument": "return read_array(x, allow_pickle=True)",
    "a signature that is evaluated": "return signature(f, eval_str=True)",
    "an annotation that is evaluated": "import typing\nreturn typing.get_type_hints(f)",
    "a class": "class A:\n    pass",
    "global": "def f():\n    global x\n    x = 1",
    "async def": "async def f():\n    pass",
    "await": "await f()",
    "async for": "return [x async for x in y]",
    "yield": "yield 1",
    "yield in a function": "def f():\n    yield from x",
    "no Python": "SELECT 1",
    "an open bracket": "return (",
    "a break outside a loop": "break",
    "a null byte": "return 1\0",
    "half a character": "return '\ud800' + \ud800",
    "10,000 brackets": "return " + "(" * 10_000 + ")" * 10_000,
    "10,000 signs": "return " + "-" * 10_000 + "1",
    "10,000 attributes": "return x" + ".a" * 10_000,
    "an endless number": "return " + "9" * 60_000,
}


@pytest.mark.parametrize("code", [*PRINTED.values(), *GOOD.values()], ids=[*PRINTED, *GOOD])
def test_code_that_computes_passes(code: str) -> None:
    """Code that stays within its inputs and its libraries is not objected to."""
    assert check_python(code, PATH, BOTH) == ()


@pytest.mark.parametrize("code", BAD.values(), ids=BAD.keys())
def test_code_that_reaches_out_is_forbidden(code: str) -> None:
    """Each way out of the function is a forbidden operation at the path of the code."""
    found = check_python(code, PATH, BOTH)
    assert {(finding.code, finding.path) for finding in found} == {
        (FindingCode.FORBIDDEN_OPERATION, PATH)
    }
    assert all(finding.correction is None and PATH in finding.message for finding in found)


def test_a_finding_names_the_line() -> None:
    """A message says in which line what stands that may not be used."""
    [finding] = check_python("x = 1\nreturn eval('x')", PATH, BOTH)
    assert finding.message == f"{PATH}, line 2: `eval` may not be used."


def test_every_fault_is_found_once() -> None:
    """All faults come together, each once a line."""
    code = "import os\neval(1) + eval(2)\nreturn x.__class__"
    assert len(check_python(code, PATH, BOTH)) == 3


@pytest.mark.parametrize("letter", ["x", "字"])
def test_code_has_64_kibibytes(letter: str) -> None:
    """Bytes are counted, not characters, and the last that fits is legal."""
    padding = "#" * (MOST_BYTES - len(letter.encode())) + letter
    assert check_python(padding, PATH, BOTH) == ()
    [finding] = check_python("#" + padding, PATH, BOTH)
    assert (finding.code, finding.path) == (FindingCode.TOO_LARGE, PATH)


@pytest.mark.parametrize(
    ("code", "tier"),
    [
        ("return 1", SandboxTier.SMALL),
        ("import json", SandboxTier.SMALL),
        ("import matplotlib.pyplot as plt", SandboxTier.PROCESS),
        ("def f():\n    from numpy import array", SandboxTier.PROCESS),
        (PRINTED["trend"], SandboxTier.PROCESS),
    ],
)
def test_imports_decide_where_code_runs(code: str, tier: SandboxTier) -> None:
    """Code that imports a large library needs a process, wherever the import stands."""
    assert tier_of(code) is tier
    assert check_python(code, PATH, frozenset({tier})) == ()


@pytest.mark.parametrize("code", ["return 1", "import pandas"])
def test_code_without_a_sandbox_is_forbidden(code: str) -> None:
    """A tier that this installation lacks refuses its nodes, another one is no substitute."""
    for sandboxes in (frozenset[SandboxTier](), BOTH - {tier_of(code)}):
        [finding] = check_python(code, PATH, sandboxes)
        assert finding.code is FindingCode.FORBIDDEN_OPERATION
        assert tier_of(code) in finding.message


@pytest.mark.parametrize("name", sorted(SMALL_MODULES))
def test_no_path_of_public_names_leads_out_of_a_module(name: str) -> None:
    """Whatever an allowed module has imported for itself cannot be reached through it."""
    forbidden = [eval, exec, compile, open, getattr, *(sys.modules[each] for each in SYSTEM)]
    waiting = {name: importlib.import_module(name)}
    for _ in range(3):
        reached = {
            f"{path}.{attribute}": getattr(module, attribute)
            for path, module in waiting.items()
            for attribute in dir(module)
            if check_python(f"import {name}\nreturn {path}.{attribute}", PATH, BOTH) == ()
        }
        assert [path for path, value in reached.items() if value in forbidden] == []
        waiting = {path: value for path, value in reached.items() if isinstance(value, ModuleType)}
