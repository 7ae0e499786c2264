"""Which CA bundles are accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.litellm.trust import CAInvalid, Trust, checked_trust
from tests.unit.hooks.certificates import Authority

if TYPE_CHECKING:
    from pathlib import Path

NOT_A_CERTIFICATE = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b"hello", "no PEM certificate"),
        (b"#" * 600_000, "is larger than 512 KiB"),
        (NOT_A_CERTIFICATE, "no PEM certificate"),
        (b"\x30\x82\x01\x0a\xff", "no PEM certificate"),
        (NOT_A_CERTIFICATE.replace(b"AAAA", "AÄA".encode()), "is not PEM text"),
        (NOT_A_CERTIFICATE + NOT_A_CERTIFICATE[:40], "cut off"),
        (NOT_A_CERTIFICATE[:40] + NOT_A_CERTIFICATE, "cut off"),
        (NOT_A_CERTIFICATE[28:] + NOT_A_CERTIFICATE, "cut off"),
    ],
)
def test_a_bundle_that_cannot_be_read_is_refused(data: bytes, problem: str) -> None:
    with pytest.raises(CAInvalid, match=problem):
        checked_trust(data)


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("", "", "nothing but the certificate"),
        ("# NetLock Arany (Class Gold) Főtanúsítvány\n", "", "authorities are named above their certificates"),
        ("\ufeff", "", "an editor of Windows"),
        ("subject=CN = x\r\n", "\r\nEnde ü\r\n", "text below"),
        ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "", "a key that does not belong there"),
    ],
)
def test_what_stands_around_certificates_is_no_matter(tmp_path: Path, before: str, after: str, why: str) -> None:
    pem = Authority(tmp_path, "authority").certificate.read_text()
    trust = checked_trust(f"{before}{pem}{after}{pem}".encode())
    assert len(trust.context().get_ca_certs()) == 1, why
    assert trust.pem.count("BEGIN") == 2, why


def test_the_same_certificates_are_the_same_bundle_whatever_is_said_about_them(tmp_path: Path) -> None:
    pem = Authority(tmp_path, "authority").certificate.read_bytes()
    assert checked_trust(pem).digest == checked_trust(b"# renamed\n" + pem).digest


def test_bundles_are_told_apart_and_the_system_store_has_no_digest() -> None:
    assert Trust("a").digest != Trust("b").digest
    assert Trust().digest == ""
