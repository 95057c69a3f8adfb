"""A client of Aviso: banks, transactions, cancellations, callbacks.

client = Aviso()
for transaction in client.user(user_id).transactions.list():
    print(transaction.amount, transaction.note)

AsyncAviso does the same with asyncio.
"""

from . import errors, models
from ._async.client import AsyncAviso, AsyncUser
from ._async.groups import AsyncPages
from ._events import Event
from ._model import UnknownEvent
from ._shared import Page
from ._sync.client import Aviso, User
from ._sync.groups import Pages
from ._version import VERSION
from .errors import (
    AuthenticationError,
    AvisoError,
    CallTimeoutError,
    ConflictError,
    ConnectionFailedError,
    NotFoundError,
    PermissionDeniedError,
    ProblemError,
    RateLimitedError,
    ServerError,
    UnexpectedAnswerError,
    ValidationError,
    WebhookVerificationError,
)
from .webhooks import acknowledgement, verify

__version__ = VERSION
__all__ = [
    "AsyncAviso",
    "AsyncPages",
    "AsyncUser",
    "AuthenticationError",
    "Aviso",
    "AvisoError",
    "CallTimeoutError",
    "ConflictError",
    "ConnectionFailedError",
    "Event",
    "NotFoundError",
    "Page",
    "Pages",
    "PermissionDeniedError",
    "ProblemError",
    "RateLimitedError",
    "ServerError",
    "UnexpectedAnswerError",
    "UnknownEvent",
    "User",
    "ValidationError",
    "WebhookVerificationError",
    "acknowledgement",
    "errors",
    "models",
    "verify",
]
