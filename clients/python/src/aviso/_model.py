"""What all models have in common."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Model(BaseModel):
    """The service's names are camelCase, Python's are snake_case. Members that are new are kept."""

    model_config = ConfigDict(extra="allow", alias_generator=to_camel, populate_by_name=True)


class UnknownEvent(Model):
    """An event of a type that is newer than this version of the package."""

    event_id: str
    event_type: str
    occurred_at: datetime
    environment: str
    is_simulated: bool
    user_id: str
    data: dict[str, Any]
