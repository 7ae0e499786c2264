"""The commands as users run them: reviewed output in a pipe, exit codes, one line for what can't be done."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from app import __version__
from tests.unit.cli.command import COMMANDS, EXAMPLES, GOLDEN, ROOT, Outcome, palena

if TYPE_CHECKING:
    from pathlib import Path

LINTED = (GOLDEN / "lint-broken.txt").read_text("utf-8")

NO_MASTER_KEY = """
apiVersion: litellm.palena.ai/v1alpha1
kind: LiteLLMInstance
metadata: {name: gw, namespace: ai}
spec: {database: {}}
"""


@pytest.mark.parametrize("name", COMMANDS)
def test_the_output_is_the_reviewed_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert palena(*COMMANDS[name]).text() == (GOLDEN / f"{name}.txt").read_text("utf-8")


CANT_BE_DONE = [
    ("no file at all", ["lint"], "palena: no file is given; name files or folders, or - for standard input\n"),
    ("a file that is not there", ["lint", "-f", "absent.yaml"], "palena: absent.yaml: no such file or folder\n"),
    (
        "a folder without a manifest",
        ["simulate", "-f", "."],
        "palena: no Kubernetes object in the given files; each needs apiVersion, kind and metadata.name\n",
    ),
]


@pytest.mark.parametrize(("why", "arguments", "message"), CANT_BE_DONE, ids=[row[0] for row in CANT_BE_DONE])
def test_what_cant_be_done_is_one_line_and_exit_code_2(why: str, arguments: list[str], message: str, tmp_path: Path) -> None:
    outcome = palena(*arguments, folder=tmp_path)
    assert (outcome.code, outcome.out, outcome.err) == (2, "", message), why


def test_a_refused_object_is_named_with_its_place_and_the_servers_words(tmp_path: Path) -> None:
    (tmp_path / "gw.yaml").write_text(NO_MASTER_KEY)
    outcome = palena("simulate", "-f", "gw.yaml", folder=tmp_path)
    imagined, refusal = outcome.err.splitlines()
    assert (outcome.code, outcome.out) == (1, "")
    assert imagined.startswith("palena: no network is touched and nothing runs: ")
    assert refusal.startswith('palena: gw.yaml:2: LiteLLMInstance.litellm.palena.ai "gw" is invalid: ')
    assert "spec.masterKey: Required value" in outcome.err


def test_what_is_no_yaml_is_a_finding_and_lint_goes_on_with_the_other_files(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a:\n\t- b\n")
    (tmp_path / "b.yaml").write_text(NO_MASTER_KEY)
    outcome = palena("lint", ".", folder=tmp_path)
    first, second, _ = outcome.out.splitlines()
    assert first == "a.yaml:2: error: not valid YAML: found character that cannot start any token"
    assert second.startswith("b.yaml:2: error: ")
    assert (outcome.code, outcome.err) == (1, "")
    assert palena("render", "a.yaml", folder=tmp_path).code == 1


def test_lint_never_quotes_an_endpoint_that_the_release_refuses() -> None:
    assert "Ready=False EndpointInvalid: spec.workload.endpoint holds a user name or password" in LINTED
    assert "sk-replace-me" not in LINTED


def test_version_needs_no_command() -> None:
    assert (palena("--version").code, palena("--version").out) == (0, f"palena {__version__}\n")


def test_generate_outside_of_a_checkout_says_where_to_run_it(tmp_path: Path) -> None:
    outcome = palena("generate", "--check", folder=tmp_path)
    assert outcome.code == 2
    assert "not a checkout of Palena; run it in the checkout" in outcome.err


def test_generate_writes_what_check_then_finds_up_to_date_and_check_sees_an_edit(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    assert palena("generate", "all", folder=tmp_path).code == 0
    assert palena("generate", "all", "--check", folder=tmp_path).code == 0
    namespace = tmp_path / "metacontroller" / "base" / "namespace.yaml"
    namespace.write_text(namespace.read_text().replace("restricted", "privileged"))
    outcome = palena("generate", "manifests", "--check", folder=tmp_path)
    assert outcome.code == 1
    assert "-    pod-security.kubernetes.io/enforce: privileged" in outcome.out
    assert "run `palena generate manifests`" in outcome.out


def test_render_shows_a_child_that_a_folder_has_and_nobody_asks_for(tmp_path: Path) -> None:
    (tmp_path / "there.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: ai}\n")
    outcome = palena("render", "-f", f"{EXAMPLES}/attach.yaml", "--diff", str(tmp_path))
    assert outcome.code == 1
    assert "--- ConfigMap ai/a (there)\n+++ ConfigMap ai/a (rendered)\n" in outcome.out


_INSTANCE = """\
apiVersion: litellm.palena.ai/v1alpha1
kind: LiteLLMInstance
metadata: {name: gw, namespace: ai}
spec:
  image: {tag: v1.83.14}
  masterKey: {autoGenerate: true}
"""
_SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: pg-app, namespace: ai}\nstringData: {uri: postgresql://h/d}\n"
_CLUSTER = "apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\nmetadata: {name: pg, namespace: ai}\n"
_ON_CNPG = "  database: {cloudnativepg: {clusterName: pg}}\n"


@pytest.mark.parametrize(
    ("why", "spec", "others", "warned"),
    [
        ("nobody makes the URL", _ON_CNPG, "", True),
        ("the Secret is there", _ON_CNPG, _SECRET, False),
        ("CloudNativePG will make it", _ON_CNPG, _CLUSTER, False),
        ("the Secret is in another namespace", _ON_CNPG, _SECRET.replace("ai}", "other}"), True),
        (
            "another database is used",
            "  database: {cloudnativepg: {clusterName: pg}, external: {connectionSecretRef: {name: x, key: url}}}\n",
            "",
            False,
        ),
        ("the proxy is somebody else's", f"{_ON_CNPG}  workload: {{managed: false}}\n", "", False),
    ],
)
def test_lint_warns_where_the_url_of_a_cloudnativepg_cluster_comes_from_nowhere(
    tmp_path: Path, why: str, spec: str, others: str, warned: bool
) -> None:
    (tmp_path / "a.yaml").write_text(f"{_INSTANCE}{spec}---\n{others}")
    outcome = palena("lint", "a.yaml", folder=tmp_path)
    said = "neither Cluster ai/pg nor its Secret ai/pg-app is in the files; the cluster must have them"
    assert (said in outcome.out) is warned, why


def test_render_shows_the_difference_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "gw.yaml").write_text(f"{_INSTANCE}  database: {{managed: {{enabled: true}}}}\n")
    rendered = palena("render", "gw.yaml", "--settled", folder=tmp_path)
    (tmp_path / "there.yaml").write_text(rendered.out)
    outcome = palena("render", "gw.yaml", "--settled", "--diff", "there.yaml", folder=tmp_path)
    assert (outcome.code, outcome.out) == (0, "no difference\n"), outcome.out
    (tmp_path / "there.yaml").write_text(rendered.out.replace("5432", "5433"))
    outcome = palena("render", "gw.yaml", "--settled", "--diff", "there.yaml", folder=tmp_path)
    assert outcome.code == 1
    assert "--- Service ai/gw-db (there)\n+++ Service ai/gw-db (rendered)\n" in outcome.out


def test_files_may_follow_without_an_option_so_that_a_shell_pattern_works() -> None:
    files = [f"{EXAMPLES}/attach.yaml", f"{EXAMPLES}/endpoint.yaml"]
    assert palena("lint", "-f", *files).out.startswith("4 objects checked: 0 errors")


def test_files_need_no_option() -> None:
    assert palena("lint", f"{EXAMPLES}/attach.yaml").code == 0


def test_a_used_port_of_serve_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        monkeypatch.setenv("PALENA_HOST", "127.0.0.1")
        monkeypatch.setenv("PALENA_PORT", str(port))
        outcome = palena("serve")
    said = f"palena: PALENA_PORT={port} is in use: stop what listens there, or choose another port\n"
    assert (outcome.code, outcome.out, outcome.err) == (2, "", said)


def test_an_interrupted_command_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("app.cli.lint.read_all", interrupted)
    assert palena("lint", "-") == Outcome(130, "", "")


def test_output_that_is_no_utf8_is_ascii_and_no_traceback() -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "app.cli", "simulate", f"{EXAMPLES}/attach.yaml"],
        cwd=ROOT,
        capture_output=True,
        env=environment,
        timeout=60,
        check=True,
    )
    assert b"\n|   +  Ready " in done.stdout
    assert b"Traceback" not in done.stderr


def in_a_shell(redirection: str, *arguments: str) -> tuple[int, str]:
    """Exit code and standard error of the command, its streams redirected by a shell."""
    command = ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-m", "app.cli", *arguments]
    done = subprocess.run(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    return done.returncode, done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_output_that_has_no_room_is_one_line() -> None:
    assert in_a_shell(">/dev/full", "lint", f"{EXAMPLES}/attach.yaml") == (
        2,
        "palena: standard output: No space left on device\n",
    )


def test_closed_streams_are_no_traceback() -> None:
    assert in_a_shell(">&-", "lint", f"{EXAMPLES}/attach.yaml") == (0, "")
    assert in_a_shell("<&-", "lint", "-") == (2, "palena: standard input is closed; name a file, or pipe one in\n")


def test_an_error_that_nobody_foresaw_is_one_line_that_tells_its_place_and_no_content(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise ValueError("sk-secret")

    monkeypatch.setattr("app.cli.lint.read_all", broken)
    outcome = palena("lint", f"{EXAMPLES}/attach.yaml")
    assert outcome.code == 2
    assert re.fullmatch(
        r"palena: this is a bug of palena: ValueError at app/cli/lint\.py:\d+; "
        r"please report it with the file that shows it\n",
        outcome.err,
    )


def test_a_name_with_a_line_break_moves_no_line_and_no_cursor(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "a\\e[2J\\nb"}\n')
    outcome = palena("lint", ".", folder=tmp_path)
    finding, _ = outcome.out.splitlines()
    assert finding.startswith('a.yaml:1: error: ConfigMap "a\\x1b[2J\\nb" is invalid: metadata.name')
    assert palena("render", ".", folder=tmp_path).err.count("\n") == 1


def test_objects_go_with_their_definition_in_whatever_order_files_name_them() -> None:
    for files in (
        ["crds/litellm.palena.ai_litellminstances.yaml", f"{EXAMPLES}/managed-production.yaml"],
        [f"{EXAMPLES}/managed-production.yaml", "crds/litellm.palena.ai_litellminstances.yaml"],
    ):
        outcome = palena("simulate", "--delete", *files)
        assert (outcome.code, outcome.out.splitlines()[-1]) == (0, "Everything is gone.")


KEY_OF_TODAY = """
apiVersion: v1
kind: Secret
metadata: {name: litellm, namespace: ai}
stringData: {key: sk-1234567890abcdef}
---
apiVersion: litellm.palena.ai/v1alpha1
kind: LiteLLMInstance
metadata: {name: gateway, namespace: ai}
spec: {workload: {managed: false}, masterKey: {secretRef: {name: litellm, key: key}}, database: {}}
---
apiVersion: litellm.palena.ai/v1alpha1
kind: LiteLLMVirtualKey
metadata: {name: app, namespace: ai}
spec: {instanceRef: {name: gateway}, keyAlias: app, expiresAt: "2027-01-01T00:00:00Z"}
"""


def test_a_key_that_ends_in_the_future_has_not_expired_in_the_imagined_cluster(tmp_path: Path) -> None:
    (tmp_path / "key.yaml").write_text(KEY_OF_TODAY)
    outcome = palena("simulate", "key.yaml", folder=tmp_path)
    assert outcome.code == 0
    assert "LiteLLMVirtualKey ai/app  Ready=True Synced\n" in outcome.out
    assert "Expired" not in outcome.out


def test_a_wrong_setting_of_serve_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALENA_PORT", "http")
    outcome = palena("serve")
    assert (outcome.code, outcome.err) == (2, "palena: PALENA_PORT='http' must be a port number from 1 to 65535\n")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


WITHOUT = "import sys; sys.modules.update(dict.fromkeys({missing!r})); sys.argv = {argv!r}; from app.cli import main; main()"


def test_without_the_extra_the_command_says_what_to_install() -> None:
    done = run("-c", WITHOUT.format(missing=["typer"], argv=["palena", "lint", "-f", "x"]))
    assert done.returncode == 2
    assert done.stderr == "palena: typer is not installed; every command but serve needs it: pip install 'palena[cli]'\n"


def test_without_the_cel_engine_lint_refuses_the_same_by_twins_and_says_so() -> None:
    done = run("-c", WITHOUT.format(missing=["cel_expr_python.cel"], argv=["palena", *COMMANDS["lint-broken"]]))
    assert done.stderr == "palena: rules are checked by their Python twins; for CEL itself: pip install 'palena[cel]'\n"
    assert done.stdout + "exit code 1\n" == (GOLDEN / "lint-broken.txt").read_text("utf-8")


def test_serve_imports_nothing_of_the_command_line() -> None:
    script = "import sys, app.cli, app.main, app.cli.serve; print(*sys.modules)"
    loaded = set(run("-c", script).stdout.split())
    assert "app.main" in loaded
    assert not loaded & {"typer", "rich", "jsonschema", "cel_expr_python", "app.sim", "app.generate", "app.cli.application"}


def test_the_demo_comes_to_its_end() -> None:
    done = run("-m", "app.cli", "demo")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "All as it must be" in done.stdout
    assert "Traceback" not in done.stderr
