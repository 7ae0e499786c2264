"""The service as a whole: every declared hook is served, and only what the service needs is loaded."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from app import registry
from app.main import create_app, run
from app.settings import Settings, SettingsError
from tests.unit.hooks.toys import body, toy

if TYPE_CHECKING:
    from pathlib import Path


def client(app: Any) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://palena")


async def test_every_hook_of_the_registry_has_its_route() -> None:
    app = create_app(Settings())
    async with app.router.lifespan_context(app), client(app) as palena:
        for controller in registry.CONTROLLERS:
            hooks = {"sync": True, "finalize": controller.finalize is not None, "customize": controller.customize is not None}
            for hook, there in hooks.items():
                answer = await palena.post(f"/hooks/{controller.name}/{hook}", content=b"{}")
                assert answer.status_code == (400 if there else 404), f"{controller.name}/{hook}"


async def test_it_is_ready_between_start_and_stop_only() -> None:
    app = create_app(Settings())
    async with client(app) as palena:
        assert (await palena.get("/readyz")).status_code == 503
        async with app.router.lifespan_context(app):
            assert (await palena.get("/readyz")).text == "ok\n"
            assert (await palena.get("/healthz")).text == "ok\n"
            assert "palena_hook_in_flight" in (await palena.get("/metrics")).text


async def test_it_is_not_ready_while_its_token_file_cannot_be_read_and_says_so_at_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tokens = tmp_path / "tokens"
    app = create_app(Settings(hook_token_file=tokens))
    async with app.router.lifespan_context(app), client(app) as palena:
        assert f"every hook is refused: the token file {tokens} cannot be read" in caplog.text
        answer = await palena.get("/readyz")
        assert (answer.status_code, answer.text) == (503, "the token file cannot be read (No such file or directory)\n")
        tokens.write_text("one")
        assert (await palena.get("/readyz")).status_code == 200


async def test_other_controllers_can_be_served() -> None:
    app = create_app(Settings(), controllers=[toy()])
    async with app.router.lifespan_context(app), client(app) as palena:
        assert (await palena.post("/hooks/toys/sync", json=body())).status_code == 200


async def test_what_may_be_left_in_litellm_is_counted_by_kind() -> None:
    app = create_app(Settings())
    metadata = {"name": "free", "namespace": "team", "uid": "u", "deletionTimestamp": "2026-01-01T00:00:00Z"}
    spec = {"instanceRef": {"name": "a-gateway-that-is-gone"}}
    parent = {"apiVersion": "litellm.palena.ai/v1alpha1", "kind": "LiteLLMBudget", "metadata": metadata, "spec": spec}
    async with client(app) as palena:
        assert 'palena_left_behind_total{kind="LiteLLMBudget"} 0.0' in (await palena.get("/metrics")).text
        last = {"controller": {}, "parent": parent, "children": {}, "related": {}, "finalizing": True}
        assert (await palena.post("/hooks/litellmbudgets/finalize", json=last)).json()["finalized"]
        assert 'palena_left_behind_total{kind="LiteLLMBudget"} 1.0' in (await palena.get("/metrics")).text


async def test_what_config_sync_may_do_is_counted_from_the_start() -> None:
    app = create_app(Settings())
    async with client(app) as palena:
        told = (await palena.get("/metrics")).text
    for change in ("put_back", "recreated", "pruned"):
        assert f'palena_config_sync_changes_total{{change="{change}",kind="LiteLLMModel"}} 0.0' in told


async def test_a_body_of_tens_of_mebibytes_is_taken() -> None:
    app = create_app(Settings(), controllers=[toy()])
    async with client(app) as palena:
        big = await palena.post("/hooks/toys/sync", json=body() | {"padding": "x" * 31 * 2**20})
        too_big = await palena.post("/hooks/toys/sync", json=body() | {"padding": "x" * 33 * 2**20})
    assert (big.status_code, too_big.status_code) == (200, 413)


@pytest.mark.parametrize("path", ["/docs", "/redoc", "/openapi.json", "/"])
async def test_nothing_is_told_about_itself(path: str) -> None:
    async with client(create_app(Settings())) as palena:
        assert (await palena.get(path)).status_code == 404


def test_certificates_that_are_missing_are_told_by_their_variables(tmp_path: Any) -> None:
    missing = tmp_path / "tls.crt"
    with pytest.raises(SettingsError, match="PALENA_TLS_CERT_FILE"):
        run(Settings(tls_cert_file=missing, tls_key_file=missing))


def test_an_endpoint_rule_that_cannot_be_read_is_told_by_its_variable() -> None:
    with pytest.raises(SettingsError, match=r"PALENA_ENDPOINT_ALLOW.*300\.1\.1\.1"):
        run(Settings(endpoint_allow=("300.1.1.1",)))


def test_the_service_loads_nothing_of_the_command_line_or_the_simulation() -> None:
    names = "typer", "rich", "cel_expr_python", "jsonschema", "lightkube", "app.sim", "app.cli", "app.generate"
    program = f"import sys, app.main; print([name for name in {names!r} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"
