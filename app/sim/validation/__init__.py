"""What the API server does to a custom resource before storing it: defaults, pruning, schema validation and CEL rules.

Pure functions over a structural schema (the ``openAPIV3Schema`` of a CustomResourceDefinition's version). The in-memory API
server and ``palena lint`` use the same ones, so that lint says what ``kubectl apply`` would say.
"""

from app.sim.validation.defaulting import apply_defaults, prune_nulls
from app.sim.validation.field_error import FieldError, joined
from app.sim.validation.pruning import prune
from app.sim.validation.resource_schema import ResourceSchema

__all__ = ["FieldError", "ResourceSchema", "apply_defaults", "joined", "prune", "prune_nulls"]
