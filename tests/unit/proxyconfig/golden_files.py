"""The reviewed configurations. ``python -m tests.unit.proxyconfig.golden_files`` writes them anew; look at the diff."""

from __future__ import annotations

from pathlib import Path

from app.proxyconfig import config, config_text
from tests.unit.proxyconfig.samples import SAMPLES, guardrail, instance, secret

FOLDER = Path(__file__).parents[2] / "golden" / "proxyconfig"

GUARDRAILS = (
    guardrail(
        guardrailName="pii-v1.2",
        defaultOn=True,
        params={"pii_entities_config": {"CREDIT_CARD": "MASK"}, "mode": "not this one"},
    ),
    guardrail(
        guardrailName="own-service",
        provider="generic_guardrail_api",
        mode="post_call",
        apiBase="https://checks.example",
        apiKeySecretRef=secret("checks"),
        unreachableFallback="fail_open",
        params={"level": 3},
    ),
    guardrail(guardrailName="own-class", provider="custom_guardrail", guardrailClass="checks.Words", mode="during_call"),
)


def texts() -> dict[str, str]:
    """Every file's text by its name."""
    rendered = {name: config_text(config(instance(**sections))) for name, sections in SAMPLES.items()}
    return {"minimal": config_text(config(instance())), **rendered, "guardrails": config_text(config(instance(), GUARDRAILS))}


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in texts().items():
        (FOLDER / f"{name}.yaml").write_text(text, encoding="utf-8")
