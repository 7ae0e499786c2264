"""Short digests of JSON values, for names that follow content."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import orjson


def short_digest(value: Any) -> str:
    """Eight hex characters; the same for every order of keys."""
    return sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)).hexdigest()[:8]
