"""JSON whose numbers are exact: an amount is a Decimal on both sides, never a binary float."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from pydantic.alias_generators import to_camel

from ._model import Model


def loads(text: bytes | str) -> Any:
    return json.loads(text, parse_float=Decimal)


def dumps(value: Any) -> str:
    """Return the JSON of a value. The standard library's cannot write a Decimal as a number."""
    if isinstance(value, Model):
        return dumps(value.model_dump(by_alias=True, exclude_unset=True))
    if isinstance(value, Mapping):
        for name in value:
            if "_" in str(name):
                raise TypeError(f"in a dict, {name!r} is {to_camel(name)!r}: only models have Python's names")
        return "{" + ",".join(f"{json.dumps(name)}:{dumps(member)}" for name, member in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(dumps, value)) + "]"
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} is not an amount")
        return format(value, "f")
    if isinstance(value, date):
        return json.dumps(value.isoformat())
    return json.dumps(value)
