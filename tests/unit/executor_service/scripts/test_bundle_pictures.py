"""What is wrong with the pictures of a bundle, and what its version says of them."""

from __future__ import annotations

import pytest

from executor_service.scripts.loading.bundle import (
    asset_findings,
    hashes_of,
    make_bundle,
    sha256_of,
)
from heartrule.domain.errors import InvalidRequest
from heartrule.domain.pictures import picture_type

PNG = b"\x89PNG\r\n\x1a\n...."
HASH = "ab" * 32


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0..", "image/jpeg"),
        (b"GIF89a..", "image/gif"),
        (b"RIFF\x01\x02\x03\x04WEBPVP8 ", "image/webp"),
        (b"RIFF\x01\x02\x03\x04WAVEfmt ", ""),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", ""),
        (b"", ""),
    ],
)
def test_a_picture_is_told_by_its_first_bytes(data: bytes, kind: str) -> None:
    """Never by its name; what can hold a script is none."""
    assert picture_type(data) == kind


def test_a_file_that_is_no_picture_and_a_hash_nobody_uploaded_are_named() -> None:
    """Each at its path."""
    files = {"s.yaml": b"x", "assets/a.svg": b"<svg/>", "assets/b.png": PNG, "notes.txt": b"y"}
    bundle = make_bundle(files, assets={"assets/c.png": HASH})
    assert [str(found) for found in asset_findings(bundle, {HASH})] == [
        "assets/a.svg:0:0: is no picture: png, jpeg, gif or webp, as its first bytes tell"
    ]
    unknown = asset_findings(make_bundle({"s.yaml": b"x"}, assets={"assets/c.png": HASH}), ())
    assert unknown[0].file == "assets/c.png"
    assert HASH in unknown[0].message


def test_every_picture_has_its_hash() -> None:
    """Those in the bundle too."""
    bundle = make_bundle({"s.yaml": b"x", "assets/b.png": PNG}, assets={"assets/c.png": HASH})
    assert hashes_of(bundle) == {"assets/b.png": sha256_of(PNG), "assets/c.png": HASH}


def test_the_version_covers_paths_and_hashes_of_assets() -> None:
    """And stays what it was for a bundle without any."""
    plain = make_bundle({"s.yaml": b"x"})
    one = make_bundle({"s.yaml": b"x"}, assets={"assets/c.png": HASH})
    moved = make_bundle({"s.yaml": b"x"}, assets={"assets/d.png": HASH})
    other = make_bundle({"s.yaml": b"x"}, assets={"assets/c.png": "cd" * 32})
    assert make_bundle({"s.yaml": b"x"}, assets={}).version == plain.version
    assert len({plain.version, one.version, moved.version, other.version}) == 4


@pytest.mark.parametrize(
    ("path", "sha256", "told"),
    [
        ("c.png", HASH, "below assets/"),
        ("assets/../c.png", HASH, "relative"),
        ("assets/c.png", "xyz", "64 hex digits"),
        ("assets/b.png", HASH, "among the files"),
    ],
)
def test_a_bundle_names_assets_rightly(path: str, sha256: str, told: str) -> None:
    """Or it is none."""
    with pytest.raises(InvalidRequest) as refused:
        make_bundle({"s.yaml": b"x", "assets/b.png": PNG}, assets={path: sha256})
    assert told in refused.value.violations[0].description
