"""Which CA bundles are accepted."""

from __future__ import annotations

import pytest

from app.litellm.trust import CAInvalid, Trust, checked_trust

NOT_A_CERTIFICATE = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b"hello", "no PEM certificate"),
        (b"#" * 600_000, "is larger than 512 KiB"),
        (NOT_A_CERTIFICATE, "no PEM certificate"),
        (b"\x30\x82\x01\x0a\xff", "is not PEM text"),
    ],
)
def test_a_bundle_that_cannot_be_read_is_refused(data: bytes, problem: str) -> None:
    with pytest.raises(CAInvalid, match=problem):
        checked_trust(data)


def test_bundles_are_told_apart_and_the_system_store_has_no_digest() -> None:
    assert Trust("a").digest != Trust("b").digest
    assert Trust().digest == ""
