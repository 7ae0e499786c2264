"""Which network addresses a user-given endpoint may lead to.

Whoever may create a LiteLLMInstance makes this service open connections. Loopback, link-local and cloud metadata addresses
would reach the service's own pod, its node or the cloud's credentials, so they are refused unless ``PALENA_ENDPOINT_ALLOW``
permits them. Private networks are where proxies live; they are always allowed. Pure: it judges addresses, it resolves nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

METADATA = frozenset(
    ip_address(literal)
    for literal in (
        "100.100.100.200",  # Alibaba Cloud
        "168.63.129.16",  # Azure's host agent
        "192.0.0.192",  # Oracle Cloud
        "fd00:ec2::254",  # AWS
        "fd20:ce::254",  # Google Cloud
    )
)
"""Metadata services outside the link-local networks."""

_NAT64 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
_V4_COMPATIBLE = IPv6Network("::/96")
_THIS_NETWORK = IPv4Network("0.0.0.0/8")
_NAME = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*", re.ASCII)


class AllowRuleError(ValueError):
    """An entry of ``PALENA_ENDPOINT_ALLOW`` is neither a network nor a name."""


@dataclass(frozen=True, slots=True)
class AllowRules:
    """What an administrator permits beyond the default. A matching name permits whatever it resolves to."""

    networks: tuple[Network, ...] = ()
    names: frozenset[str] = frozenset()
    suffixes: tuple[str, ...] = ()

    @classmethod
    def parse(cls, entries: Iterable[str]) -> AllowRules:
        """Rules from entries such as ``127.0.0.0/8``, ``::1``, ``litellm.example.com`` or ``*.example.com``."""
        networks: list[Network] = []
        names: set[str] = set()
        suffixes: list[str] = []
        for entry in entries:
            text = entry.strip().lower()
            if network := _network(text):
                networks.append(network)
            elif text.startswith("*.") and _NAME.fullmatch(text[2:]):
                suffixes.append(text[1:])
            elif _NAME.fullmatch(text) and not _all_numeric(text):
                names.add(text)
            else:
                raise AllowRuleError(
                    f"PALENA_ENDPOINT_ALLOW: {entry.strip()!r} is no network such as 10.0.0.0/8, no host name and no *.suffix"
                )
        return cls(tuple(networks), frozenset(names), tuple(suffixes))

    def permits_name(self, host: str) -> bool:
        """Whether the host is listed by name. Case and a trailing dot make no difference."""
        name = host.lower().removesuffix(".")
        return name in self.names or any(name.endswith(suffix) and name != suffix for suffix in self.suffixes)

    def refusal(self, address: Address) -> str:
        """Why the address must not be reached (``a loopback address``), or an empty text when it may."""
        if any(address in network for network in self.networks if network.version == address.version):
            return ""
        if isinstance(address, IPv6Address):
            if address.ipv4_mapped is not None:
                return "an IPv4 address in IPv6 form"
            inner = _embedded(address)
            if inner is not None and (why := self.refusal(inner)):
                return why
        return _kind(address)


def _network(text: str) -> Network | None:
    try:
        return ip_network(text)
    except ValueError:
        return None


def _all_numeric(text: str) -> bool:
    """``10.0.0`` or ``300.1.1.1`` is a mistyped address, not a name."""
    return text.replace(".", "").isdigit()


def _embedded(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that NAT64, 6to4, Teredo and IPv4-compatible forms lead to."""
    if any(address in network for network in _NAT64):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if address in _V4_COMPATIBLE and int(address) > 1:
        return IPv4Address(int(address))
    return None


def _kind(address: Address) -> str:
    if address.is_unspecified or address in _THIS_NETWORK:
        return "an unspecified address"
    if address.is_loopback:
        return "a loopback address"
    if address.is_link_local:
        return "a link-local address"
    if address.is_multicast:
        return "a multicast address"
    if address in METADATA:
        return "a cloud metadata address"
    if isinstance(address, IPv4Address) and address.is_reserved:
        return "a reserved address"
    return ""
