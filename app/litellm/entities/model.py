"""A model in LiteLLM: one deployment of it at a provider, under an id of ours and a name that deployments share.

What LiteLLM's API cannot do shapes this. A PATCH merges and removes nothing, so a field that goes away takes a deletion and a
new model under the same id. Newer releases take no prices in ``model_info``, and none ever looked there for some other fields,
so these go into ``litellm_params`` as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.hooks.observed_fields import object_in
from app.litellm.admin.calls import Call, path
from app.litellm.entities.entity import Conflict, Entity, Update
from app.litellm.entities.listing import Page, numbered, picked, rows_of
from app.litellm.entities.ownership import MARK, mark_in

if TYPE_CHECKING:
    from app.apis.litellm.model import LiteLLMModelSpec
    from app.apis.litellm.model.spec import LiteLLMParams, ModelInfo
    from app.hooks.objects import Object
    from app.litellm.entities.entity import Wanted
    from app.litellm.entities.ownership import Mark

PARAMS = "litellm_params."
INFO = "model_info."
"""What the names of fields begin with: where LiteLLM keeps them."""

CREDENTIAL = "litellm_credential_name"

LOOKED_FOR_IN_PARAMS = (
    "input_cost_per_token",
    "output_cost_per_token",
    "input_cost_per_pixel",
    "input_cost_per_second",
    "cache_read_input_token_cost",
    "cache_creation_input_token_cost",
    "region_name",
    "use_in_pass_through",
)
"""Fields of ``model_info`` that LiteLLM goes by only where they are in ``litellm_params``: from 1.108 on it drops prices from
``model_info``, and it routes by region and by pass-through use according to the parameters in all releases."""


def model_fields(spec: LiteLLMModelSpec, provider: Object) -> Object:
    """What LiteLLM is told of a model. ``provider`` are the parameters that references stand for, by LiteLLM's names."""
    info = _info(spec.model_info) if spec.model_info else {}
    params = {
        **_params(spec.litellm_params),
        **provider,
        "tags": spec.tags,
        **{name: info.get(name) for name in LOOKED_FOR_IN_PARAMS},
    }
    return {
        "model_name": spec.model_name,
        **{PARAMS + name: value for name, value in params.items()},
        **{INFO + name: value for name, value in info.items()},
    }


def _params(params: LiteLLMParams) -> Object:
    """Without what references stand for."""
    return {
        "model": params.model,
        "rpm": params.rpm,
        "tpm": params.tpm,
        "timeout": params.timeout,
        "stream_timeout": params.stream_timeout,
        "max_retries": params.max_retries,
        "weight": params.weight,
        "order": params.order,
        "max_input_tokens": params.max_input_tokens,
        "temperature": params.temperature,
        "top_p": params.top_p,
        "max_tokens": params.max_tokens,
        "seed": params.seed,
        "organization": params.organization,
        "aws_region_name": params.aws_region_name,
        "extra_headers": params.extra_headers,
        "drop_params": params.drop_params,
        "vertex_project": params.vertex_project,
        "vertex_location": params.vertex_location,
    }


def _info(info: ModelInfo) -> Object:
    check = info.health_check
    return {
        "max_tokens": info.max_tokens,
        "input_cost_per_token": info.input_cost_per_token,
        "output_cost_per_token": info.output_cost_per_token,
        "mode": info.mode,
        "base_model": info.base_model,
        "tier": info.tier,
        "region_name": info.region_name,
        "access_groups": info.access_groups,
        "supported_environments": info.supported_environments,
        "use_in_pass_through": info.use_in_pass_through,
        "input_cost_per_pixel": info.input_cost_per_pixel,
        "input_cost_per_second": info.input_cost_per_second,
        "cache_read_input_token_cost": info.cache_read_input_token_cost,
        "cache_creation_input_token_cost": info.cache_creation_input_token_cost,
        "disable_background_health_check": check and check.disable_background_health_check,
        "health_check_timeout": check and check.timeout_seconds,
        "health_check_max_tokens": check and check.max_tokens,
        "health_check_max_tokens_reasoning": check and check.max_tokens_reasoning,
        "health_check_max_tokens_non_reasoning": check and check.max_tokens_non_reasoning,
        "health_check_reasoning_effort": check and check.reasoning_effort,
        "health_check_voice": check and check.voice,
        "health_check_model": check and check.model,
    }


_MODELS_OF_A_PAGE = 500
_SECRET = ("api_key", "vertex_credentials", "extra_headers")


class Model(Entity):
    """``/model/*``. The mark is in ``model_info``."""

    noun = "model"
    late = True
    read_back = True

    def read(self, object_id: str) -> Call:
        """A list with the model, or an empty one: what the replica serves, else what the database holds."""
        return Call("GET", "/v2/model/info", query={"modelId": object_id})

    def row(self, object_id: str, answer: Any) -> Object | None:
        """The model of that id in the list."""
        return next((row for row in rows_of(answer, "data") if object_in(row, "model_info").get("id") == object_id), None)

    def tells_absence(self, answer: Any) -> bool:
        """A list without it."""
        return True

    def mark_of(self, row: Object) -> Mark | None:
        """Kept by everything that does not write it."""
        return mark_in(row.get("model_info"))

    def create(self, wanted: Wanted, mark: Mark) -> Call:
        """A new model. One that exists is refused with 500."""
        return Call("POST", "/model/new", body=_body(wanted, mark))

    def update(self, wanted: Wanted, mark: Mark, row: Object, dropped: frozenset[str]) -> Update:
        """A PATCH, which all releases store and serve at once; where that is too little, the model is made again.

        A PATCH to a credential that LiteLLM does not have yet is refused from 1.108 on, a new model with one is not.
        Raises :class:`~app.litellm.entities.entity.Conflict` for a model that this API is not to change.
        """
        info = object_in(row, "model_info")
        if info.get("db_model") is False:
            raise Conflict(f"has a model of id {wanted.id} in its configuration file, which is the only place to change it")
        if team := info.get("team_id"):
            raise Conflict(
                f"has given model {wanted.id} to team {team}; models of one team only are left to whoever made them so"
            )
        credential = object_in(row, "litellm_params").get(CREDENTIAL)
        if dropped or credential != wanted.fields.get(PARAMS + CREDENTIAL):
            # An admin's pause is no field of ours, and is not ended by this.
            paused: Object = {"blocked": True} if info.get("blocked") is True else {}
            again = Call("POST", "/model/new", body={**_body(wanted, mark), **paused})
            return Update((self.delete(wanted.id), again), remade=True)
        return Update((Call("PATCH", path("model", wanted.id, "update"), body=_body(wanted, mark)),))

    def delete(self, object_id: str) -> Call:
        """Of what the database holds; anything else is not found, with 400."""
        return Call("POST", "/model/delete", body={"id": object_id})

    def listing(self, page: int) -> Call:
        """What the replica serves, from its memory."""
        return Call("GET", "/v2/model/info", query={"page": page, "size": _MODELS_OF_A_PAGE})

    def listed(self, answer: Any, page: int) -> Page:
        """Under ``data``."""
        return numbered(answer, "data", page)

    def id_of(self, row: Object) -> str:
        """In ``model_info``."""
        return str(object_in(row, "model_info").get("id") or "")

    def protected(self, row: Object) -> bool:
        """Models of the configuration file, and those of one team, which its members make."""
        info = object_in(row, "model_info")
        return info.get("db_model") is not True or bool(info.get("team_id"))

    def comparable(self, row: Object) -> Object:
        """Parameters and information, but for what holds secrets; LiteLLM adds prices to ``model_info`` by itself."""
        params, info = object_in(row, "litellm_params"), object_in(row, "model_info")
        return {
            **picked(row, ("model_name",)),
            **picked(params, params.keys() - _SECRET, PARAMS),
            **picked(info, info.keys() - LOOKED_FOR_IN_PARAMS, INFO),
        }


def _body(wanted: Wanted, mark: Mark) -> Object:
    """Always with the id: a PATCH without one stores a random one."""
    return {
        "model_name": wanted.fields["model_name"],
        "litellm_params": _under(PARAMS, wanted),
        "model_info": {"id": wanted.id, **_under(INFO, wanted), MARK: mark.written()},
    }


def _under(place: str, wanted: Wanted) -> Object:
    return {name.removeprefix(place): value for name, value in wanted.fields.items() if name.startswith(place)}
