"""A body as a template, turned into that of another instance without being parsed, so that load can rotate through thousands."""

from __future__ import annotations

PLACEHOLDER = b"cr00000"
"""What differs between instances: a part of a body's names, or its namespace."""

UNSEEN = b"unseen-00000000"
"""A value of a gateway's body that changes nothing, for bodies that shall each be new."""


def numbered(body: bytes, number: int) -> bytes:
    """The body of the instance with this number."""
    return body.replace(PLACEHOLDER, b"cr%05d" % number)


def unseen(body: bytes, number: int) -> bytes:
    """The same body with another value there."""
    return body.replace(UNSEEN, b"unseen-%08d" % number)
