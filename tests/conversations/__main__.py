"""`python -m tests.conversations`: the bench of conversations."""

from __future__ import annotations

import logging
import sys

from tests.conversations.command import main

# Replies that cannot be read are what some manners are for.
logging.disable(logging.ERROR)
sys.exit(main())
