"""The generated definitions and field references: readable, and of the same content as the declarations."""

from __future__ import annotations

import pytest
import yaml

from app.apis.litellm.instance import LITELLM_INSTANCE
from app.generate.crds import crds
from app.generate.reference import page
from app.registry import KINDS

CRD = "crds/litellm.palena.ai_litellminstances.yaml"


def test_a_definition_is_readable_yaml_of_the_same_content() -> None:
    text = crds([LITELLM_INSTANCE])[CRD]
    assert yaml.safe_load(text) == LITELLM_INSTANCE.crd()
    assert "&id" not in text, "anchors"


def test_a_generated_file_says_which_command_makes_it() -> None:
    assert crds(KINDS)[CRD].splitlines()[0] == "# Made by `palena generate crds` from the declarations in app/. Do not edit."
    assert "`palena generate docs`" in page(LITELLM_INSTANCE).splitlines()[0]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("| [`masterKey`](#specmasterkey) | object | yes |", "a section is linked from the overview"),
        ("| `endpoint` | string |  |  | matches `^https?://[^\\s/?#]+`; at most 2048 characters |", "validation is spelled out"),
        ("| `topologySpreadConstraints` | []core/v1 TopologySpreadConstraint |", "a core type is named, not spread out"),
        ('| `cloudnativepg.backup.method` | string |  | `"snapshot"` | one of `snapshot`, `barmanObjectStore` |', "an enum"),
        ("| `providerBudgetConfig{}.budgetLimit` | string | yes |", "a value of a map"),
        ("| `headerSecrets[].secretRef` | {name, key} | yes |", "a field of a list's item, relative to its section"),
        ("in the Secret \\<instance>-master-key", "angle brackets would be HTML"),
        ("- workload.endpoint is only valid when workload.managed is false", "rules stand above the table"),
        ("matches `^(/([^~]\\|~[01])*)?$`", "a bar would end the cell"),
        ("| `configSync.unmanagedTeams` | integer |", "status has its table too"),
    ],
)
def test_the_field_reference_tells_readers_what_the_schema_says(line: str, why: str) -> None:
    assert line in page(LITELLM_INSTANCE), why
