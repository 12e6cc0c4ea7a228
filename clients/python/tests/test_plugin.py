"""The plug-in, in sessions of pytest of its own."""

import ast
import json
import re
import shlex
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from pytest_backlot import BacklotError, Emulator, report

PACKAGE = Path(__file__).parent.parent / "pytest_backlot"


@pytest.fixture
def run(pytester, backlot, monkeypatch):
    """Runs a test file in a process of its own, beside the same emulator."""
    monkeypatch.setenv("BACKLOT_URL", backlot.url)
    if backlot.token:
        monkeypatch.setenv("BACKLOT_CONTROL_TOKEN", backlot.token)
    monkeypatch.setenv("PYTHONPATH", str(PACKAGE.parent))

    def run_file(text, *options):
        pytester.makepyfile("import requests\nimport pytest\n" + text)
        return pytester.runpytest_subprocess("-p", "pytest_backlot.plugin", *options)

    return run_file


CALLS_NOTHING = "    requests.get(backlot_account.url + '/nothing', headers=backlot_account.headers)\n"


def test_a_test_that_leaves_a_loose_end_is_an_error(run):
    result = run("def test_it(backlot_account):\n" + CALLS_NOTHING)
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*Calls that the service does not have:*", "*GET /nothing*404*"])


def test_a_mark_allows_it(run):
    result = run("@pytest.mark.backlot(allow=['unexpected-calls'])\ndef test_it(backlot_account):\n" + CALLS_NOTHING)
    result.assert_outcomes(passed=1)


def test_an_unknown_option_of_the_mark_is_an_error(run):
    result = run("@pytest.mark.backlot(alow=['unexpected-calls'])\ndef test_it(backlot_account):\n    pass\n")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*takes allow, forbid, verdict by name; found*alow*"])


def test_a_failed_test_shows_the_timeline_and_no_loose_ends(run):
    result = run("def test_it(backlot_account):\n" + CALLS_NOTHING + "    assert False\n")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*Backlot timeline*", "*GET /nothing*404*"])


def test_each_test_has_an_account_of_its_own(run):
    calls = "    assert backlot_account.requests() == []\n" + CALLS_NOTHING
    result = run("pytestmark = pytest.mark.backlot(allow=['unexpected-calls'])\n" + "".join(
        f"def test_{name}(backlot_account):\n{calls}" for name in "ab"
    ))
    result.assert_outcomes(passed=2)


def test_the_test_of_the_page_passes(run):
    page = (PACKAGE.parents[2] / "docs" / "other-languages.md").read_text()
    [text] = [block for block in re.findall(r"```py\n(.*?)```", page, re.DOTALL) if "backlot_account" in block]
    run(text).assert_outcomes(passed=1)


FINDING = {"kind": "hammered", "message": "Ten calls in a second.", "advice": "Pause.", "docs": "docs/verdict.md#hammered", "calls": []}


class Judge(BaseHTTPRequestHandler):
    """An emulator that finds something about every client."""

    def do_GET(self):
        body = json.dumps({"status": "ok"} if self.path.endswith("/health") else {"items": []}).encode()
        self.answer(body)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(json.dumps({"verdict": [FINDING], "timeline": []}).encode())

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def test_a_verdict_fails_a_test_where_it_is_asked_for(run, monkeypatch):
    server = HTTPServer(("127.0.0.1", 0), Judge)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("BACKLOT_URL", f"http://127.0.0.1:{server.server_port}")
    try:
        result = run(
            "def test_default(backlot_account):\n    pass\n"
            "@pytest.mark.backlot(verdict=True)\ndef test_judged(backlot_account):\n    pass\n"
            "@pytest.mark.backlot(verdict=True, allow=['hammered'])\ndef test_allowed(backlot_account):\n    pass\n"
        )
        result.assert_outcomes(passed=3, errors=1)
        result.stdout.fnmatch_lines(["*hammered: Ten calls in a second.*"])
        run("def test_it(backlot_account):\n    pass\n", "-o", "backlot_verdict=true").assert_outcomes(passed=1, errors=1)
    finally:
        server.shutdown()
        server.server_close()


def test_an_emulator_without_a_verdict_has_no_findings():
    assert report({"unexpectedCalls": []}, verdict=True) == ""


def test_an_emulator_is_started_and_stopped(pytestconfig):
    with Emulator.start(shlex.split(pytestconfig.getini("backlot_command")), ["--clock", "paused"]) as emulator:
        assert emulator.account().clock.read()["mode"] == "paused"
    with pytest.raises(BacklotError, match="No emulator answers"):
        emulator.control("health.read")


def test_a_start_that_fails_says_why(pytestconfig):
    with pytest.raises(BacklotError, match=r"(?s)--clock.*npm install --save-dev backlot"):
        Emulator.start(shlex.split(pytestconfig.getini("backlot_command")), ["--clock", "backwards"])
    with pytest.raises(BacklotError, match="There is no program no-such-program"):
        Emulator.start(["no-such-program"])


@pytest.mark.parametrize("file", ["__init__.py", "plugin.py"])
def test_the_sources_are_python_3_9(file):
    ast.parse((PACKAGE / file).read_text(), feature_version=(3, 9))


@pytest.mark.skipif(sys.version_info < (3, 10), reason="sys.stdlib_module_names is of 3.10")
def test_the_client_needs_the_standard_library_alone():
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    names = {alias.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {(node.module or "").split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert names <= set(sys.stdlib_module_names)
