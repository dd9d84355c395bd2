"""Scripts and pictures over HTTP."""

from __future__ import annotations

import base64

import pytest

from heartrule.v1 import script_pb2
from tests.support.gateways import running_gateway
from tests.support.scripts import ask_script, topic_script

PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5E"
    "rkJggg=="
)


async def test_a_script_is_published_listed_and_read_with_its_files() -> None:
    """The text comes back as it was sent, so that it can be edited."""
    async with running_gateway() as running:
        files = {"files": {"script.yaml": ask_script()}}
        published = await running.http.post("/api/v1/scripts", json=files)
        listed = (await running.http.get("/api/v1/scripts")).json()["scripts"]
        read = (await running.http.get("/api/v1/scripts/asking?files=true")).json()
        versions = (await running.http.get("/api/v1/scripts/asking/versions")).json()["versions"]
    assert published.status_code == 201
    assert [one["scriptId"] for one in listed] == ["asking"] == [versions[0]["scriptId"]]
    assert read["files"] == {"script.yaml": ask_script()}


async def test_mistakes_are_findings_of_a_check_and_a_problem_of_publishing() -> None:
    """With file, line and column either way."""
    files = {"files": {"script.yaml": ask_script().replace("topics", "topcis")}}
    async with running_gateway() as running:
        checked = await running.http.post("/api/v1/scripts/check", json=files)
        published = await running.http.post("/api/v1/scripts", json=files)
    finding = checked.json()["findings"][0]
    assert (checked.status_code, finding["severity"], finding["line"] > 0) == (200, "error", True)
    assert published.status_code == 400
    assert published.json()["violations"][0]["field"].startswith("script.yaml:")


async def test_findings_come_in_the_language_that_the_header_asks_for() -> None:
    """The header is that of HTTP, and reaches the executor."""
    files = {"files": {"script.yaml": ask_script().replace("topics", "topcis")}}
    chinese = {"accept-language": "zh-CN,zh;q=0.9,en;q=0.8"}
    async with running_gateway() as running:
        checked = await running.http.post("/api/v1/scripts/check", json=files, headers=chinese)
        published = await running.http.post("/api/v1/scripts", json=files, headers=chinese)
    assert "是不是想写 `topics`" in checked.json()["findings"][0]["message"]
    assert "是不是想写 `topics`" in published.json()["detail"]


async def test_a_picture_is_stored_under_its_hash_and_never_changes() -> None:
    """Browsers keep it for good; what is no picture is refused."""
    async with running_gateway() as running:
        png = {"content-type": "image/png"}
        stored = await running.http.post("/api/v1/assets", content=PICTURE, headers=png)
        read = await running.http.get(f"/api/v1/assets/{stored.json()['sha256']}")
        bad = await running.http.post("/api/v1/assets", content=b"<svg>", headers=png)
        html = await running.http.post(
            "/api/v1/assets", content=b"<b>", headers={"content-type": "text/html"}
        )
    assert (stored.status_code, read.content) == (201, PICTURE)
    assert (read.headers["content-type"], "immutable" in read.headers["cache-control"]) == (
        "image/png", True,
    )  # fmt: skip
    assert (bad.status_code, html.status_code) == (400, 415)


async def test_an_editor_gets_the_schema() -> None:
    """The same that lies in the package."""
    async with running_gateway() as running:
        schema = (await running.http.get("/api/v1/schema")).json()
    assert schema["$schema"].startswith("https://json-schema.org/draft/2020-12")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/api/nothing", 404), ("PUT", "/api/v1/chat", 405), ("GET", "/../secret", 404)],
)
async def test_what_no_route_answers_is_a_problem_too(method: str, path: str, status: int) -> None:
    """problem+json everywhere."""
    async with running_gateway() as running:
        answer = await running.http.request(method, path)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"


async def test_a_picture_that_was_published_as_a_file_is_named_by_its_hash() -> None:
    """So an editor can show it, and what was read is checked and published again as it is."""
    show = "{action_type: show_pic, action_id: show, config: {source: assets/a.png, alt: 一条曲线}}"
    bundle = script_pb2.ScriptBundle(
        files={"script.yaml": topic_script(show).encode(), "assets/a.png": PICTURE},
        main_path="script.yaml",
    )
    async with running_gateway() as running:
        publish = running.behind.client.stubs.script.PublishScript
        await publish(script_pb2.PublishScriptRequest(bundle=bundle))
        read = (await running.http.get("/api/v1/scripts/one_topic?files=true")).json()
        again = {"files": read["files"], "assets": read["assets"]}
        checked = (await running.http.post("/api/v1/scripts/check", json=again)).json()
        picture = await running.http.get(f"/api/v1/assets/{read['assets']['assets/a.png']}")
    assert (list(read["files"]), picture.content) == (["script.yaml"], PICTURE)
    assert [one for one in checked["findings"] if one["severity"] == "error"] == []


async def test_an_older_version_is_published_again_with_all_its_files() -> None:
    """It is the newest then, with the version that it had: pictures are where they were."""
    first = {"s.yaml": ask_script(3), "rehearsals/a.yaml": "turns: [{}]"}
    async with running_gateway() as running:
        old = (await running.http.post("/api/v1/scripts", json={"files": first})).json()["script"]
        await running.http.post("/api/v1/scripts", json={"files": {"s.yaml": ask_script(4)}})
        path = f"/api/v1/scripts/asking/versions/{old['version']}/publish"
        again = await running.http.post(path)
        newest = (await running.http.get("/api/v1/scripts/asking")).json()["script"]
        missing = await running.http.post("/api/v1/scripts/asking/versions/no/publish")
    assert (again.status_code, missing.status_code) == (201, 404)
    assert (newest["version"], newest["number"]) == (old["version"], 3)
    assert newest["mainPath"] == "s.yaml"
