"""Metacontroller's rights follow from what a controller declares."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.generate.rbac import controller_rights, controller_role, core_roles, metacontroller_rights
from app.hooks.controller import ChildRule, CompositeController, DecoratorController, Update
from app.hooks.objects import Resource
from app.hooks.response import DecoratorResponse, SyncResponse
from tests.unit.generate.granted import rights_of

LAB = Resource("lab.example.com/v1", "Lab", "labs")
CONFIG_MAP = Resource("v1", "ConfigMap", "configmaps")
SECRET = Resource("v1", "Secret", "secrets")
BADGE = Resource("lab.example.com/v1", "Badge", "badges")

WRITABLE = {"get", "list", "watch", "create", "update", "patch", "delete"}


def sync(request: Any, context: Any) -> SyncResponse:
    return SyncResponse(status={}, children=[], retained=[])


def decorate(request: Any, context: Any) -> DecoratorResponse:
    return DecoratorResponse(attachments=[], retained=[])


CONTROLLER: CompositeController[None] = CompositeController(
    name="labs",
    parent=LAB,
    children=(ChildRule(CONFIG_MAP, Update.IN_PLACE),),
    related=(SECRET,),
    related_owning_nothing=(SECRET,),
    sync=sync,
)
DECORATOR: DecoratorController[None] = DecoratorController(
    name="badges", target=LAB, attachments=(ChildRule(BADGE, Update.IN_PLACE),), sync=decorate
)

TABLE = [
    (
        "the parent is read live before its status is written, and never written itself",
        CONTROLLER,
        {
            ("lab.example.com", "labs"): {"get", "list", "watch"},
            ("lab.example.com", "labs/status"): {"update"},
            ("lab.example.com", "labs/finalizers"): {"update"},
            ("", "configmaps"): WRITABLE,
            ("", "secrets"): {"list", "watch"},
        },
    ),
    (
        "a finalize hook puts a finalizer on the parent",
        replace(CONTROLLER, finalize=sync, children=(), related=()),
        {("lab.example.com", "labs"): {"get", "list", "watch", "update"}, ("lab.example.com", "labs/status"): {"update"}},
    ),
    (
        "a kind that is child and related at once has the rights of a child",
        replace(CONTROLLER, related=(CONFIG_MAP,)),
        {
            ("lab.example.com", "labs"): {"get", "list", "watch"},
            ("lab.example.com", "labs/status"): {"update"},
            ("lab.example.com", "labs/finalizers"): {"update"},
            ("", "configmaps"): WRITABLE,
        },
    ),
    (
        "attach-only: status is all that can be written, and only what is named for that form is read",
        replace(CONTROLLER, related=(SECRET, BADGE)).owning_nothing(),
        {
            ("lab.example.com", "labs"): {"get", "list", "watch"},
            ("lab.example.com", "labs/status"): {"update"},
            ("", "secrets"): {"list", "watch"},
        },
    ),
    (
        "attach-only: a controller that owns no workload is installed whole",
        replace(CONTROLLER, owns_workloads=False).owning_nothing(),
        {
            ("lab.example.com", "labs"): {"get", "list", "watch"},
            ("lab.example.com", "labs/status"): {"update"},
            ("lab.example.com", "labs/finalizers"): {"update"},
            ("", "configmaps"): WRITABLE,
            ("", "secrets"): {"list", "watch"},
        },
    ),
    (
        "a decorator writes labels and annotations onto its target, and no status",
        DECORATOR,
        {
            ("lab.example.com", "labs"): {"get", "list", "watch", "update"},
            ("lab.example.com", "labs/finalizers"): {"update"},
            ("lab.example.com", "badges"): WRITABLE,
        },
    ),
]


@pytest.mark.parametrize(("why", "controller", "rights"), TABLE, ids=[row[0] for row in TABLE])
def test_a_controller_brings_just_the_rights_that_it_declares_a_need_for(
    why: str, controller: Any, rights: dict[tuple[str, str], set[str]]
) -> None:
    assert controller_rights(controller) == rights, why


@pytest.mark.parametrize(("why", "controller", "rights"), TABLE, ids=[row[0] for row in TABLE])
def test_the_role_says_what_the_declaration_needs(why: str, controller: Any, rights: dict[tuple[str, str], set[str]]) -> None:
    assert rights_of([controller_role(controller)]) == rights, why


def test_metacontroller_itself_only_reads_and_writes_events() -> None:
    written = {resource for resource, verbs in metacontroller_rights().items() if verbs - {"list", "watch"}}
    assert written == {("", "events")}


def test_every_role_is_gathered_into_the_one_that_is_bound() -> None:
    gathering, binding, core = core_roles()
    (selector,) = gathering["aggregationRule"]["clusterRoleSelectors"]
    assert binding["roleRef"]["name"] == gathering["metadata"]["name"]
    assert binding["subjects"] == [{"kind": "ServiceAccount", "name": "metacontroller", "namespace": "metacontroller"}]
    for role in (core, controller_role(CONTROLLER)):
        assert selector["matchLabels"].items() <= role["metadata"]["labels"].items()


def test_the_gathering_role_has_no_rules_of_its_own_that_an_apply_would_put_back() -> None:
    assert "rules" not in core_roles()[0]
