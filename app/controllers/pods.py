"""The pods of a gateway, and the configuration that goes with them: as wanted, as they are, or as they last were good.

Pods start only when all that they read is there and the schema fits their image. Pods that run are never taken away for what
has to come before their successors: they keep their template, and the ConfigMap that they read stays with it. Everything else
of the Deployment (replicas, strategy, metadata) follows the spec at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import orjson

from app.controllers.child_checks import checked
from app.controllers.parts import CONFIG, PODS
from app.controllers.rollback import Pods, in_force, last_good, revisions, rollback
from app.controllers.rollout import failed_template, observed_rollout, stamped
from app.controllers.sequence import add, unstored
from app.controllers.taken_names import holder
from app.controllers.takeover import takeover
from app.hooks.objects import Object, terminating
from app.hooks.observed_fields import object_in
from app.hooks.replay import replay
from app.resources.config_map import CONFIG_FILE
from app.resources.content_digests import OPTIONAL_DIGESTS, SECRET_DIGEST, remembered
from app.resources.digests import short_digest
from app.resources.kinds import CONTROLLER_REVISION, SECRET
from app.status.instance.gateway import ChildProblem, Hold, Migration, MigrationStage
from app.status.instance.gateway_reasons import CHILDREN_APPLIED, REFERENCES_RESOLVED, TEMPLATE_HELD
from app.status.instance.reasons import DATABASE_READY

if TYPE_CHECKING:
    from app.controllers.sequence import Desired, View

_STUCK = {MigrationStage.FAILED, MigrationStage.NOT_STARTED, MigrationStage.SUSPENDED}


def add_pods(view: View, answer: Desired, database: str, migration: Migration) -> None:
    """The Deployment, its ConfigMap and what a rollback needs. ``database`` is what the managed one still waits for."""
    observed = view.observed(PODS.resource, PODS.key(view.gateway.name).name)
    wanted = _wanted(view, observed)
    answer.takeover = takeover(view.request, observed, wanted.template if wanted is not None else None)
    answer.hold = _hold(view, answer, database, migration, observed)
    answer.rollout = observed_rollout(observed, wanted.digest if wanted is not None else "")
    if answer.hold is not None or wanted is None:
        _keep_running(view, answer, observed)
    else:
        _run(view, answer, wanted, observed)


def _run(view: View, answer: Desired, wanted: Pods, observed: Object | None) -> None:
    """The wanted pods, or the last good ones in their place."""
    decision = rollback(view.request, view.gateway, wanted, answer.rollout, observed)
    answer.rolled_back = decision.rolled_back
    if decision.new is not None:
        name = str(decision.new["metadata"]["name"])
        add(view, answer, CONTROLLER_REVISION, name, checked(decision.new, view.gateway, view.place))
    for kept in decision.kept:
        answer.keep(kept)
    _answer_pods(view, answer, decision.pods)


def _answer_pods(view: View, answer: Desired, pods: Pods) -> None:
    """These pods, with their configuration, in the Deployment of the spec."""
    config, deployment = (view.rendered.children[part.key(view.gateway.name)] for part in (CONFIG, PODS))
    if config["data"][CONFIG_FILE] != pods.config:
        config = {**config, "data": {**config["data"], CONFIG_FILE: pods.config}}
    answer.add(config)
    answer.add(stamped(deployment, pods.template, pods.digest, answer.rolled_back.failed if answer.rolled_back else ""))


def _keep_running(view: View, answer: Desired, observed: Object | None) -> None:
    """What runs, with its template and its configuration; if nothing does, what a rollback would bring back."""
    answer.rolled_back = in_force(view.request, observed)
    for kept in revisions(view.request):
        answer.keep(kept)
    if observed is None and (good := last_good(view.request)) is not None and not _unmade(view):
        _answer_pods(view, answer, good)
        return
    answer.keep(view.observed(CONFIG.resource, CONFIG.key(view.gateway.name).name))
    if observed is None or terminating(observed):
        return
    rendered = view.rendered.children.get(PODS.key(view.gateway.name))
    applied: Object = orjson.loads(replay(observed).body)
    template: Any = cast("Object", applied.get("spec") or {}).get("template")
    if rendered is not None and isinstance(template, dict):
        answer.add(stamped(rendered, cast("Object", template), short_digest(template), failed_template(observed)))
    else:
        answer.keep(observed, replicas=_autoscaled(view))


def _autoscaled(view: View) -> int | None:
    """The autoscaler's number: what was applied last may say another that was decided before."""
    autoscaling = view.gateway.spec.autoscaling
    return view.gateway.observed_replicas if autoscaling is not None and autoscaling.enabled else None


def _wanted(view: View, observed: Object | None) -> Pods | None:
    """The pods of the spec; None where they could not be made."""
    config, deployment = (view.rendered.children.get(part.key(view.gateway.name)) for part in (CONFIG, PODS))
    if config is None or deployment is None:
        return None
    annotations, running = dict(view.pods_read.annotations), _template_annotations(observed)
    if not view.pods_read.complete and SECRET_DIGEST in running:
        annotations[SECRET_DIGEST] = running[SECRET_DIGEST]
    if optional := remembered(view.pods_read.optional, running.get(OPTIONAL_DIGESTS)):
        annotations[OPTIONAL_DIGESTS] = optional
    template: Object = deployment["spec"]["template"]
    if annotations:
        metadata: Object = template["metadata"]
        template = {**template, "metadata": {**metadata, "annotations": {**metadata.get("annotations", {}), **annotations}}}
    return Pods(template, short_digest(template), config["data"][CONFIG_FILE])


def _hold(view: View, answer: Desired, database: str, migration: Migration, observed: Object | None) -> Hold | None:
    """Why the pods stay as they are, the first reason in the order of things; nothing if they may be as wanted."""
    if (problem := _unmade(view)) is not None:
        answer.problems.append(problem)
        return Hold(f"{problem.child} can be made", CHILDREN_APPLIED)
    if secret := unstored(view, (one.name for one in view.rendered.read if one.kind == SECRET.kind)):
        return Hold(secret, CHILDREN_APPLIED if answer.problems else "")
    if view.pods_read.missing:
        return Hold("everything that the pods read is there", REFERENCES_RESOLVED)
    if not view.pods_read.complete and not _digest_runs(view, observed):
        return Hold("the Secrets of guardrails can be read", REFERENCES_RESOLVED)
    if database and observed is None:
        return Hold(database)
    if answer.takeover is not None and answer.takeover.differing:
        return Hold("you agree that they are replaced", TEMPLATE_HELD)
    if not migration.open_gate:
        return Hold(_migrated(migration), DATABASE_READY if migration.stage in _STUCK else "")
    return None


def _unmade(view: View) -> ChildProblem | None:
    """Why the configuration or the Deployment cannot be made, if one cannot."""
    for part in (CONFIG, PODS):
        key = part.key(view.gateway.name)
        problem = holder(view.request, part.resource, key.name) or view.rendered.problems.get(key)
        if problem is not None:
            return problem
    return None


def _digest_runs(view: View, observed: Object | None) -> bool:
    """Whether the running pods have the digest that stands in for one that cannot be had. Those of a rollback have another's."""
    return SECRET_DIGEST in _template_annotations(observed) and in_force(view.request, observed) is None


def _migrated(migration: Migration) -> str:
    if migration.stage is MigrationStage.EARLIER:
        return f"{migration.about} of an earlier migration has ended"
    return f"Job {migration.about} has migrated the schema" if migration.about else "a Job has migrated the schema"


def _template_annotations(deployment: Object | None) -> Object:
    template = object_in(deployment["spec"], "template") if deployment is not None else {}
    return object_in(object_in(template, "metadata"), "annotations")
