"""Whom an https connection to a proxy believes: one CA bundle, or the system's store.

Verification is never switched off, and TLS below 1.2 is never spoken. A bundle given by the user replaces the system's
store, it does not add to it.
"""

from __future__ import annotations

import hashlib
import re
import ssl
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class CAInvalid(ValueError):
    """The bundle holds no certificate that can be read. The text says why."""


@dataclass(frozen=True)
class Trust:
    """A CA bundle as PEM text; empty for the system's store."""

    pem: str = ""

    @cached_property
    def digest(self) -> str:
        """Tells one bundle from another; empty for the system's store."""
        return hashlib.sha256(self.pem.encode()).hexdigest() if self.pem else ""

    def context(self) -> ssl.SSLContext:
        """A client context. Raises :class:`CAInvalid`."""
        if self.pem:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            try:
                context.load_verify_locations(cadata=self.pem)
            except (ssl.SSLError, ValueError) as error:
                raise CAInvalid("holds no PEM certificate that can be read") from error
            if not context.get_ca_certs():
                raise CAInvalid("holds a certificate, but none of a certificate authority")
        else:
            context = ssl.create_default_context()
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        return context


SYSTEM_STORE = Trust()
"""What is believed where nothing else is said."""

LARGEST_BUNDLE = 512 * 1024
"""Bytes. The bundle of a whole operating system has less than half of it."""


@lru_cache(maxsize=32)
def checked_trust(data: bytes) -> Trust:
    """The bundle of a Secret's key, tried once. Raises :class:`CAInvalid`.

    Only certificates are read. Names of authorities above them, byte order marks, keys and anything else around are no matter.
    """
    if len(data) > LARGEST_BUNDLE:
        raise CAInvalid(f"is larger than {LARGEST_BUNDLE // 1024} KiB")
    if not data.strip():
        raise CAInvalid("is empty")
    try:
        trust = Trust("\n".join(block.decode("ascii") for block in _certificates(data)))
    except UnicodeDecodeError as error:
        raise CAInvalid("holds a certificate that is not PEM text") from error
    if not trust.pem:
        raise CAInvalid("holds no PEM certificate that can be read")
    trust.context()
    return trust


_BOUNDARY = re.compile(rb"-----(BEGIN|END) (?:X509 |TRUSTED )?CERTIFICATE-----")


def _certificates(data: bytes) -> Iterator[bytes]:
    """The blocks from ``BEGIN CERTIFICATE`` to ``END CERTIFICATE``. Raises :class:`CAInvalid` for half of one."""
    start: int | None = None
    for boundary in _BOUNDARY.finditer(data):
        if (boundary[1] == b"BEGIN") is not (start is None):
            raise CAInvalid("holds a certificate that is cut off")
        if start is None:
            start = boundary.start()
        else:
            yield data[start : boundary.end()]
            start = None
    if start is not None:
        raise CAInvalid("holds a certificate that is cut off")
