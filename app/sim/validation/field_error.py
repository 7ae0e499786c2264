"""One thing wrong with one field, in the API server's words, and how it joins several into a refusal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Path = tuple["str | int", ...]
"""Where a value is: field names and list positions."""


@dataclass(frozen=True, slots=True)
class FieldError:
    """``detail`` is everything after the path: ``Required value``, ``Invalid value: "x": must be …``."""

    path: Path
    detail: str
    blocking: bool = False
    """Whether CEL rules are not looked at any more: what a rule would read may be missing, too large or of another type."""
    unnamed: bool = False
    """Whether the text shows ``<nil>`` for the path, as the API server's validator does where it has no field at hand."""

    def __str__(self) -> str:
        return f"{'<nil>' if self.unnamed or not self.path else dotted(self.path)}: {self.detail}"


def required(path: Path, text: str = "") -> FieldError:
    """A field that must be there is not."""
    return FieldError(path, f"Required value: {text}" if text else "Required value", blocking=True)


def invalid(path: Path, value: Any, text: str, *, blocking: bool = False) -> FieldError:
    """A value that breaks a rule."""
    return FieldError(path, f"Invalid value: {shown(value)}: {text}", blocking)


def forbidden(path: Path, text: str) -> FieldError:
    """A change or field that is not permitted."""
    return FieldError(path, f"Forbidden: {text}")


def too_long(path: Path, limit: int) -> FieldError:
    """A text with more characters than permitted; the API server calls them bytes."""
    return FieldError(path, f"Too long: may not be more than {limit} bytes", blocking=True)


def duplicate(path: Path, value: Any) -> FieldError:
    """A list item that is there already."""
    return FieldError(path, f"Duplicate value: {shown(value)}")


def shown(value: Any) -> str:
    """A value as the API server prints it in a refusal: as JSON."""
    return orjson.dumps(value).decode()


def dotted(path: Sequence[str | int]) -> str:
    """``spec.members[0].name``; a map's key stands like a field, whatever dots it has."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


def joined(errors: Iterable[FieldError]) -> str:
    """Several errors as one text: ``[a, b]``, each once; a single one stands alone."""
    texts = list(dict.fromkeys(map(str, errors)))
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
