"""The string formats that the API server checks. An unknown format says nothing, as there."""

from __future__ import annotations

import binascii
import ipaddress
import re
from base64 import b64decode
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_DATE = r"\d{4}-\d{2}-\d{2}"
_DATE_TIME = re.compile(rf"{_DATE}[Tt]\d{{2}}:\d{{2}}:\d{{2}}(\.\d+)?([Zz]|[+-]\d{{2}}:\d{{2}})", re.ASCII)
_DURATION = re.compile(r"[-+]?(0|(\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))+|\d+ *(ns|us|ms|s|m|h|d|w)[a-z]*", re.ASCII)
_UUID = re.compile(r"[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}", re.ASCII)
_URI = re.compile(r"(/.*|[A-Za-z][A-Za-z0-9+.-]*:[^\s]*)", re.ASCII)
_INTEGER_BITS = {"int32": 31, "int64": 63}


def of_format(value: str, name: str) -> bool:
    """Whether a text has this format."""
    return name not in _CHECKS or _CHECKS[name](value)


def fits_integer(value: int, name: str) -> bool:
    """Whether a number fits ``int32`` or ``int64``."""
    bits = _INTEGER_BITS.get(name)
    return bits is None or -(2**bits) <= value < 2**bits


def _matches(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda value: pattern.fullmatch(value) is not None


def _parses(parse: Callable[[str], object]) -> Callable[[str], bool]:
    def check(value: str) -> bool:
        try:
            parse(value)
        except ValueError:
            return False
        return True

    return check


def _base64(value: str) -> bool:
    try:
        b64decode(value, validate=True)
    except binascii.Error:
        return False
    return True


_CHECKS: dict[str, Callable[[str], bool]] = {
    "date": _matches(re.compile(_DATE, re.ASCII)),
    "date-time": _matches(_DATE_TIME),
    "datetime": _matches(_DATE_TIME),
    "duration": _matches(_DURATION),
    "uuid": _matches(_UUID),
    "uri": _matches(_URI),
    "byte": _base64,
    "ipv4": _parses(ipaddress.IPv4Address),
    "ipv6": _parses(ipaddress.IPv6Address),
    "cidr": _parses(ipaddress.ip_network),
}
