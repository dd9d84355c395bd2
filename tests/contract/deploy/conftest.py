"""Every rule about manifests is asked of every variant."""

from __future__ import annotations

import pytest

from tests.support.manifests import VARIANTS, Rendered, render


@pytest.fixture(params=VARIANTS)
def rendered(request: pytest.FixtureRequest) -> Rendered:
    """Return the base, the example overlay, and the overlay with each component, in turn."""
    return render(str(request.param))
