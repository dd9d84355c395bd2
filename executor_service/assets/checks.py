"""What is wrong with the pictures of a bundle, each at its path; pure."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping

from executor_service.scripts.loading.bundle import ASSETS_FOLDER, Bundle
from executor_service.scripts.model.findings import Located
from heartrule.domain.pictures import picture_type


def own_pictures(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a bundle that lie below assets/."""
    return {path: data for path, data in files.items() if path.startswith(ASSETS_FOLDER)}


def hashes_of(bundle: Bundle) -> dict[str, str]:
    """Return the hash of every picture of a bundle by its path, whether it lies in it or not."""
    own = {path: sha256_of(data) for path, data in own_pictures(bundle.files).items()}
    return {**own, **bundle.assets}


def sha256_of(data: bytes) -> str:
    """Return the name an asset of these bytes has."""
    return hashlib.sha256(data).hexdigest()


def asset_findings(bundle: Bundle, uploaded: Collection[str]) -> tuple[Located, ...]:
    """Return an error for each file that is no picture, and each hash without an upload."""
    found = [
        _at(path, "is no picture: png, jpeg, gif or webp, as its first bytes tell")
        for path, data in own_pictures(bundle.files).items()
        if not picture_type(data)
    ]
    found += [
        _at(path, f"no asset of the hash {sha256} was uploaded; upload it first")
        for path, sha256 in bundle.assets.items()
        if sha256 not in uploaded
    ]
    return tuple(found)


def _at(path: str, problem: str) -> Located:
    return Located(file=path, line=0, column=0, message=problem)
