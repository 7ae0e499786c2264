"""The custom resources: their models, schemas, rules and printer columns.

One declaration of a field (type, default, description) is both what the hooks read a spec with and what the
CustomResourceDefinition says, so the two cannot disagree. Everything here is pure. What a field *does* is decided in
``app.controllers``; what is *written* from the declarations (``crds/``, ``docs/reference/``) in ``app.generate``.
"""
