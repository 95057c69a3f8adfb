"""The README's programs are right: mypy reads each of them."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

import pytest

PACKAGE = pathlib.Path(__file__).parents[1]
QUICKSTARTS = [path.read_text() for path in (PACKAGE / "examples").iterdir()]
README = (PACKAGE / "README.md").read_text()

# What the blocks take for granted.
BEFORE = """
import asyncio
from typing import Any
import aviso
from aviso import Aviso, AsyncAviso

client: Aviso
user: aviso.User
bank: aviso.models.Provider
connection_id = url = parent = SECRET = OLD_SECRET = ""
app: Any
form: dict[str, str]
request: Any
store: Any
event: aviso.Event
"""


@pytest.mark.parametrize("text", QUICKSTARTS)
def test_the_quickstarts_are_those_that_run(text: str) -> None:
    assert f"```python\n{text}```" in README
    assert len(text.splitlines()) < 30


def test_every_block_is_typed(tmp_path: pathlib.Path) -> None:
    blocks = [b for b in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if b not in QUICKSTARTS]
    assert len(blocks) > 3
    for number, block in enumerate(blocks):
        before = BEFORE.replace("client: Aviso", "client: AsyncAviso") if "AsyncAviso(" in block else BEFORE
        (tmp_path / f"block_{number}.py").write_text(before + block)
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--allow-untyped-defs",
        "--allow-untyped-decorators",
        "--check-untyped-defs",
        str(tmp_path),
    ]
    checked = subprocess.run(command, cwd=PACKAGE / "src", capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
