"""The environment: what each variable takes, and what a wrong one is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app import settings
from app.settings import Settings, SettingsError


def test_an_empty_environment_gives_the_defaults() -> None:
    assert Settings.from_environment({}) == Settings()
    assert Settings.from_environment({"PALENA_PORT": " ", "PALENA_HOST": ""}) == Settings()


def test_every_variable_is_read() -> None:
    environ = {
        "PALENA_HOST": "127.0.0.1",
        "PALENA_PORT": "9000",
        "PALENA_HOOK_TOKEN_FILE": "/run/token",
        "PALENA_TLS_CERT_FILE": "/tls/tls.crt",
        "PALENA_TLS_KEY_FILE": "/tls/tls.key",
        "PALENA_TLS_CLIENT_CA_FILE": "/tls/ca.crt",
        "PALENA_CLUSTER_ID": "west-1",
        "PALENA_ENDPOINT_ALLOW": "127.0.0.0/8, fd00::/8,litellm.local,*.corp.example",
        "PALENA_OPTIONAL_APIS": "monitoring.coreos.com,route.openshift.io",
        "PALENA_APPLY_STRATEGY": "server-side-apply",
        "PALENA_PLATFORM": "openshift",
        "PALENA_LOG_LEVEL": "DEBUG",
        "PALENA_LOG_FORMAT": "console",
    }
    assert Settings.from_environment(environ) == Settings(
        host="127.0.0.1",
        port=9000,
        hook_token_file=Path("/run/token"),
        tls_cert_file=Path("/tls/tls.crt"),
        tls_key_file=Path("/tls/tls.key"),
        tls_client_ca_file=Path("/tls/ca.crt"),
        cluster_id="west-1",
        endpoint_allow=("127.0.0.0/8", "fd00::/8", "litellm.local", "*.corp.example"),
        optional_apis=frozenset({"monitoring.coreos.com", "route.openshift.io"}),
        apply_strategy="server-side-apply",
        platform="openshift",
        log_level="debug",
        log_format="console",
    )


def test_the_guide_has_every_variable_and_no_other() -> None:
    guide = Path(__file__).parents[2] / "docs" / "guides" / "command-line.md"
    rows = [line.split("|")[1] for line in guide.read_text("utf-8").splitlines() if line.startswith("| `PALENA_")]
    told = [name for row in rows for name in re.findall(r"PALENA_[A-Z_]+", row)]
    read = set(re.findall(r"PALENA_[A-Z]+(?:_[A-Z]+)*", Path(settings.__file__).read_text("utf-8")))
    assert sorted(told) == sorted(read)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("PALENA_PORT", "http", "a port number from 1 to 65535"),
        ("PALENA_PORT", "0", "a port number from 1 to 65535"),
        ("PALENA_PORT", "65536", "a port number from 1 to 65535"),
        ("PALENA_CLUSTER_ID", "a/b", "letters, digits"),
        ("PALENA_OPTIONAL_APIS", "ServiceMonitor", "API groups"),
        ("PALENA_APPLY_STRATEGY", "ssa", "dynamic-apply, server-side-apply"),
        ("PALENA_PLATFORM", "aws", "kubernetes, openshift"),
        ("PALENA_LOG_LEVEL", "loud", "debug, info, warning, error"),
        ("PALENA_LOG_FORMAT", "xml", "json, console"),
        ("PALENA_TLS_CERT_FILE", "/tls/tls.crt", "PALENA_TLS_KEY_FILE must be set together"),
        ("PALENA_TLS_CLIENT_CA_FILE", "/tls/ca.crt", "needs PALENA_TLS_CERT_FILE"),
    ],
)
def test_a_wrong_value_names_the_variable_and_what_it_takes(name: str, value: str, says: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_environment({name: value})
    assert name in str(caught.value)
    assert says in str(caught.value)


def test_the_port_that_service_links_write_is_not_taken_for_ours() -> None:
    assert Settings.from_environment({"PALENA_PORT": "tcp://10.96.0.7:80"}).port == 8080


LEFT_OVER = [
    ("a misspelt name does nothing and its owner must know", "PALENA_TOKEN_FILE", "/run/token", True),
    ("a setting is not left over", "PALENA_LOG_LEVEL", "info", False),
    ("somebody else's variable", "HOME", "/root", False),
    ("the kubelet's link to the Service palena", "PALENA_SERVICE_HOST", "10.0.0.1", False),
    ("its named port", "PALENA_SERVICE_PORT_HOOKS", "80", False),
    ("its port", "PALENA_PORT_80_TCP_ADDR", "10.0.0.1", False),
    ("the link to a Service palena-redis", "PALENA_REDIS_PORT", "tcp://10.0.0.1:6379", False),
    ("no link: it is no address", "PALENA_HTTP_PORT", "8080", True),
]


@pytest.mark.parametrize(("why", "name", "value", "told"), LEFT_OVER, ids=[row[0] for row in LEFT_OVER])
def test_a_variable_with_our_prefix_that_nothing_reads_is_noticed(why: str, name: str, value: str, told: bool) -> None:
    assert Settings.from_environment({name: value}).unknown_variables == ((name,) if told else ()), why
