"""Client of the control API of Backlot, and the process of an emulator. The fixtures of pytest are in `plugin`.

    emulator = Emulator.start()                     # npx backlot start, on a free port
    account = emulator.account("test-1")            # a key is an account
    account.fail("a-image.create", "ServiceUnavailable")
    ...                                             # the code under test calls emulator.url with account.key
    account.check()                                 # raises LooseEnds, with the timeline
    emulator.close()

Fields of what is given and answered have the names of docs/control-api.md.
"""

from __future__ import annotations

import json
import os
import queue
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request
import uuid
from datetime import datetime
from typing import Any, Collection, Dict, List, Mapping, Optional, Sequence, Union

__all__ = ["Account", "BacklotError", "Clock", "Emulator", "LooseEnds", "ROUTES", "report", "timeline_text"]

# generated: routes
ROUTES: Dict[str, str] = {
    "health.read": "GET /health",
    "doctor.read": "GET /doctor",
    "metrics.read": "GET /metrics",
    "openapi.read": "GET /openapi.json",
    "gaps.list": "GET /gaps",
    "rules.list": "GET /rules",
    "fixtures.list": "GET /fixtures",
    "clock.read": "GET /clock",
    "clock.change": "PUT /clock",
    "clock.advance": "POST /clock/advance",
    "recording.read": "GET /requests",
    "requests.list": "GET /requests",
    "requests.read": "GET /requests/:id",
    "tasks.list": "GET /tasks",
    "tasks.read": "GET /tasks/:id",
    "tasks.force": "PATCH /tasks/:id",
    "callbacks.list": "GET /callbacks",
    "callbacks.read": "GET /callbacks/:id",
    "callbacks.redeliver": "POST /callbacks/:id/redeliver",
    "inbox.list": "GET /inbox",
    "inbox.read": "GET /inbox/:name",
    "results.list": "GET /results",
    "operations.list": "GET /operations",
    "dry-run": "POST /dry-run",
    "profile.read": "GET /profile",
    "scenarios.list": "GET /scenarios",
    "scenarios.words": "GET /scenarios/words",
    "scenarios.check": "POST /scenarios/check",
    "scenario.read": "GET /scenario",
    "scenario.play": "PUT /scenario",
    "scenario.stop": "DELETE /scenario",
    "events.read": "GET /events",
    "accounts.list": "GET /accounts",
    "account.read": "GET /account",
    "account.change": "PATCH /account",
    "reset": "POST /reset",
    "snapshots.take": "POST /snapshots",
    "snapshots.list": "GET /snapshots",
    "snapshots.remove": "DELETE /snapshots/:id",
    "snapshots.restore": "POST /snapshots/:id/restore",
    "state.read": "GET /state",
    "state.write": "PUT /state",
    "timeline.read": "GET /timeline",
    "loose-ends.read": "GET /loose-ends",
    "verdict.read": "GET /verdict",
    "finish": "POST /finish",
    "wait": "GET /wait",
}
"""The route of each control action, below /_backlot."""
# end of generated

_START_SECONDS = 120.0
# npx is told not to install anything: a package of the same name may be somebody else's.
_INSTALL = "Is the package there (npm install --save-dev backlot)? BACKLOT_URL names an emulator that runs already."
_CALL_SECONDS = 600.0
_STOP_SECONDS = 10.0

# Fields of the loose ends, by the names that `allow` and `forbid` take, with their headings.
_KINDS = {
    "unexpected-calls": ("unexpectedCalls", "Calls that the service does not have:"),
    "undelivered-callbacks": ("undeliveredCallbacks", "Callbacks that their receiver has not accepted:"),
    "unused-steps": ("unusedSteps", "Required steps of scenarios that have not acted:"),
    "abandoned-tasks": ("abandonedTasks", "Tasks that have not ended:"),
}
_OFF_BY_DEFAULT = {"abandoned-tasks"}


class BacklotError(Exception):
    """What the emulator refused, or why there is none. `status` is that of the answer: 408 for a wait that was not met; 0: no answer."""

    def __init__(self, message: str, hint: str = "", code: str = "", status: int = 0) -> None:
        super().__init__(f"{message} {hint}".strip())
        self.code = code
        self.hint = hint
        self.status = status


class LooseEnds(AssertionError):
    """What a test left behind, with its timeline. `ends` is the answer of the control action `finish`."""

    def __init__(self, text: str, ends: Mapping[str, Any]) -> None:
        super().__init__(text)
        self.ends = ends


class Emulator:
    """A running emulator, started here or joined."""

    def __init__(self, url: str, token: Optional[str] = None, process: Optional[_Process] = None) -> None:
        self.url = url.rstrip("/")
        self.token = token
        self._process = process

    @classmethod
    def join(cls, url: str, token: Optional[str] = None) -> Emulator:
        """The emulator that answers at a URL. Raises BacklotError where none does."""
        emulator = cls(url, token)
        emulator.control("health.read")
        return emulator

    @classmethod
    def start(cls, command: Sequence[str] = ("npx", "--no", "backlot"), options: Sequence[str] = ("--clock", "on-poll")) -> Emulator:
        """Starts an emulator on a free port: `command` is the program, `options` are those of `backlot start`.

        Raises BacklotError where the program cannot be started or ends, with what it printed.
        """
        process = _Process([*command, "start", "--port", "0", "--json", *options])
        return cls(process.url, os.environ.get("BACKLOT_CONTROL_TOKEN"), process)

    def close(self) -> None:
        """Stops the emulator, if it was started here."""
        if self._process is not None:
            self._process.stop()
            self._process = None

    def __enter__(self) -> Emulator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def account(self, key: Optional[str] = None) -> Account:
        """The account of an API key; a new key by default. It is opened by its first call."""
        return Account(self, key or f"test-{uuid.uuid4().hex[:12]}")

    def control(self, action: str, key: Optional[str] = None, **fields: Any) -> Any:
        """Control action by its name (`ROUTES`), with the fields of its input. The answer: parsed JSON, or text where it is none.

        Raises BacklotError where it is refused, KeyError for an action that does not exist or a missing field of its path.
        """
        method, path = ROUTES[action].split(" ", 1)
        path = re.sub(r":(\w+)", lambda name: urllib.parse.quote(str(fields.pop(name.group(1))), safe=""), path)
        given = {name: value for name, value in fields.items() if value is not None}
        inquery = given if method in ("GET", "DELETE") else {name: given.pop(name) for name in ("all",) if name in given}
        query = urllib.parse.urlencode({name: _query_text(value) for name, value in inquery.items()}, doseq=True)
        request = urllib.request.Request(f"{self.url}/_backlot{path}{'?' if query else ''}{query}", method=method)
        if method not in ("GET", "DELETE"):
            request.data = json.dumps(given).encode()
            request.add_header("Content-Type", "application/json")
        if key is not None:
            request.add_header("Authorization", f"Bearer {key}")
        if self.token is not None:
            request.add_header("X-Backlot-Token", self.token)
        try:
            with _opener.open(request, timeout=_CALL_SECONDS) as response:
                return _read(response)
        except urllib.error.HTTPError as error:
            with error:
                problem = _read(error)
            refused = problem.get("error", {}) if isinstance(problem, dict) else {"message": str(problem)}
            raise BacklotError(
                refused.get("message", str(error)), refused.get("hint") or "", refused.get("code", ""), error.code
            ) from None
        except OSError as error:
            raise BacklotError(f"No emulator answers at {self.url}: {error}.") from error


# The emulator is on this machine or near it: it is never asked for through a proxy.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def _query_text(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value


def _read(response: Any) -> Any:
    text = response.read().decode("utf-8")
    return json.loads(text) if "application/json" in response.headers.get("Content-Type", "") else text


class Clock:
    """The clock of an account."""

    def __init__(self, account: Account) -> None:
        self._account = account

    def read(self) -> Dict[str, Any]:
        """ClockReading: `now`, `mode`, `speed`, `next`."""
        return self._account.control("clock.read")

    def change(self, **change: Any) -> Dict[str, Any]:
        """Changes `mode` (`live`, `paused`, `on-poll`) or `speed`."""
        return self._account.control("clock.change", **change)

    def advance(self, by: Union[str, int, None] = None, to: Optional[str] = None) -> Dict[str, Any]:
        """Moves the clock `by` a duration (`"10m"`, or milliseconds), or `to` a time, `"next"`, `"idle"` or `"next-expiry"`.

        The answer has what happened.
        """
        return self._account.control("clock.advance", by=by, to=to)


class Account:
    """The account of an API key: its clock, scenarios, waits, journal and end."""

    def __init__(self, emulator: Emulator, key: str) -> None:
        self.emulator = emulator
        self.key = key
        self.clock = Clock(self)

    @property
    def url(self) -> str:
        """Base URL of the emulator."""
        return self.emulator.url

    @property
    def headers(self) -> Dict[str, str]:
        """Headers with which a client calls as this account."""
        return {"Authorization": f"Bearer {self.key}"}

    def control(self, action: str, **fields: Any) -> Any:
        """Control action on this account. Raises what `Emulator.control` raises."""
        return self.emulator.control(action, key=self.key, **fields)

    def change(self, **change: Any) -> Dict[str, Any]:
        """Changes the account: `balance`, `agreementAccepted`, `limits`."""
        return self.control("account.change", **change)

    # Scenarios

    def play(self, scenario: Union[str, "os.PathLike[str]", Mapping[str, Any]]) -> List[Dict[str, Any]]:
        """Plays a ready-made scenario by its name, a scenario file (a path), or a document. What plays afterwards.

        Raises BacklotError with what is wrong in the file or document.
        """
        if isinstance(scenario, Mapping):
            return self.control("scenario.play", **scenario)["items"]
        name = os.fspath(scenario)
        if not (isinstance(scenario, os.PathLike) or re.search(r"[/\\]|\.(ya?ml|json)$", name)):
            return self.control("scenario.play", name=name)["items"]
        with open(name, encoding="utf-8") as file:
            checked = self.control("scenarios.check", text=file.read())
        if checked["problems"]:
            raise BacklotError(f"{name} is no scenario: {json.dumps(checked['problems'])}")
        return self.control("scenario.play", **checked["document"])["items"]

    def fail(self, operation: str, error: str, times: int = 1) -> List[Dict[str, Any]]:
        """Refuses the next calls of an operation with an error. The test fails if they do not come."""
        step = {
            "when": {"operation": operation},
            "then": {"answer": {"error": error}},
            "times": times,
            "required": True,
        }
        name = f"fail-{re.sub('[^a-z0-9]+', '-', operation.lower())}-{uuid.uuid4().hex[:6]}"
        return self.play({"name": name, "description": f"{operation} is refused with {error}.", "steps": [step]})

    def stop(self, name: Optional[str] = None) -> List[Dict[str, Any]]:
        """Stops a scenario by its name, or all. What plays afterwards."""
        return self.control("scenario.stop", name=name)["items"]

    # What has happened

    def requests(self, **filters: Any) -> List[Dict[str, Any]]:
        """RequestRecords of the calls, newest first: `operation`, `status`, `path`, `problem`, `limit`."""
        return self.control("requests.list", **filters)["items"]

    def tasks(self, **filters: Any) -> List[Dict[str, Any]]:
        """TaskRecords: `status`, `family`, `limit`."""
        return self.control("tasks.list", **filters)["items"]

    def callbacks(self, **filters: Any) -> List[Dict[str, Any]]:
        """CallbackRecords: `taskId`, `kind`, `status`, `state`, `limit`."""
        return self.control("callbacks.list", **filters)["items"]

    def force(self, task: str, status: str, error: Optional[str] = None) -> Dict[str, Any]:
        """Ends a task now, as `succeeded`, `failed` with the name of an error, and so on. Its TaskRecord."""
        return self.control("tasks.force", id=task, status=status, error=error)

    def results(self, **filters: Any) -> List[Dict[str, Any]]:
        """ResultRecords of the pictures and videos: `task`, `limit`."""
        return self.control("results.list", **filters)["items"]

    def explain(self, request: str) -> List[str]:
        """Why a call was answered as it was, in sentences: the call with this id, which its answer has as X-Request-Id."""
        return self.control("requests.read", id=request)["explanation"]

    def dry_run(self, operation: str, body: Any = None, **call: Any) -> Dict[str, Any]:
        """DryRun: what a call would be answered and would make. Nothing is applied."""
        return self.control("dry-run", operation=operation, body=body, **call)

    def pause(self, seconds: float) -> None:
        """A pause to hand to a client in place of `time.sleep`: it moves the clock, and takes no time."""
        self.clock.advance(round(seconds * 1000))

    def inbox_url(self, name: str) -> str:
        """URL of a receiver of callbacks within the emulator."""
        return f"{self.url}/_backlot/inbox/{urllib.parse.quote(name, safe='')}"

    def verdict(self) -> List[Dict[str, Any]]:
        """Findings: what the client did that a robust client does not do, the gravest first."""
        return self.control("verdict.read")["items"]

    def timeline(self) -> str:
        """Everything that has happened, a line each."""
        return timeline_text(self.control("timeline.read")["items"])

    # Waits, in real time: no clock is moved. A wait that is not met raises BacklotError with status 408 and what happened instead.

    def wait_for_task(self, task: str, status: Optional[str] = None, timeout: str = "5s") -> Dict[str, Any]:
        """The TaskRecord, once the task has the status, or has ended."""
        return self.control("wait", **{"for": "task"}, id=task, status=status, timeout=timeout)

    def wait_for_request(self, count: int = 1, timeout: str = "5s", **filters: Any) -> List[Dict[str, Any]]:
        """RequestRecords, once there are as many that fit."""
        return self.control("wait", **{"for": "request"}, count=count, timeout=timeout, **filters)["items"]

    def wait_for_callback(self, count: int = 1, timeout: str = "5s", **filters: Any) -> List[Dict[str, Any]]:
        """CallbackRecords, once there are as many that fit."""
        return self.control("wait", **{"for": "callback"}, count=count, timeout=timeout, **filters)["items"]

    def wait_for_inbox(self, name: str, count: int = 1, timeout: str = "5s") -> List[Dict[str, Any]]:
        """Messages of an inbox, once there are as many."""
        return self.control("wait", **{"for": "inbox"}, name=name, count=count, timeout=timeout)["items"]

    def wait_for_idle(self, timeout: str = "5s") -> None:
        """Returns once nothing is left to happen."""
        self.control("wait", **{"for": "idle"}, timeout=timeout)

    # The end

    def finish(self) -> Dict[str, Any]:
        """Finished: the loose ends, the `verdict` on the client (empty where the emulator makes none), the `timeline`.

        The account begins anew.
        """
        ends = self.control("finish")
        return {"verdict": [], **ends}

    def check(self, allow: Sequence[str] = (), forbid: Sequence[str] = (), verdict: bool = False) -> Dict[str, Any]:
        """Finishes, and raises LooseEnds where there are any.

        `allow`: kinds of loose ends and of findings that may be. `forbid`: `abandoned-tasks`, which may be otherwise.
        `verdict`: whether findings about the client count.
        """
        for name in forbid:
            if name not in _OFF_BY_DEFAULT:
                raise BacklotError(f"forbid takes {', '.join(sorted(_OFF_BY_DEFAULT))}; found {name!r}.")
        ends = self.finish()
        text = report(ends, {*allow, *(_OFF_BY_DEFAULT - {*forbid})}, verdict)
        if text == "":
            return ends
        raise LooseEnds(f"{text}\n\n{timeline_text(ends['timeline'])}", ends)


def report(ends: Mapping[str, Any], allowed: Collection[str] = (), verdict: bool = False) -> str:
    """Loose ends, and with `verdict` the findings about the client, without the kinds that are allowed; empty: there are none."""
    blocks = []
    for kind, (field, title) in _KINDS.items():
        if kind not in allowed and ends.get(field):
            blocks.append("\n".join([title, *(f"  {_end_text(kind, end)}" for end in ends[field])]))
    findings = [one for one in ends.get("verdict", ()) if one["kind"] not in allowed] if verdict else []
    if findings:
        blocks.append("\n".join(["The client did not behave:", *map(_finding_text, findings)]))
    return "\n\n".join(blocks)


def _end_text(kind: str, end: Mapping[str, Any]) -> str:
    if kind == "unexpected-calls":
        return " ".join(end["explanation"])
    if kind == "undelivered-callbacks":
        attempts = end["attempts"]
        last = attempts[-1] if attempts else {}
        why = end.get("reason") or last.get("error") or f"the receiver answered {last.get('status', 'nothing yet')}"
        return f"{end.get('status') or end['kind']} of {end['taskId']} to {end['url']}: {end['state']}, {why}"
    if kind == "unused-steps":
        says = "" if end["says"] is None else f" ({end['says']})"
        return f"step {end['step']} of {end['scenario']}{says}: {end.get('lastMiss') or 'calls that fitted it: ' + str(end['seen'])}"
    return f"{end['id']} of {end['family']} is {end['status']}."


def _finding_text(finding: Mapping[str, Any]) -> str:
    return f"  {finding['kind']}: {finding['message']}\n    {finding['advice']}\n    {finding['docs']}"


def timeline_text(items: Sequence[Mapping[str, Any]]) -> str:
    """TimelineItems, a line each, with the seconds since the first one. Equal lines in a row are one."""
    if not items:
        return "Nothing has happened on the account."
    runs: List[List[Mapping[str, Any]]] = []
    for item in items:
        if runs and runs[-1][0]["says"] == item["says"]:
            runs[-1].append(item)
        else:
            runs.append([item])
    begin = _seconds(items[0])
    lines = [f"What happened, from {items[0]['at']} on the clock of the account:"]
    for run in runs:
        indent = "" if run[0]["kind"] == "request" else "  "
        again = f", {len(run)} times" if len(run) > 1 else ""
        lines.append(f"  {_seconds(run[0]) - begin:+9.1f} s  {indent}{run[0]['says']}{again}")
    return "\n".join(lines)


def _seconds(item: Mapping[str, Any]) -> float:
    # Python 3.9 reads no Z.
    return datetime.fromisoformat(item["at"].replace("Z", "+00:00")).timestamp()


class _Process:
    """Process of an emulator: its URL once it answers, and its end. It has a process group of its own, since npx starts others."""

    def __init__(self, command: Sequence[str]) -> None:
        program = shutil.which(command[0])
        if program is None:
            raise BacklotError(f"There is no program {command[0]}.", "Install Node.js, or name an emulator in BACKLOT_URL.")
        self._errors = tempfile.TemporaryFile()
        self._popen = subprocess.Popen(
            [program, *command[1:]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=os.name == "posix",
        )
        urls: "queue.Queue[Optional[str]]" = queue.Queue()
        self._reader = threading.Thread(target=self._read_output, args=(urls,), daemon=True)
        self._reader.start()
        try:
            url = urls.get(timeout=_START_SECONDS)
        except queue.Empty:
            url = None
        if url is None:
            self.stop()
            self._errors.seek(0)
            said = self._errors.read().decode(errors="replace").strip()
            raise BacklotError(f"The emulator did not start ({' '.join(command)}): {said or 'it printed nothing'}", _INSTALL)
        self.url = url

    def _read_output(self, urls: "queue.Queue[Optional[str]]") -> None:
        """Puts the URL, or None at the end of the output, and reads on: a pipe that nothing reads would stop the emulator."""
        assert self._popen.stdout is not None
        with self._popen.stdout as output:
            for line in output:
                try:
                    event = json.loads(line)
                except ValueError:
                    continue
                if isinstance(event, dict) and event.get("event") == "ready":
                    urls.put(event["url"])
        urls.put(None)

    def stop(self) -> None:
        """Ends the process and those that it has started. Ends them at once where they do not stop in time."""
        self._signal(signal.SIGTERM)
        # npx may end before the emulator does: the output ends with the last of them.
        self._reader.join(_STOP_SECONDS)
        if self._reader.is_alive():
            self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        self._popen.wait()

    def _signal(self, number: int) -> None:
        if os.name == "posix":
            try:
                os.killpg(self._popen.pid, number)
            except ProcessLookupError:
                pass
        elif self._popen.poll() is None:
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(self._popen.pid)], capture_output=True, check=False)
