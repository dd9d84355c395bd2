"""`python -m tests.conversations`: the bench of conversations."""

from __future__ import annotations

import sys

from tests.conversations.command import main

sys.exit(main())
