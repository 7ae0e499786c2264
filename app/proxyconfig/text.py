"""The configuration as the text of a file."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import orjson
import yaml

if TYPE_CHECKING:
    from app.hooks.objects import Object

_MEMOISED = 256


def config_text(config: Object) -> str:
    """YAML with sorted keys: one configuration has one text, and a steady gateway pays for it once."""
    return _text(orjson.dumps(config, option=orjson.OPT_SORT_KEYS))


def guardrails_in(text: str) -> list[Any]:
    """The entries under ``guardrails`` of such a text, or of one that somebody else wrote; none where it cannot be read."""
    try:
        config: Any = yaml.load(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError:
        return []
    found: Any = cast("Object", config).get("guardrails") if isinstance(config, dict) else None
    return cast("list[Any]", found) if isinstance(found, list) else []


@lru_cache(maxsize=_MEMOISED)
def _text(content: bytes) -> str:
    return yaml.dump(orjson.loads(content), Dumper=yaml.CSafeDumper, allow_unicode=True, width=120)
