"""A body as a template, turned into that of another instance without being parsed, so that load can rotate through thousands."""

from __future__ import annotations

PLACEHOLDER = b"cr00000"
"""What differs between instances: a part of a body's names, or its namespace."""


def numbered(body: bytes, number: int) -> bytes:
    """The body of the instance with this number."""
    return body.replace(PLACEHOLDER, b"cr%05d" % number)
