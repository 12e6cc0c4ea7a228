package backlottest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

const videos = "/provB/api/v3/contents/generations/tasks"

// command is that of BACKLOT_COMMAND: words, one a line.
func command() Option {
	if words := os.Getenv("BACKLOT_COMMAND"); words != "" {
		return Command(strings.Split(words, "\n")...)
	}
	return Command("npx", "backlot")
}

// TestMain shares an emulator between the tests, for which each of them would start its own.
func TestMain(m *testing.M) {
	t := &recorder{TB: nil}
	base := Start(t, command()).URL
	os.Setenv("BACKLOT_URL", base)
	code := m.Run()
	t.end()
	os.Exit(code)
}

// recorder is a test that is looked at: what it logs, and whether it failed.
type recorder struct {
	testing.TB
	cleanups []func()
	said     []string
	failed   bool
}

func (r *recorder) Helper()             {}
func (r *recorder) Cleanup(run func())  { r.cleanups = append(r.cleanups, run) }
func (r *recorder) Failed() bool        { return r.failed }
func (r *recorder) Log(values ...any)   { r.said = append(r.said, fmt.Sprint(values...)) }
func (r *recorder) Fatal(values ...any) { r.failed = true; panic(fmt.Sprint(values...)) }
func (r *recorder) text() string        { return strings.Join(r.said, "\n") }
func (r *recorder) Errorf(f string, v ...any) {
	r.failed = true
	r.said = append(r.said, fmt.Sprintf(f, v...))
}
func (r *recorder) Fatalf(f string, v ...any) { r.failed = true; panic(fmt.Sprintf(f, v...)) }
func (r *recorder) end() {
	for i := len(r.cleanups) - 1; i >= 0; i-- {
		r.cleanups[i]()
	}
}

func call(t *testing.T, a *Account, method, path, body string) (int, Fields) {
	t.Helper()
	request, err := http.NewRequest(method, a.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+a.Key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer := Fields{}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, answer
}

func create(t *testing.T, a *Account, more string) (int, string) {
	t.Helper()
	status, answer := call(t, a, "POST", videos,
		`{"model":"videoa-2-0-260128","content":[{"type":"text","text":"a lighthouse"}]`+more+`}`)
	id, _ := answer["id"].(string)
	return status, id
}

func TestAVideoIsMadeAfterARefusal(t *testing.T) {
	account := Start(t)
	account.Fail("b-video-task.create", "ServerOverloaded", 1)
	if status, _ := create(t, account, ""); status != 429 {
		t.Fatal(status)
	}
	_, id := create(t, account, `,"callback_url":"`+account.InboxURL("mine")+`"`)
	account.AdvanceToIdle()
	if task := account.WaitForTask(id); task["status"] != "succeeded" {
		t.Fatal(task)
	}
	account.WaitFor("inbox", Fields{"name": "mine", "timeout": "20s"})
	account.WaitFor("idle", nil)
	if calls := account.Requests(Fields{"operation": "b-video-task.create"}); len(calls) != 2 {
		t.Fatal(calls)
	}
}

func TestTheClockIsAdvanced(t *testing.T) {
	account := Start(t)
	account.Control("clock.change", Fields{"mode": "paused"})
	before := account.Control("clock.read", nil)["now"].(string)
	after := account.Advance(10 * time.Minute)["now"].(string)
	begin, _ := time.Parse(time.RFC3339, before)
	end, _ := time.Parse(time.RFC3339, after)
	if end.Sub(begin) != 10*time.Minute {
		t.Fatal(before, after)
	}
}

func TestResultsTasksAndFindingsAreRead(t *testing.T) {
	account := Start(t)
	account.Control("clock.change", Fields{"mode": "paused"})
	_, id := create(t, account, "")
	account.Pause(time.Hour)
	if tasks := account.Tasks(Fields{"status": "succeeded"}); len(tasks) != 1 || tasks[0]["id"] != id {
		t.Fatal(tasks)
	}
	if results := account.Results(nil); len(results) != 1 || results[0]["task"] != id {
		t.Fatal(results)
	}
	ended := account.AdvanceToNextExpiry()["ended"].(map[string]any)
	if ended["total"] != 1.0 {
		t.Fatal(ended)
	}
	kinds := []any{}
	for _, finding := range account.Findings() {
		kinds = append(kinds, finding["kind"])
	}
	if len(kinds) == 0 {
		t.Fatal("a task whose result was never fetched is a finding")
	}
}

func TestLooseEndsFailATestWithTheTimeline(t *testing.T) {
	r := &recorder{}
	account := Start(r)
	account.Fail("b-video-task.create", "ServerOverloaded", 1)
	call(t, account, "GET", "/nothing", "")
	r.end()
	for _, text := range []string{"Calls that the service does not have:", "step 1 of fail-b-video-task-create", "What happened", "GET /nothing"} {
		if !r.failed || !strings.Contains(r.text(), text) {
			t.Errorf("%q is not in %s", text, r.text())
		}
	}
}

func TestLooseEndsThatAreAllowedDoNot(t *testing.T) {
	r := &recorder{}
	call(t, Start(r, Allow("unexpected-calls")), "GET", "/nothing", "")
	r.end()
	if r.failed || r.text() != "" {
		t.Fatal(r.text())
	}
}

func TestFindingsFailATestWhereTheyAreAskedFor(t *testing.T) {
	others := Allow("abandoned-task", "never-fetched")
	for _, one := range []struct {
		options []Option
		fails   bool
	}{
		{[]Option{others}, false},
		{[]Option{others, Verdict()}, true},
		{[]Option{others, Verdict(), Allow("ignored-fields")}, false},
	} {
		r := &recorder{}
		create(t, Start(r, one.options...), `,"colour":"red"`)
		r.end()
		if r.failed != one.fails || strings.Contains(r.text(), "ignored-fields: ") != one.fails {
			t.Error(one.fails, r.text())
		}
	}
}

func TestARefusalFailsTheTestWithItsReason(t *testing.T) {
	r := &recorder{}
	account := Start(r)
	defer r.end()
	defer func() {
		if text := fmt.Sprint(recover()); !strings.Contains(text, "b-video-task.create") {
			t.Fatal(text)
		}
	}()
	account.Requests(Fields{"operation": "b-video-task.creat"})
}

func TestAStartThatFailsSaysWhy(t *testing.T) {
	t.Setenv("BACKLOT_URL", "")
	defer func() {
		if text := fmt.Sprint(recover()); !strings.Contains(text, "--clock") {
			t.Fatal(text)
		}
	}()
	Start(&recorder{}, command(), Options("--clock", "backwards"))
}
