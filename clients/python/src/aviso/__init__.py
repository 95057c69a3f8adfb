"""A client of Aviso: banks, transactions, cancellations, callbacks.

client = Aviso()
for transaction in client.user(user_id).transactions.list():
    print(transaction.amount, transaction.note)
"""

from . import errors, models
from ._client import Aviso, User
from ._events import Event
from ._groups import Page, Pages
from ._model import UnknownEvent
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
