"""``palena migrate``: what it changes of what the Go operator left, and what it leaves alone."""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from app.apis.litellm.instance import LITELLM_INSTANCE
from app.cli.migrate import Unfinished, carry_out, look
from app.cli.migration_plan import Found, Plan, plan
from app.controllers.rollout import FAILED_TEMPLATE, TEMPLATE_DIGEST
from app.hooks.objects import CONTROLLER_UID, DECORATOR, LAST_APPLIED, reference
from app.sim.clock import VirtualClock
from app.sim.memory import MemoryCluster
from tests.cases import go_operator

if TYPE_CHECKING:
    from app.hooks.objects import Object

CRDS = Path(__file__).parents[2] / "cases" / "addon_crds.yaml"
LABELLED = {
    "ServiceAccount team/gw",
    "Secret team/gw-master-key",
    "Secret team/litellm-scim-token",
    "ConfigMap team/gw-config",
    "Deployment team/gw",
    "Service team/gw",
}


def stored(**spec: object) -> Object:
    item = go_operator.instance(**spec)
    item["metadata"] |= {"namespace": "team", "uid": "uid-1", "resourceVersion": "7"}
    return item


def found(instance: Object | None = None, **others: Any) -> Found:
    owner = instance or stored()
    return Found(instances=[owner], children=go_operator.children(owner), **others)


def labelled(wanted: Plan) -> set[str]:
    return {reference(step.item) for step in wanted.steps if "labels" in step.patch["metadata"]}


def test_children_get_the_label_and_the_instance_loses_the_finalizer_last() -> None:
    wanted = plan(found())
    assert labelled(wanted) == LABELLED
    *children, instance = wanted.steps
    assert all(step.patch["metadata"]["labels"] == {CONTROLLER_UID: "uid-1"} for step in children)
    assert instance.patch == {"metadata": {"uid": "uid-1", "resourceVersion": "7", "finalizers": []}}


def test_what_the_first_sync_would_delete_is_left_without_the_label() -> None:
    """A switched off Ingress, which that operator never removed; a Job that has done its work."""
    left = {reference(one.item): one.why for one in plan(found()).left}
    assert left.keys() == {"Ingress team/gw", "Job team/gw-migrate-0a1b2c3d"}
    assert "does not ask for it" in left["Ingress team/gw"]


def test_an_ingress_that_is_asked_for_is_labelled() -> None:
    wanted = plan(found(stored(ingress={"enabled": True, "host": "llm.example.com"})))
    assert "Ingress team/gw" in labelled(wanted)


@pytest.mark.parametrize(
    "spec",
    [{"workload": {"managed": False}, "masterKey": {"secretRef": {"name": "lk", "key": "k"}}}, {"replicas": "many"}],
    ids=["attached", "invalid"],
)
def test_children_that_are_kept_whatever_the_spec_says_are_all_labelled(spec: Object) -> None:
    assert "Ingress team/gw" in labelled(plan(found(stored(**spec))))


@pytest.mark.parametrize("asked", [True, False])
def test_what_an_add_on_will_own_gets_its_annotation_if_the_spec_asks_for_it(asked: bool) -> None:
    owner = stored(route={"enabled": asked})
    wanted = plan(Found(instances=[owner], children=[go_operator.route(owner)]))
    annotated = [step.patch["metadata"]["annotations"] for step in wanted.steps if "annotations" in step.patch["metadata"]]
    assert annotated == ([{DECORATOR: "litellminstances-openshift-route"}] if asked else [])


def owned_by(**changes: object) -> Object:
    child = go_operator.children(stored())[0]
    child["metadata"]["ownerReferences"][0] |= changes
    return child


UNTOUCHED = [
    ("an object of another instance", owned_by(uid="another")),
    ("an object that it refers to as one owner of several", owned_by(controller=False)),
    ("an object without an owner", {**owned_by(), "metadata": {"name": "gw", "namespace": "team", "labels": go_operator.LABELS}}),
]


@pytest.mark.parametrize(("why", "item"), UNTOUCHED, ids=[row[0] for row in UNTOUCHED])
def test_nothing_else_is_touched(why: str, item: Object) -> None:
    wanted = plan(Found(instances=[stored()], children=[item]))
    assert [reference(step.item) for step in wanted.steps] == ["LiteLLMInstance team/gw"], why
    assert wanted.left == ()


def test_a_child_with_somebody_elses_label_is_left() -> None:
    child = owned_by()
    child["metadata"]["labels"][CONTROLLER_UID] = "another"
    wanted = plan(Found(instances=[stored()], children=[child]))
    assert [reference(one.item) for one in wanted.left] == ["ServiceAccount team/gw"]


def test_other_finalizers_stay() -> None:
    owner = stored()
    owner["metadata"]["finalizers"] = ["foregroundDeletion", go_operator.FINALIZER]
    (step,) = plan(Found(instances=[owner], children=[])).steps
    assert step.patch["metadata"]["finalizers"] == ["foregroundDeletion"]


def test_of_an_instance_that_is_being_deleted_it_is_said_what_follows() -> None:
    owner = stored()
    owner["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    (step,) = plan(Found(instances=[owner], children=[])).steps
    assert "what it owns with it" in step.why


OWN, OTHERS = {"manager": "metacontroller", "operation": "Apply"}, {"manager": "manager", "operation": "Update"}


def applied_before(kind: str = "Deployment", **metadata: Any) -> Object:
    """A child that was ours before the user went back: of a Deployment that operator changes the spec and leaves the rest."""
    (child,) = [item for item in go_operator.children(stored()) if item["kind"] == kind]
    child["metadata"]["labels"][CONTROLLER_UID] = "uid-1"
    child["metadata"] |= metadata
    return child


FORGOTTEN = [
    (
        "the marks of dynamic apply",
        applied_before(annotations={TEMPLATE_DIGEST: "0a1b", FAILED_TEMPLATE: "2c3d", LAST_APPLIED: "{}", "team": "a"}),
        {"annotations": {TEMPLATE_DIGEST: None, FAILED_TEMPLATE: None, LAST_APPLIED: None}},
    ),
    ("fields of server-side apply", applied_before(managedFields=[OWN, OTHERS]), {"managedFields": [OTHERS]}),
    ("nobody else's fields are left", applied_before(managedFields=[OWN]), {"managedFields": [{}]}),
    ("the status of a scale", applied_before(managedFields=[OTHERS, {**OWN, "operation": "Update"}]), None),
    ("the configuration, which is held with the pods", applied_before("ConfigMap", managedFields=[OWN]), {"managedFields": [{}]}),
    ("what is not held: what was applied and is no longer wanted shall go", applied_before("Service", managedFields=[OWN]), None),
    ("it was never applied", applied_before(), None),
]


@pytest.mark.parametrize(("why", "child", "patch"), FORGOTTEN, ids=[row[0] for row in FORGOTTEN])
def test_what_we_applied_before_the_user_went_back_is_forgotten(why: str, child: Object, patch: Object | None) -> None:
    """Else the pods that run would be taken for ours and replaced unasked, and their configuration put back at once."""
    *steps, _ = plan(Found(instances=[stored()], children=[child])).steps
    assert [step.patch["metadata"] for step in steps] == ([patch] if patch else []), why


def test_nothing_is_forgotten_of_what_the_go_operator_has_not_had_since() -> None:
    owner = stored()
    del owner["metadata"]["finalizers"]
    child = applied_before(annotations={TEMPLATE_DIGEST: "0a1b", LAST_APPLIED: "{}"})
    assert plan(Found(instances=[owner], children=[child])).steps == ()


def test_the_label_comes_with_the_forgetting_where_both_are_due() -> None:
    child = applied_before(annotations={LAST_APPLIED: "{}"})
    del child["metadata"]["labels"][CONTROLLER_UID]
    step, _ = plan(Found(instances=[stored()], children=[child])).steps
    assert step.patch["metadata"] == {"labels": {CONTROLLER_UID: "uid-1"}, "annotations": {LAST_APPLIED: None}}


def operator(image: str, replicas: int = 1) -> Object:
    pod = {"containers": [{"image": image}]}
    return {"metadata": {"namespace": "ops", "name": "op"}, "spec": {"replicas": replicas, "template": {"spec": pod}}}


OPERATORS = [
    ("it runs", operator("ghcr.io/palenaai/litellm-operator:0.25.0"), True),
    ("it runs, named by digest", operator("registry:5000/litellm-operator@sha256:00"), True),
    ("it was stopped", operator("ghcr.io/palenaai/litellm-operator:0.25.0", 0), False),
    ("it is something else", operator("example/litellm-operator-docs:1"), False),
]


@pytest.mark.parametrize(("why", "deployment", "refused"), OPERATORS, ids=[row[0] for row in OPERATORS])
def test_it_waits_until_the_go_operator_is_stopped(why: str, deployment: Object, refused: bool) -> None:
    """It would put finalizers back, and write whole objects without the label."""
    obstacles = plan(found(deployments=[deployment])).obstacles
    assert ["scale deployment op --replicas=0" in one for one in obstacles] == ([True] if refused else []), why


def controller(*children: str) -> Object:
    rules = [{"apiVersion": "v1", "resource": child} for child in children]
    return {"metadata": {"name": "litellminstances"}, "spec": {"childResources": rules}}


@pytest.mark.parametrize(
    ("installed", "refused"), [(controller("secrets"), True), (controller(), False)], ids=["full", "attach-only"]
)
def test_it_refuses_where_our_controller_takes_owners_away_already(installed: Object, refused: bool) -> None:
    assert bool(plan(found(controllers=[installed])).obstacles) is refused


def migrated(item: Object, wanted: Plan) -> Object:
    item = copy.deepcopy(item)
    for step in wanted.steps:
        if reference(step.item) == reference(item):
            for key, value in step.patch["metadata"].items():
                item["metadata"][key] = {**item["metadata"].get(key, {}), **value} if isinstance(value, dict) else value
    return item


def test_the_second_run_has_nothing_to_do_even_where_our_controllers_run() -> None:
    before = found(controllers=[controller("secrets")])
    wanted = plan(before)
    after = replace(
        before,
        instances=[migrated(item, wanted) for item in before.instances],
        children=[migrated(item, wanted) for item in before.children],
    )
    assert plan(after).steps == ()
    assert plan(after).obstacles == ()


async def cluster() -> MemoryCluster:
    clock = VirtualClock()
    crds = [LITELLM_INSTANCE.crd(), *yaml.safe_load_all(CRDS.read_text("utf-8"))]
    cluster = MemoryCluster(crds, clock=clock.now, manager="kubectl")
    await cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}})
    item = go_operator.instance(route={"enabled": True})
    owner = await cluster.create({**item, "metadata": {**item["metadata"], "namespace": "team"}})
    for child in (*go_operator.children(owner), go_operator.route(owner)):
        await cluster.create(child)
    return cluster


async def test_it_is_done_once_on_a_cluster() -> None:
    user = await cluster()
    wanted = plan(await look(user))
    assert {reference(step.item) for step in wanted.steps} == {*LABELLED, "Route team/gw", "LiteLLMInstance team/gw"}
    await carry_out(wanted, user)
    assert plan(await look(user)).steps == ()


async def test_an_object_that_changed_meanwhile_is_not_overwritten() -> None:
    user = await cluster()
    wanted = plan(await look(user))
    first = wanted.steps[0].item
    resource = await user.resource_of(first["apiVersion"], first["kind"])
    await user.merge_patch(resource, "team", first["metadata"]["name"], {"metadata": {"labels": {"edited": "meanwhile"}}})
    with pytest.raises(Unfinished, match="changed meanwhile; run the command again"):
        await carry_out(wanted, user)


async def test_what_went_meanwhile_stops_nothing() -> None:
    user = await cluster()
    wanted = plan(await look(user))
    first = wanted.steps[0].item
    await user.delete(await user.resource_of(first["apiVersion"], first["kind"]), "team", first["metadata"]["name"])
    await carry_out(wanted, user)
    assert plan(await look(user)).steps == ()
