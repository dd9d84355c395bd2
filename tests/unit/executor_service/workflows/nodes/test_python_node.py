from __future__ import annotations

from executor_service.workflows.node_failed import failed
from executor_service.workflows.nodes.node_port import NodeFile
from executor_service.workflows.nodes.python_node import PythonNode
from executor_service.workflows.sandbox.sandbox_port import SandboxResult
from heartrule.domain.runs import RunErrorCode
from tests.support.node_calls import WrittenSandbox, failure_of, node_call, ran

CHART = NodeFile(mime_type="image/png", data=b"\x89PNG")


async def test_code_gets_inputs_and_files_and_gives_both() -> None:
    """A file that it names has the type that its name says."""
    given = SandboxResult(value={"chart": "b.svg", "raw": "c"}, files={"b.svg": b"<", "c": b"?"})
    sandbox = WrittenSandbox(given)
    call = node_call({"code": "return x"}, inputs={"x": 1}, files={"a.png": CHART}, timeout_s=7)
    result = await ran(PythonNode(sandbox), call)
    [job] = sandbox.jobs
    assert (job.code, job.inputs, job.files) == ("return x", {"x": 1}, {"a.png": CHART.data})
    assert job.timeout_s == 7
    assert result.output == {"chart": "b.svg", "raw": "c"}
    assert [each.mime_type for each in result.files.values()] == [
        "image/svg+xml",
        "application/octet-stream",
    ]


async def test_code_that_fails_has_the_sandboxs_code() -> None:
    """The sandbox knows whether the code was wrong, too large or gone."""
    sandbox = WrittenSandbox(failed(RunErrorCode.SANDBOX_GONE, "its process ended"))
    failure = await failure_of(PythonNode(sandbox), node_call({"code": "return 1"}))
    assert (failure.code, failure.is_retryable) == (RunErrorCode.SANDBOX_GONE, True)
    assert failure.message == "its process ended"
