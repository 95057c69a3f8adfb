"""The README's programs are right: mypy reads each of them."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

PACKAGE = pathlib.Path(__file__).parents[1]
QUICKSTART = PACKAGE / "examples" / "quickstart.py"
README = (PACKAGE / "README.md").read_text()

# What the blocks take for granted.
BEFORE = """
from typing import Any
import aviso
from aviso import Aviso

client = Aviso()
user = client.user("")
bank = client.providers.list().page().items[0]
connection_id = url = parent = SECRET = OLD_SECRET = ""
app: Any
request: Any
store: Any
event: aviso.Event
"""


def test_the_quickstart_is_the_one_that_runs() -> None:
    text = QUICKSTART.read_text()
    assert text in README
    assert len(text.splitlines()) < 30


def test_every_block_is_typed(tmp_path: pathlib.Path) -> None:
    blocks = [b for b in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if b != QUICKSTART.read_text()]
    assert len(blocks) > 3
    (tmp_path / "blocks.py").write_text(BEFORE + "\n".join(blocks))
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--allow-untyped-defs",
        "--check-untyped-defs",
        str(tmp_path / "blocks.py"),
    ]
    checked = subprocess.run(command, cwd=PACKAGE / "src", capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
