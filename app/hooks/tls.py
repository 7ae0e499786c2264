"""TLS for the hooks, taken up again when certificate, key or client authority are rotated.

A new client authority replaces the old one: loading it into the same context would only add it. So each change of a file
makes a fresh context, and every handshake is moved to the newest one. Two things follow. TLS 1.3 is the minimum and no
session is ever resumed, because a resumed session would skip the check of the client's certificate. And a rotation that
cannot be loaded, half-written say, leaves the last good context in place and says so in the log. Connections outlive a
rotation; which of them must end because their authority was removed is told here, and the server ends them.
"""

from __future__ import annotations

import logging
import os
import ssl
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_log = logging.getLogger(__name__)

_Versions = tuple[tuple[int, ...], ...]


class RotatingTLS:
    """The server's side of TLS from files; raises ``OSError`` (``ssl.SSLError`` is one) if they cannot be loaded at start."""

    def __init__(self, certificate: Path, key: Path, client_authority: Path | None = None) -> None:
        self._certificate = certificate
        self._key = key
        self._client_authority = client_authority
        self._versions = self._look()
        self._newest = self._load()
        self.context = self._load()
        """What the listener is started with; its handshakes are moved on to the newest files."""
        self.context.sni_callback = self._move_on
        self._withdrawn = False
        self._problem = ""

    def authority_withdrawn(self) -> bool:
        """Takes up changed files. Whether a client authority was removed since this was asked last."""
        self._refresh()
        withdrawn, self._withdrawn = self._withdrawn, False
        return withdrawn

    def outdated(self, connection: ssl.SSLObject | ssl.SSLSocket) -> bool:
        """Whether the connection was opened before the files changed."""
        return connection.context is not self._newest

    def _move_on(self, connection: ssl.SSLObject | ssl.SSLSocket, _name: str | None, _context: ssl.SSLContext) -> None:
        # Called for every handshake, also for clients that send no server name.
        self._refresh()
        connection.context = self._newest

    def _refresh(self) -> None:
        try:
            versions = self._look()
            if versions == self._versions:
                return
            newest = self._load()
        except OSError as error:
            self._keep_the_last(error.strerror or "no valid PEM")
            return
        self._withdrawn = self._withdrawn or not _authorities(self._newest) <= _authorities(newest)
        self._newest = newest
        self._versions = versions
        self._problem = ""
        _log.info("certificates loaded again from %s", self._certificate.parent)

    def _keep_the_last(self, problem: str) -> None:
        if problem != self._problem:
            _log.error("keeping the last good certificates: the new ones cannot be loaded (%s)", problem)
        self._problem = problem

    def _look(self) -> _Versions:
        """What tells a file from the one it replaces; symlinks, which the kubelet swaps, are followed."""
        stats = [os.stat(path) for path in (self._certificate, self._key, self._client_authority) if path is not None]
        return tuple((stat.st_dev, stat.st_ino, stat.st_mtime_ns, stat.st_size) for stat in stats)

    def _load(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.num_tickets = 0
        context.load_cert_chain(self._certificate, self._key)
        if self._client_authority is not None:
            context.load_verify_locations(self._client_authority)
            context.verify_mode = ssl.CERT_REQUIRED
        return context


def _authorities(context: ssl.SSLContext) -> frozenset[bytes]:
    return frozenset(context.get_ca_certs(binary_form=True))
