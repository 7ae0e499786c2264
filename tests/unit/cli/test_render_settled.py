"""What ``render`` compares: what comes first, or all that is there in the end, and never a part as if it were all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.unit.cli.command import palena

if TYPE_CHECKING:
    from pathlib import Path

MANAGED = """\
apiVersion: litellm.palena.ai/v1alpha1
kind: LiteLLMInstance
metadata: {name: gw, namespace: ai}
spec:
  image: {tag: v1.83.14}
  masterKey: {autoGenerate: true}
  saltKey: {autoGenerate: true}
  upgrade: {autoRollback: true}
  database: {managed: {enabled: true}, migration: {enabled: true}}
"""
UPGRADED = MANAGED.replace("v1.83.14", "v1.83.15")
KEY = """\
apiVersion: litellm.palena.ai/v1alpha1
kind: LiteLLMVirtualKey
metadata: {name: app, namespace: ai}
spec: {instanceRef: {name: gw}, keyAlias: app}
"""
HELD = "no pods are made until StatefulSet gw-db is ready"


def rendered(folder: Path, text: str, *options: str) -> None:
    """Leave in ``there.yaml`` what the text renders to."""
    (folder / "gw.yaml").write_text(text)
    outcome = palena("render", "gw.yaml", *options, folder=folder)
    assert outcome.code == 0, outcome.err
    (folder / "there.yaml").write_text(outcome.out)


def test_where_more_comes_later_no_difference_so_far_is_another_exit_code_and_says_what_was_compared(tmp_path: Path) -> None:
    rendered(tmp_path, MANAGED)
    (tmp_path / "gw.yaml").write_text(UPGRADED)
    outcome = palena("render", "gw.yaml", "--diff", "there.yaml", folder=tmp_path)
    compared, lacking = outcome.out.splitlines()
    assert outcome.code == 3
    assert compared.startswith("no difference in the part that was compared: PersistentVolumeClaim ai/gw-db, Secret ai/gw-db, ")
    assert lacking == (
        f"not compared: more of what LiteLLMInstance ai/gw asks for later ({HELD}); --settled renders what comes later, too"
    )


def test_a_difference_in_a_part_is_a_difference_and_the_rest_is_named(tmp_path: Path) -> None:
    rendered(tmp_path, MANAGED)
    (tmp_path / "there.yaml").write_text((tmp_path / "there.yaml").read_text().replace("5432", "5433"))
    outcome = palena("render", "gw.yaml", "--diff", "there.yaml", folder=tmp_path)
    assert outcome.code == 1
    assert "--- Service ai/gw-db (there)" in outcome.out
    assert outcome.out.splitlines()[-1].startswith("not compared: ")


def test_settled_renders_what_comes_later_alike_each_time_and_shows_another_image(tmp_path: Path) -> None:
    rendered(tmp_path, MANAGED, "--settled")
    there = (tmp_path / "there.yaml").read_text()
    assert "kind: Deployment" in there
    assert "kind: Job" in there
    assert "controller-uid" not in there
    outcome = palena("render", "gw.yaml", "--settled", "--diff", "there.yaml", folder=tmp_path)
    assert (outcome.code, outcome.out) == (0, "no difference\n")
    assert "asks for more later" not in outcome.err
    (tmp_path / "gw.yaml").write_text(UPGRADED)
    outcome = palena("render", "gw.yaml", "--settled", "--diff", "there.yaml", folder=tmp_path)
    assert outcome.code == 1
    assert "-        image: ghcr.io/berriai/litellm:v1.83.14\n+        image: ghcr.io/berriai/litellm:v1.83.15\n" in outcome.out
    assert "not compared:" not in outcome.out


def test_a_key_whose_secret_comes_later_is_not_compared(tmp_path: Path) -> None:
    rendered(tmp_path, KEY)
    (tmp_path / "there.yaml").write_text("apiVersion: v1\nkind: Secret\nmetadata: {name: app-key, namespace: ai}\n")
    outcome = palena("render", "gw.yaml", "--diff", "there.yaml", folder=tmp_path)
    assert outcome.code == 1
    assert "not compared: any of what LiteLLMVirtualKey ai/app asks for later (" in outcome.out
    rendered(tmp_path, f"{MANAGED}---\n{KEY}", "--settled")
    outcome = palena("render", "gw.yaml", "--settled", "--diff", "there.yaml", folder=tmp_path)
    assert (outcome.code, outcome.out) == (0, "no difference\n")


def test_what_the_files_lack_is_not_compared_in_the_end_either(tmp_path: Path) -> None:
    lacking = MANAGED.replace("masterKey: {autoGenerate: true}", "masterKey: {secretRef: {name: keys, key: master}}")
    rendered(tmp_path, lacking, "--settled")
    outcome = palena("render", "gw.yaml", "--settled", "--diff", "there.yaml", folder=tmp_path)
    assert outcome.code == 3
    assert "the condition ReferencesResolved says what to do)\n" in outcome.out
