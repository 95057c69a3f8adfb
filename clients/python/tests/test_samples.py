"""The samples of docs/snippets: mypy reads them, and they run against the stack at AVISO_BASE_URL."""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import runpy
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from bank import approve

from aviso import Aviso, ConflictError, NotFoundError

PACKAGE = pathlib.Path(__file__).parents[1]
SNIPPETS = PACKAGE.parents[1] / "docs" / "snippets"
ORDER = [line.split(" ") for line in (SNIPPETS / "order.txt").read_text().splitlines()]
SETTINGS = ("base_url", "client_id", "client_secret")


def test_every_sample_is_typed(tmp_path: pathlib.Path) -> None:
    # A set: contracts and webhooks both have a subscription_id.
    given = {*SETTINGS, *(snake(name) for _, *names in ORDER for name in names)}
    before = "; ".join(f"{name}: str" for name in given) + "\n"
    for sample in (SNIPPETS / "python").iterdir():
        (tmp_path / sample.name).write_text(before + sample.read_text())
    command = [sys.executable, "-m", "mypy", "--strict", str(tmp_path)]
    checked = subprocess.run(command, cwd=PACKAGE / "src", capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.filterwarnings("error", "ignore::ResourceWarning")  # connections end with a program
def test_every_sample_runs(
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    client = Aviso()
    variables = {name: os.environ[f"AVISO_{name.upper()}"] for name in SETTINGS}
    try:
        for operation, *names in ORDER:
            run(operation, variables)
            printed = capsys.readouterr().out
            for name in names:
                variables[snake(name)] = first(ID, printed)
            prepare_next(operation, printed, client, variables)
    finally:
        with contextlib.suppress(KeyError, NotFoundError):  # gone, unless a sample failed
            client.users.delete(variables["user_id"])


def run(operation: str, variables: dict[str, str]) -> None:
    try:
        runpy.run_path(str(SNIPPETS / "python" / f"{operation}.py"), init_globals=variables)
    except ConflictError as error:
        if error.code != "cancellation_not_withdrawable":  # the letter may be gone already
            raise


def prepare_next(operation: str, printed: str, client: Aviso, variables: dict[str, str]) -> None:
    """Do what has to happen between this sample and the next."""
    if operation == "acceptTerms":
        for terms in client.terms.list():
            client.user(variables["user_id"]).terms.accept(terms_type=terms.terms_type, version=terms.version)
    elif operation == "createConnection":
        approve(first(r"http\S+", printed), "anna")
        connections = client.user(variables["user_id"]).connections
        wait_until(lambda: connections.get(variables["connection_id"]).last_success_at.year > 1)
    elif operation == "simulateEvent":
        wait_until(lambda: client.webhooks.list_delivery_attempts(variables["subscription_id"]).page().items)


def wait_until(there: Callable[[], object]) -> None:
    until = time.monotonic() + 60
    while not there():
        assert time.monotonic() < until
        time.sleep(0.2)


# IDs are UUIDs, but an export's is longer.
ID = r"[0-9a-f]{8}-[0-9a-f-]{27}|(?m:^[\w-]{60,}$)"


def first(pattern: str, printed: str) -> str:
    found = re.search(pattern, printed)
    assert found, f"printed: {printed}"
    return found[0]


def snake(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)
