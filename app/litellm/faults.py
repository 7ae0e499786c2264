"""What is said when asking a proxy fails for a reason of our own."""

from __future__ import annotations

import logging
import traceback

_log = logging.getLogger(__name__)

FAULT = "could not be asked because of a fault in Palena; the service's log names it"
"""To follow the proxy in a sentence."""


def log_fault(error: Exception) -> None:
    """By its type and place alone: the text of an exception may quote a key."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    _log.error("asking a proxy ended in %s at %s:%d", type(error).__name__, last.filename, last.lineno or 0)
