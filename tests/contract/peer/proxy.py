"""The real LiteLLM proxy as a process, with a database of its own, on loopback."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import tempfile
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import httpx2

from tests.contract.peer.postgres import Postgres, free_port
from tests.contract.peer.process import Server

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from tests.contract.peer.installation import Installation
    from tests.contract.peer.releases import Release

START_SECONDS = 240
"""The first start of a release also compiles its Python files."""


@dataclass(frozen=True)
class Answer:
    """What came back: the status and the parsed JSON, or the text where it is none."""

    status: int
    body: object


@dataclass(frozen=True)
class Configuration:
    """What a proxy starts with, beside its database and its master key."""

    label: str
    """Part of the database's name: lower-case letters, digits and underscores."""
    text: str
    variables: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    """More files of the configuration's folder, by relative path."""


@dataclass
class Proxy:
    """A running proxy. Keys are by the names that the tables use; ``none`` is no key."""

    release: Release
    public_details: bool
    base_url: str
    log: Path
    database_url: str
    launch: Callable[[], Server]
    keys: dict[str, str | None] = field(default_factory=dict)
    server: Server | None = None

    def get(self, path: str, key: str = "none") -> Answer:
        """GET with one of the named keys."""
        return call(self.base_url + path, self.keys[key])

    def admin(self) -> httpx2.Client:
        """A client with the master key; to be closed."""
        headers = {"Authorization": f"Bearer {self.keys['master']}"}
        return httpx2.Client(base_url=self.base_url, headers=headers, timeout=60, trust_env=False)

    def start(self) -> None:
        """Start on the same port and database, and return once the database is connected."""
        self.server = self.launch()
        self.server.wait_until(lambda: database_connected(self.base_url), f"LiteLLM {self.release.version}", START_SECONDS)

    def stop(self) -> None:
        """End it; its address refuses connections then."""
        if self.server:
            self.server.stop()
            self.server = None

    def restart(self) -> None:
        """Stop and start: what it had in memory only is gone."""
        self.stop()
        self.start()


def running(installation: Installation, postgres: Postgres, *, public_details: bool) -> contextlib.AbstractContextManager[Proxy]:
    """A proxy that is configured as little as possible."""
    text = json.dumps(configuration(public_details=public_details))
    return started(installation, postgres, Configuration("public" if public_details else "private", text), public_details)


@contextlib.contextmanager
def started(
    installation: Installation, postgres: Postgres, configured: Configuration, public_details: bool = False
) -> Generator[Proxy]:
    """Start the proxy on a fresh database, and end it afterwards."""
    release, port = installation.release, free_port()
    master_key = f"sk-contract-{secrets.token_hex(16)}"
    database_url = postgres.create(f"litellm_{release.name}_{configured.label}", installation.migrations)
    with tempfile.TemporaryDirectory(prefix="palena-litellm-") as name:
        folder = Path(name)
        config = folder / "config.yaml"
        for path, content in {**configured.files, config.name: configured.text}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(content)
        own = environment(installation.engine, database_url, master_key) | {"CONFIG_FILE_PATH": str(config)}

        def launch() -> Server:
            return Server(
                [installation.program, "--config", config, "--host", "127.0.0.1", "--port", str(port), "--telemetry", "False"],
                log=folder / "log",
                environment=configured.variables | own,
                folder=folder,
            )

        proxy = Proxy(release, public_details, f"http://127.0.0.1:{port}", folder / "log", database_url, launch)
        try:
            proxy.start()
            proxy.keys = keys(proxy.base_url, master_key)
            yield proxy
        finally:
            proxy.stop()


def configuration(*, public_details: bool) -> dict[str, object]:
    """The proxy's configuration file. Without the flag the setting is absent, not false: that is what users have."""
    # A second instead of ten until spend is in the database.
    general: dict[str, object] = {"master_key": "os.environ/LITELLM_MASTER_KEY", "proxy_batch_write_at": 1}
    if public_details:
        general["allow_public_health_readiness_details"] = True
    return {"model_list": [], "general_settings": general}


def environment(engine: Path, database_url: str, master_key: str) -> dict[str, str]:
    """The variables of a proxy that serves."""
    return {
        **quiet(engine),
        "DATABASE_URL": database_url,
        "DISABLE_SCHEMA_UPDATE": "true",
        "PRISMA_QUERY_ENGINE_BINARY": str(engine / "query-engine"),
        "LITELLM_MASTER_KEY": master_key,
        # As every gateway of Palena's has it: models come over the admin API.
        "STORE_MODEL_IN_DB": "True",
    }


def quiet(engine: Path) -> dict[str, str]:
    """A small environment of LiteLLM's own, so that nothing of the caller's (API keys, proxies) leaks into it or out of here."""
    inherited = {name: os.environ[name] for name in ("HOME", "LANG", "LC_ALL", "TZ", "PEER_ENGINE_LOG") if name in os.environ}
    return {
        **inherited,
        # Before everything else comes a `prisma` that finds nothing to migrate: the migrations are applied already.
        "PATH": f"{engine}/no-migrate:{os.environ['PATH']}",
        # Lists that come with the package, instead of newer ones from the internet.
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
        "LITELLM_LOCAL_AUTOROUTER_PRESETS": "True",
        "LITELLM_LOCAL_BLOG_POSTS": "True",
        "LITELLM_LOCAL_POLICY_TEMPLATES": "True",
        "PYTHONUNBUFFERED": "1",
    }


def keys(base_url: str, master_key: str) -> dict[str, str | None]:
    """One key of each sort. The virtual one is real: valid, and no admin's."""
    generated = call(f"{base_url}/key/generate", master_key, {})
    assert isinstance(generated.body, dict), generated
    assert "key" in generated.body, generated
    return {
        "none": None,
        "master": master_key,
        "wrong": f"sk-wrong-{secrets.token_hex(16)}",
        "malformed": "not-a-litellm-key",
        "virtual": generated.body["key"],
    }


def call(url: str, key: str | None, body: object = None) -> Answer:
    """GET, or POST where there is a body. Every status is an answer; a connection that fails is an OSError."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
    data = None if body is None else json.dumps(body).encode()
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        reply = opener.open(urllib.request.Request(url, data, headers), timeout=20)
    except urllib.error.HTTPError as error:
        reply = error
    with reply:
        text = reply.read().decode()
    try:
        return Answer(reply.status, json.loads(text))
    except ValueError:
        return Answer(reply.status, text)


def database_connected(base_url: str) -> bool:
    """Whether readiness names the database connected; the proxy serves a little before that."""
    try:
        body = call(f"{base_url}/health/readiness", None).body
    except OSError:
        return False
    return isinstance(body, dict) and body.get("db") == "connected"
