"""What can come of a call to the admin API besides its answer.

::

    AdminError
    ├── Unreachable        no answer, or none of LiteLLM's: nothing is known of what the call did
    │   └── NotAllowed     we did not connect: the endpoint is one that may not be reached
    ├── DatabaseDown       LiteLLM answers, but cannot look anything up
    ├── KeyRejected        the master key is unknown, or no admin's
    ├── NotFound           the object of the call does not exist
    ├── AlreadyExists      an object of that id exists
    │   └── NameTaken      another object has the alias, e-mail address or name
    ├── EnterpriseOnly     it takes a licence that the proxy does not have
    ├── Invalid            LiteLLM does not accept the request as it is
    │   └── Unnameable     we did not ask: the name is longer than any request has room for
    ├── NoSuchRoute        this release has no such route
    ├── NotKept            the proxy is not set up to keep such objects in its database
    ├── NoModels           the proxy has no model loaded, and makes no organization before it has
    └── ServerFault        LiteLLM failed; the call may have had its effect or not

The same situation has up to five spellings over releases and routes; :mod:`app.litellm.admin.refusals` reads them.
"""

from __future__ import annotations


class AdminError(Exception):
    """A call that did not end well. The text follows "LiteLLM" in a sentence and holds no secret."""

    def __init__(self, message: str, *, status: int = 0) -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status; 0 where there was none."""
        self.creating = False
        """Whether the call was to make an object, which may be there now."""


class Unreachable(AdminError):
    """There was no answer, or not one of LiteLLM's. The call may have had its effect."""


class NotAllowed(Unreachable):
    """The endpoint leads to an address that endpoints may not reach. Nothing was sent."""


class DatabaseDown(AdminError):
    """The proxy's database does not answer. Reads and writes are to be repeated later."""


class KeyRejected(AdminError):
    """The proxy does not take the master key for an admin's."""


class NotFound(AdminError):
    """What the call is about does not exist; or, on create, something that it refers to."""


class AlreadyExists(AdminError):
    """There is an object of that id, ours or not."""


class NameTaken(AlreadyExists):
    """There is another object with an alias, e-mail address or name that has to be unique."""


class EnterpriseOnly(AdminError):
    """The proxy has no licence for what the call asks for."""


class Invalid(AdminError):
    """The request is refused for what is in it; repeating it is of no use until the spec or the proxy changes."""


class Unnameable(Invalid):
    """No call can name what this one is about, so LiteLLM has no such thing. Nothing was sent."""


class NoSuchRoute(AdminError):
    """The release does not have the route, or not with that verb."""


class NotKept(AdminError):
    """The proxy takes such objects from its configuration file only: ``store_model_in_db`` is off."""


class NoModels(AdminError):
    """The proxy takes such objects once it has a model loaded. Nothing was made."""


class ServerFault(AdminError):
    """LiteLLM failed with a text that says no more. Whether the call had its effect must be looked up."""
