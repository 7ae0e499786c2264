"""Errors that become an HTTP answer.

::

    HookError
    ├── BadRequest        400  the body is not what Metacontroller sends
    ├── Unauthorized      401  no accepted token
    ├── NotFound          404  no such controller or hook
    ├── MethodNotAllowed  405  hooks are POST only
    ├── BodyTooLarge      413  the body is over the limit
    ├── NotYet            429  come back after some seconds; nothing is applied, no Event is written
    ├── AnswerRefused     500  our own answer breaks the contract; it is never sent
    └── DeadlineExceeded  504  the hook took longer than its deadline

Metacontroller puts the text of any answer but 200 and 429 into its log and into an Event on the parent, so a message is
one line, names what is wrong, and never holds a secret. Nothing is deleted on any of them.
"""

from __future__ import annotations


class HookError(Exception):
    """Anything that a hook answers with a code other than 200."""

    status = 500

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class BadRequest(HookError):
    """The body is truncated, no JSON, or of the wrong shape."""

    status = 400


class Unauthorized(HookError):
    """The request carries no accepted bearer token."""

    status = 401


class NotFound(HookError):
    """No controller or no such hook at this path."""

    status = 404


class MethodNotAllowed(HookError):
    """Hooks are called by POST."""

    status = 405


class BodyTooLarge(HookError):
    """The body is larger than the limit."""

    status = 413


class NotYet(HookError):
    """Something the answer needs is not there yet. ``retry_after`` is in whole seconds, at least 1."""

    status = 429

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = max(1, retry_after)


class AnswerRefused(HookError):
    """The guard found our own answer in breach of the contract."""

    status = 500


class DeadlineExceeded(HookError):
    """The hook did not finish in time."""

    status = 504
