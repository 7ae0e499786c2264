"""The framework on its own: a whole controller with finalize, made and asked in under thirty lines."""

from __future__ import annotations

import httpx2

from app.hooks import ChildRule, CompositeController, Resource, SyncRequest, SyncResponse, Update, application

POT = Resource("v1", "ConfigMap", "configmaps")


def sync(request: SyncRequest, color: str) -> SyncResponse:
    pot = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": request.name, "namespace": request.namespace}}
    return SyncResponse(status={"color": color}, children=[{**pot, "data": {"color": color}}], retained=[])


def finalize(request: SyncRequest, color: str) -> SyncResponse:
    return SyncResponse(status={}, children=[], retained=[], finalized=not request.children[POT.key])


APP = application(
    [
        CompositeController(
            name="pots",
            parent=Resource("garden.example.com/v1", "Pot", "pots"),
            children=(ChildRule(POT, Update.IN_PLACE),),
            sync=sync,
            finalize=finalize,
        )
    ],
    "green",
)


async def test_a_toy_controller_makes_a_child_and_lets_the_parent_go_once_it_is_gone() -> None:
    parent = {"apiVersion": "garden.example.com/v1", "kind": "Pot", "metadata": {"name": "p", "namespace": "n", "uid": "u"}}
    body = {"controller": {}, "parent": parent, "children": {POT.key: {}}, "related": {}, "finalizing": False}
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=APP), base_url="http://hooks") as hooks:
        made = (await hooks.post("/hooks/pots/sync", json=body)).json()
        [child] = made["children"]
        waiting = body | {"finalizing": True, "children": {POT.key: {"n/p": child}}}
        assert made["status"] == {"color": "green"}
        assert not (await hooks.post("/hooks/pots/finalize", json=waiting)).json()["finalized"]
        assert (await hooks.post("/hooks/pots/finalize", json=body | {"finalizing": True})).json()["finalized"]
