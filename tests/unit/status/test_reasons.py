"""Reasons and their pages belong together."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.status.entity import guardrail_reasons
from app.status.entity.drift import DRIFT_REASONS
from app.status.entity.guardrail_reasons import GUARDRAIL_REASONS
from app.status.entity.reasons import ENTITY_REASONS
from app.status.instance import gateway_reasons, reasons
from app.status.instance.config_sync import CONFIG_SYNC_REASONS
from app.status.instance.gateway_reasons import GATEWAY_REASONS
from app.status.instance.reasons import CONFIG_SETTINGS_IGNORED, PROXY_REACHABLE
from app.status.instance.reasons import REASONS as ATTACHED_REASONS
from app.status.reason import LONGEST_MESSAGE, PAGES, Reason

ROOT = Path(__file__).parents[3]
REASONS = (*ATTACHED_REASONS, *GATEWAY_REASONS, *CONFIG_SYNC_REASONS, *ENTITY_REASONS, *DRIFT_REASONS, *GUARDRAIL_REASONS)


@pytest.mark.parametrize("reason", REASONS, ids=lambda reason: f"{reason.type}-{reason.reason}")
def test_every_reason_has_a_page_that_says_what_the_code_says(reason: Reason) -> None:
    page = (ROOT / reason.page).read_text("utf-8")
    assert page.startswith(f"# {reason.told_with or reason.type}={reason.status}: {reason.reason}\n\n{reason.meaning}\n")
    assert f"\n## What to do\n\n{reason.remedy}\n" in page


@pytest.mark.parametrize("reason", REASONS, ids=lambda reason: f"{reason.type}-{reason.reason}")
def test_every_reason_is_in_the_index(reason: Reason) -> None:
    index = (ROOT / PAGES / "README.md").read_text("utf-8")
    assert f"| {reason.type} | {reason.status} | [{reason.reason}]({Path(reason.page).name}) | {reason.meaning} |" in index


def test_every_page_has_a_reason() -> None:
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / PAGES).glob("*.md")}
    assert pages == {reason.page for reason in REASONS} | {f"{PAGES}/README.md"}


def test_no_reason_is_missing_from_the_list() -> None:
    modules = ((reasons, ATTACHED_REASONS), (gateway_reasons, GATEWAY_REASONS), (guardrail_reasons, GUARDRAIL_REASONS))
    for module, listed in modules:
        assert list(listed) == [value for value in vars(module).values() if isinstance(value, Reason)]


def test_a_reason_is_declared_once_for_a_type() -> None:
    assert len({(reason.type, reason.reason) for reason in REASONS}) == len(REASONS)


def test_a_message_ends_with_the_way_to_its_page_however_long_it_is() -> None:
    condition = PROXY_REACHABLE.because("x" * 5000)
    assert len(condition.message) == LONGEST_MESSAGE
    assert condition.message.endswith("x… (see docs/reasons/Ready-ProxyReachable.md)")


def test_a_published_message_is_given_word_for_word() -> None:
    assert CONFIG_SETTINGS_IGNORED.because("spec.sso is ignored").message == "spec.sso is ignored"
