"""Whom an https connection to a proxy believes: one CA bundle, or the system's store.

Verification is never switched off, and TLS below 1.2 is never spoken. A bundle given by the user replaces the system's
store, it does not add to it.
"""

from __future__ import annotations

import hashlib
import ssl
from dataclasses import dataclass
from functools import cached_property, lru_cache


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
    """The bundle of a Secret's key, tried once. Raises :class:`CAInvalid`."""
    if len(data) > LARGEST_BUNDLE:
        raise CAInvalid(f"is larger than {LARGEST_BUNDLE // 1024} KiB")
    try:
        trust = Trust(data.decode("ascii", errors="strict").strip())
    except UnicodeDecodeError as error:
        raise CAInvalid("is not PEM text") from error
    if not trust.pem:
        raise CAInvalid("is empty")
    trust.context()
    return trust
