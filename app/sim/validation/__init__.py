"""What the API server does to a custom resource before storing it: defaults, pruning, schema validation and CEL rules.

Pure functions over a structural schema (the ``openAPIV3Schema`` of a CustomResourceDefinition's version). The in-memory API
server and ``palena lint`` use the same ones, so that lint says what ``kubectl apply`` would say.
"""
