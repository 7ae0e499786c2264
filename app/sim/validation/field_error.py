"""One thing wrong with one field, in the API server's words, and how it joins several into a refusal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class FieldError:
    """``detail`` is everything after the path: ``Required value``, ``Invalid value: "x": must be …``."""

    path: str
    detail: str

    def __str__(self) -> str:
        return f"{self.path}: {self.detail}"


def required(path: str, text: str = "") -> FieldError:
    """A field that must be there is not."""
    return FieldError(path, f"Required value: {text}" if text else "Required value")


def invalid(path: str, value: Any, text: str) -> FieldError:
    """A value that breaks a rule."""
    return FieldError(path, f"Invalid value: {shown(value)}: {text}")


def forbidden(path: str, text: str) -> FieldError:
    """A change or field that is not permitted."""
    return FieldError(path, f"Forbidden: {text}")


def shown(value: Any) -> str:
    """A value as the API server prints it in a refusal: strings quoted, everything else as JSON."""
    return orjson.dumps(value).decode()


def joined(errors: Iterable[FieldError]) -> str:
    """Several errors as one text: ``[a, b]``, each once; a single one stands alone."""
    texts = list(dict.fromkeys(map(str, errors)))
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
