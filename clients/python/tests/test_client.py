"""The client, with what Python programs call services with: requests and httpx."""

from datetime import datetime

import httpx
import pytest
import requests

from pytest_backlot import ROUTES, BacklotError, LooseEnds

VIDEOS = "/provB/api/v3/contents/generations/tasks"
VIDEO = {"model": "videoa-2-0-260128", "content": [{"type": "text", "text": "a lighthouse"}]}


def _time(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def create_with_requests(account, path=VIDEOS, body=VIDEO):
    answer = requests.post(account.url + path, json=body, headers=account.headers, timeout=30)
    return answer.status_code, answer.json()


def create_with_httpx(account, path=VIDEOS, body=VIDEO):
    answer = httpx.post(account.url + path, json=body, headers=account.headers, timeout=30, trust_env=False)
    return answer.status_code, answer.json()


@pytest.fixture(params=[create_with_requests, create_with_httpx])
def create(request):
    return request.param


def test_a_video_is_made_when_the_clock_is_advanced(backlot_account, create):
    backlot_account.clock.change(mode="paused")
    status, task = create(backlot_account)
    assert status == 200
    assert [one["id"] for one in backlot_account.tasks()] == [task["id"]]
    happened = backlot_account.clock.advance(to="idle")
    assert happened["totals"]["task"] == 2
    assert backlot_account.wait_for_task(task["id"])["status"] == "succeeded"
    backlot_account.wait_for_idle()


def test_an_advance_by_a_duration(backlot_account):
    backlot_account.clock.change(mode="paused")
    before = backlot_account.clock.read()["now"]
    assert backlot_account.clock.advance("10m")["now"] > before


def test_a_pause_moves_the_clock_and_takes_no_time(backlot_account):
    backlot_account.clock.change(mode="paused")
    before = backlot_account.clock.read()["now"]
    backlot_account.pause(3600.5)
    after = backlot_account.clock.read()["now"]
    assert (_time(after) - _time(before)).total_seconds() == 3600.5


def test_results_are_listed_until_the_end_of_their_urls(backlot_account, create):
    backlot_account.clock.change(mode="paused")
    _, task = create(backlot_account)
    assert backlot_account.results() == []
    backlot_account.clock.advance(to="idle")
    [result] = backlot_account.results(task=task["id"])
    assert result["task"] == task["id"]
    ended = backlot_account.clock.advance(to="next-expiry")["ended"]
    assert [one["task"] for one in ended["urls"]] == [task["id"]]


def test_a_call_is_tried_before_it_is_sent_and_explained_after(backlot_account):
    tried = backlot_account.dry_run("b-video-task.create", {**VIDEO, "duration": 99})
    assert tried["status"] == 400
    assert backlot_account.requests() == []
    answer = requests.post(
        backlot_account.url + VIDEOS, json={**VIDEO, "duration": 99}, headers=backlot_account.headers, timeout=30
    )
    assert "duration" in " ".join(backlot_account.explain(answer.headers["X-Request-Id"]))


def test_the_next_call_is_refused(backlot_account, create):
    backlot_account.fail("b-video-task.create", "ServerOverloaded")
    status, _ = create(backlot_account)
    assert status == 429
    assert create(backlot_account)[0] == 200
    [newest, oldest] = backlot_account.wait_for_request(count=2, operation="b-video-task.create")
    assert sorted([newest["status"], oldest["status"]]) == [200, 429]
    assert [one["status"] for one in backlot_account.requests(status=429)] == [429]


def test_a_ready_made_scenario_a_file_and_a_document(backlot_account, tmp_path):
    document = {
        "name": "mine",
        "description": "One create is refused.",
        "steps": [{"when": {"operation": "b-video-task.create"}, "then": {"answer": {"error": "ServerOverloaded"}}}],
    }
    file = tmp_path / "mine.yaml"
    file.write_text(
        "name: of-a-file\ndescription: One create is refused.\nsteps:\n"
        "  - when: { operation: b-video-task.create }\n    then: { answer: { error: ServerOverloaded } }\n"
    )
    backlot_account.play("callback-lost")
    backlot_account.play(file)
    playing = backlot_account.play(document)
    assert {one["name"] for one in playing} == {"callback-lost", "of-a-file", "mine"}
    assert {one["name"] for one in backlot_account.stop("mine")} == {"callback-lost", "of-a-file"}
    file.write_text("name: of-a-file\nsteps: 3\n")
    with pytest.raises(BacklotError, match="is no scenario"):
        backlot_account.play(str(file))
    assert backlot_account.stop() == []


def test_a_callback_comes_to_the_inbox(backlot_account):
    _, task = create_with_requests(backlot_account, body={**VIDEO, "callback_url": backlot_account.inbox_url("mine")})
    backlot_account.clock.advance(to="idle")
    messages = backlot_account.wait_for_inbox("mine", timeout="20s")
    assert messages[0]["body"]["id"] == task["id"]
    assert backlot_account.wait_for_callback(taskId=task["id"])[0]["taskId"] == task["id"]
    assert backlot_account.callbacks(taskId=task["id"], state="delivered") != []


def test_a_task_is_ended_by_hand(backlot_account):
    backlot_account.clock.change(mode="paused")
    _, task = create_with_requests(backlot_account)
    assert backlot_account.force(task["id"], "succeeded")["status"] == "succeeded"


def test_an_account_is_changed(backlot_account):
    assert backlot_account.change(balance=0)["balance"] == 0


def test_a_wait_that_is_not_met_says_what_there_is(backlot_account):
    with pytest.raises(BacklotError) as error:
        backlot_account.wait_for_request(timeout="1ms", operation="b-video-task.create")
    assert error.value.status == 408


def test_a_misspelt_operation_is_refused_with_the_right_name(backlot_account):
    with pytest.raises(BacklotError, match="b-video-task.create") as error:
        backlot_account.requests(operation="b-video-task.creat")
    assert error.value.status == 400


def test_loose_ends_are_raised_with_the_timeline(backlot):
    account = backlot.account()
    account.fail("b-video-task.create", "ServerOverloaded")
    requests.get(account.url + "/v1/vidoes", headers=account.headers, timeout=30)
    with pytest.raises(LooseEnds) as error:
        account.check()
    text = str(error.value)
    assert "Calls that the service does not have:" in text
    assert "Required steps of scenarios that have not acted:" in text
    assert "GET /v1/vidoes" in text.split("What happened")[1]
    assert account.check()["timeline"] == []


def test_loose_ends_that_are_allowed_are_not_raised(backlot):
    account = backlot.account()
    requests.get(account.url + "/v1/vidoes", headers=account.headers, timeout=30)
    assert account.check(allow=["unexpected-calls"])["unexpectedCalls"] != []


def test_abandoned_tasks_are_raised_where_they_are_forbidden(backlot):
    account = backlot.account()
    account.clock.change(mode="paused")
    _, task = create_with_requests(account)
    with pytest.raises(LooseEnds, match=task["id"]):
        account.check(forbid=["abandoned-tasks"])
    with pytest.raises(BacklotError, match="abandoned-tasks"):
        account.check(forbid=["unexpected-calls"])


def test_findings_about_the_client_are_raised_where_they_are_asked_for(backlot):
    for given, is_raised in [({}, False), ({"verdict": True}, True), ({"verdict": True, "allow": ["ignored-fields"]}, False)]:
        account = backlot.account()
        account.clock.change(mode="paused")
        create_with_requests(account, body={**VIDEO, "colour": "red"})
        assert "ignored-fields" in [one["kind"] for one in account.verdict()]
        others = [one["kind"] for one in account.verdict() if one["kind"] != "ignored-fields"]
        given = {**given, "allow": [*given.get("allow", []), *others]}
        if is_raised:
            with pytest.raises(LooseEnds, match="ignored-fields: .*colour"):
                account.check(**given)
        else:
            account.check(**given)


def test_every_answer_that_is_no_json_is_text(backlot):
    assert "backlot_" in backlot.control("metrics.read")
    assert backlot.control("health.read")["status"] == "ok"
    assert "finish" in ROUTES
