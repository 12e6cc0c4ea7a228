"""pytest plug-in: the fixtures `backlot` and `backlot_account`, the mark `backlot`, and the timeline of a failed test."""

from __future__ import annotations

import os
import re
import shlex
import uuid
from typing import Any, Generator, Iterator

import pytest

from . import Account, BacklotError, Emulator, LooseEnds

_failed = pytest.StashKey[bool]()
_MARK_OPTIONS = {"allow", "forbid", "verdict"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Settings of pytest.ini."""
    parser.addini("backlot_command", "program that starts an emulator", default="npx --no backlot")
    parser.addini("backlot_options", "options of `backlot start`", default="--clock on-poll")
    parser.addini("backlot_verdict", "findings about the client fail a test", type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    """Declares the mark."""
    config.addinivalue_line(
        "markers",
        "backlot(allow, forbid, verdict): loose ends and findings that a test may leave behind, those that it may not,"
        " and whether findings about the client fail it",
    )


@pytest.fixture(scope="session")
def backlot(pytestconfig: pytest.Config) -> Iterator[Emulator]:
    """The emulator of the session: that of BACKLOT_URL (with BACKLOT_CONTROL_TOKEN), or one that is started here."""
    url = os.environ.get("BACKLOT_URL")
    if url:
        yield Emulator.join(url, os.environ.get("BACKLOT_CONTROL_TOKEN"))
        return
    command, options = (shlex.split(pytestconfig.getini(name)) for name in ("backlot_command", "backlot_options"))
    with Emulator.start(command, options) as emulator:
        yield emulator


@pytest.fixture
def backlot_account(backlot: Emulator, request: pytest.FixtureRequest) -> Iterator[Account]:
    """An account of the test alone. At the end of a test that passed, its loose ends are an error."""
    options = _options(request.node)
    name = re.sub(r"[^A-Za-z0-9]+", "-", request.node.name)[:60].strip("-")
    account = backlot.account(f"{name}-{uuid.uuid4().hex[:8]}")
    yield account
    if request.node.stash.get(_failed, False):
        # Its failure is the news, and its report has the timeline.
        account.finish()
        return
    try:
        account.check(**options)
    except LooseEnds as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None


def _options(item: pytest.Item) -> "dict[str, Any]":
    """The options of the nearest mark, with the setting. Raises UsageError for an unknown one."""
    mark = item.get_closest_marker("backlot")
    given, args = ({}, ()) if mark is None else (dict(mark.kwargs), mark.args)
    wrong = [*args, *sorted({*given} - _MARK_OPTIONS)]
    if wrong:
        raise pytest.UsageError(f"The mark backlot takes {', '.join(sorted(_MARK_OPTIONS))} by name; found {wrong}.")
    return {"verdict": item.config.getini("backlot_verdict"), **given}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[Any]") -> Generator[None, Any, None]:
    """Adds the timeline to the report of a failed test, before its account begins anew."""
    outcome = yield
    result = outcome.get_result()
    if call.when != "call" or not result.failed:
        return
    item.stash[_failed] = True
    account = getattr(item, "funcargs", {}).get("backlot_account")
    if isinstance(account, Account):
        try:
            text = account.timeline()
        except BacklotError as error:
            text = str(error)
        result.sections.append(("Backlot timeline", text))
