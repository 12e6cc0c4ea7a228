// Package backlottest gives a test an account on Backlot, an emulator of an image and video generation service:
//
//	account := backlottest.Start(t)
//	account.Fail("b-video-task.create", "ServerOverloaded", 1)
//	// The code under test calls account.URL with account.Key.
//
// At the end of a test that passed, its loose ends fail it; the log of a failed test has the timeline. The names of actions
// and of fields are those of docs/control-api.md.
package backlottest

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// generated: routes

// Routes has the route of each control action, below /_backlot.
var Routes = map[string]string{
	"health.read":         "GET /health",
	"doctor.read":         "GET /doctor",
	"metrics.read":        "GET /metrics",
	"openapi.read":        "GET /openapi.json",
	"gaps.list":           "GET /gaps",
	"rules.list":          "GET /rules",
	"fixtures.list":       "GET /fixtures",
	"clock.read":          "GET /clock",
	"clock.change":        "PUT /clock",
	"clock.advance":       "POST /clock/advance",
	"recording.read":      "GET /requests",
	"requests.list":       "GET /requests",
	"requests.read":       "GET /requests/:id",
	"tasks.list":          "GET /tasks",
	"tasks.read":          "GET /tasks/:id",
	"tasks.force":         "PATCH /tasks/:id",
	"callbacks.list":      "GET /callbacks",
	"callbacks.read":      "GET /callbacks/:id",
	"callbacks.redeliver": "POST /callbacks/:id/redeliver",
	"inbox.list":          "GET /inbox",
	"inbox.read":          "GET /inbox/:name",
	"results.list":        "GET /results",
	"operations.list":     "GET /operations",
	"dry-run":             "POST /dry-run",
	"profile.read":        "GET /profile",
	"scenarios.list":      "GET /scenarios",
	"scenarios.words":     "GET /scenarios/words",
	"scenarios.check":     "POST /scenarios/check",
	"scenario.read":       "GET /scenario",
	"scenario.play":       "PUT /scenario",
	"scenario.stop":       "DELETE /scenario",
	"events.read":         "GET /events",
	"accounts.list":       "GET /accounts",
	"account.read":        "GET /account",
	"account.change":      "PATCH /account",
	"reset":               "POST /reset",
	"snapshots.take":      "POST /snapshots",
	"snapshots.list":      "GET /snapshots",
	"snapshots.remove":    "DELETE /snapshots/:id",
	"snapshots.restore":   "POST /snapshots/:id/restore",
	"state.read":          "GET /state",
	"state.write":         "PUT /state",
	"timeline.read":       "GET /timeline",
	"loose-ends.read":     "GET /loose-ends",
	"verdict.read":        "GET /verdict",
	"finish":              "POST /finish",
	"wait":                "GET /wait",
}

// end of generated

// Fields is a JSON object: the input or the answer of a control action.
type Fields = map[string]any

// Account is that of an API key, on a running emulator. Its methods fail the test where the emulator refuses.
type Account struct {
	// URL is the base URL of the emulator.
	URL string
	// Key is sent by clients as "Authorization: Bearer KEY".
	Key string

	t       testing.TB
	token   string
	allowed map[string]bool
}

// Option changes what Start does.
type Option func(*config)

type config struct {
	command []string
	options []string
	allowed map[string]bool
}

// Command sets the program that starts an emulator; default: npx --no backlot, which installs nothing.
func Command(words ...string) Option { return func(c *config) { c.command = words } }

// Options sets the options of "backlot start"; default: --clock on-poll.
func Options(words ...string) Option { return func(c *config) { c.options = words } }

// Allow names what does not fail the test: unexpected-calls, undelivered-callbacks, unused-steps, or the kind of a finding.
func Allow(kinds ...string) Option {
	return func(c *config) {
		for _, kind := range kinds {
			c.allowed[kind] = true
		}
	}
}

// Verdict lets what the client did and a robust client does not do (docs/verdict.md) fail the test.
func Verdict() Option { return func(c *config) { c.allowed["verdict"] = false } }

// Start gives the test an account of its own, on the emulator of BACKLOT_URL (with BACKLOT_CONTROL_TOKEN), or else on one that
// runs until the end of the test.
func Start(t testing.TB, options ...Option) *Account {
	t.Helper()
	c := &config{
		command: []string{"npx", "--no", "backlot"},
		options: []string{"--clock", "on-poll"},
		allowed: map[string]bool{"verdict": true},
	}
	for _, option := range options {
		option(c)
	}
	base := os.Getenv("BACKLOT_URL")
	if base == "" {
		base = startProcess(t, append(append(c.command, "start", "--port", "0", "--json"), c.options...))
	}
	account := &Account{
		URL: strings.TrimRight(base, "/"), Key: newKey(t), t: t, token: os.Getenv("BACKLOT_CONTROL_TOKEN"), allowed: c.allowed,
	}
	account.Control("health.read", nil)
	t.Cleanup(account.finish)
	return account
}

func newKey(t testing.TB) string {
	random := make([]byte, 6)
	if _, err := rand.Read(random); err != nil {
		t.Fatal(err)
	}
	return "test-" + hex.EncodeToString(random)
}

// Control does a control action by its name (Routes), with the fields of its input. Its answer.
func (a *Account) Control(action string, fields Fields) Fields {
	a.t.Helper()
	answer, status, err := a.TryControl(action, fields)
	if err != nil {
		a.t.Fatalf("backlot: %s: %v", action, err)
	}
	if status >= 300 {
		problem, _ := answer["error"].(Fields)
		a.t.Fatalf("backlot: %s: %d: %v %v", action, status, problem["message"], problem["hint"])
	}
	return answer
}

var parameter = regexp.MustCompile(`:(\w+)`)

// TryControl is Control for a refusal that is expected: the answer and its status, or an error where there is no answer.
func (a *Account) TryControl(action string, fields Fields) (Fields, int, error) {
	route, isKnown := Routes[action]
	if !isKnown {
		return nil, 0, fmt.Errorf("there is no control action %q", action)
	}
	method, path, _ := strings.Cut(route, " ")
	given := Fields{}
	for name, value := range fields {
		given[name] = value
	}
	path = parameter.ReplaceAllStringFunc(path, func(name string) string {
		value := fmt.Sprint(given[name[1:]])
		delete(given, name[1:])
		return url.PathEscape(value)
	})
	query := url.Values{}
	for name, value := range given {
		if method == "GET" || method == "DELETE" || name == "all" {
			query.Set(name, fmt.Sprint(value))
			delete(given, name)
		}
	}
	body, err := json.Marshal(given)
	if err != nil {
		return nil, 0, err
	}
	request, err := http.NewRequest(method, a.URL+"/_backlot"+path+"?"+query.Encode(), nil)
	if err != nil {
		return nil, 0, err
	}
	if method != "GET" && method != "DELETE" {
		request.Body = io.NopCloser(bytes.NewReader(body))
		request.ContentLength = int64(len(body))
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("Authorization", "Bearer "+a.Key)
	if a.token != "" {
		request.Header.Set("X-Backlot-Token", a.token)
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer response.Body.Close()
	answer := Fields{}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, response.StatusCode, fmt.Errorf("the answer is no JSON object: %w", err)
	}
	return answer, response.StatusCode, nil
}

// The emulator is on this machine or near it: it is never asked for through a proxy.
var client = &http.Client{Timeout: 10 * time.Minute, Transport: &http.Transport{}}

// Advance moves the clock by a duration.
func (a *Account) Advance(by time.Duration) Fields {
	a.t.Helper()
	return a.Control("clock.advance", Fields{"by": by.Milliseconds()})
}

// AdvanceToIdle moves the clock until nothing is left to happen.
func (a *Account) AdvanceToIdle() Fields {
	a.t.Helper()
	return a.Control("clock.advance", Fields{"to": "idle"})
}

// AdvanceToNextExpiry moves the clock to the end of the next result URL.
func (a *Account) AdvanceToNextExpiry() Fields {
	a.t.Helper()
	return a.Control("clock.advance", Fields{"to": "next-expiry"})
}

// Pause is a pause to hand to a client in place of time.Sleep: it moves the clock, and takes no time.
func (a *Account) Pause(length time.Duration) {
	a.t.Helper()
	a.Advance(length)
}

// Play plays a ready-made scenario by its name.
func (a *Account) Play(name string) {
	a.t.Helper()
	a.Control("scenario.play", Fields{"name": name})
}

// PlayDocument plays a scenario that is given as a document.
func (a *Account) PlayDocument(document Fields) {
	a.t.Helper()
	a.Control("scenario.play", document)
}

var noWord = regexp.MustCompile(`[^a-z0-9]+`)

// Fail refuses the next calls of an operation with an error. The test fails if they do not come.
func (a *Account) Fail(operation, failure string, times int) {
	a.t.Helper()
	a.PlayDocument(Fields{
		"name":        "fail-" + noWord.ReplaceAllString(strings.ToLower(operation+"-"+failure), "-"),
		"description": operation + " is refused with " + failure + ".",
		"steps": []Fields{{
			"when":     Fields{"operation": operation},
			"then":     Fields{"answer": Fields{"error": failure}},
			"times":    times,
			"required": true,
		}},
	})
}

// WaitForTask waits in real time, 5 s at most, until a task has ended. Its TaskRecord.
func (a *Account) WaitForTask(id string) Fields {
	a.t.Helper()
	return a.Control("wait", Fields{"for": "task", "id": id})
}

// WaitFor waits in real time for a request, callback, inbox or idle, with the fields of the action wait. Its answer.
func (a *Account) WaitFor(what string, fields Fields) Fields {
	a.t.Helper()
	given := Fields{"for": what}
	for name, value := range fields {
		given[name] = value
	}
	return a.Control("wait", given)
}

// Requests gives the RequestRecords of the calls that fit, newest first.
func (a *Account) Requests(filter Fields) []Fields {
	a.t.Helper()
	return items(a.Control("requests.list", filter), "items")
}

// Tasks gives the TaskRecords that fit, newest first.
func (a *Account) Tasks(filter Fields) []Fields {
	a.t.Helper()
	return items(a.Control("tasks.list", filter), "items")
}

// Results gives the ResultRecords of the pictures and videos that fit.
func (a *Account) Results(filter Fields) []Fields {
	a.t.Helper()
	return items(a.Control("results.list", filter), "items")
}

// Findings gives the verdict so far: what the client did that a robust client does not do, the gravest first.
func (a *Account) Findings() []Fields {
	a.t.Helper()
	return items(a.Control("verdict.read", Fields{}), "items")
}

// InboxURL is the URL of a receiver of callbacks within the emulator.
func (a *Account) InboxURL(name string) string {
	return a.URL + "/_backlot/inbox/" + url.PathEscape(name)
}

// The fields of the loose ends, by the words of Allow, with their headings.
var kinds = []struct{ word, field, title string }{
	{"unexpected-calls", "unexpectedCalls", "Calls that the service does not have"},
	{"undelivered-callbacks", "undeliveredCallbacks", "Callbacks that their receiver has not accepted"},
	{"unused-steps", "unusedSteps", "Required steps of scenarios that have not acted"},
	{"verdict", "verdict", "The client did not behave"},
}

// finish fails the test with its loose ends, unless it failed already, and logs the timeline of a test that failed.
func (a *Account) finish() {
	a.t.Helper()
	timeline := items(a.Control("timeline.read", nil), "items")
	ends := a.Control("finish", nil)
	if !a.t.Failed() {
		for _, kind := range kinds {
			if text := a.text(items(ends, kind.field)); text != "" && !a.allowed[kind.word] {
				a.t.Errorf("%s:%s", kind.title, text)
			}
		}
	}
	if a.t.Failed() {
		lines := []string{"What happened on the account:"}
		for _, item := range timeline {
			lines = append(lines, fmt.Sprintf("  %v  %v", item["at"], item["says"]))
		}
		a.t.Log(strings.Join(lines, "\n"))
	}
}

// text has a line for each end, from the first of these fields that it has; findings of allowed kinds are left out.
func (a *Account) text(ends []Fields) string {
	text := ""
	for _, end := range ends {
		if kind, _ := end["kind"].(string); a.allowed[kind] {
			continue
		}
		switch {
		case end["explanation"] != nil:
			text += fmt.Sprintf("\n  %v", end["explanation"])
		case end["message"] != nil:
			text += fmt.Sprintf("\n  %v: %v %v (%v)", end["kind"], end["message"], end["advice"], end["docs"])
		case end["scenario"] != nil && end["step"] != nil:
			text += fmt.Sprintf("\n  step %v of %v", end["step"], end["scenario"])
		default:
			text += fmt.Sprintf("\n  %v of %v to %v: %v", end["status"], end["taskId"], end["url"], end["state"])
		}
	}
	return text
}

func items(answer Fields, field string) []Fields {
	list, _ := answer[field].([]any)
	all := make([]Fields, 0, len(list))
	for _, item := range list {
		if fields, isObject := item.(Fields); isObject {
			all = append(all, fields)
		}
	}
	return all
}

// startProcess starts an emulator that stops at the end of the test, and gives its URL.
func startProcess(t testing.TB, words []string) string {
	t.Helper()
	process := exec.Command(words[0], words[1:]...)
	var said bytes.Buffer
	process.Stderr = &said
	output, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatalf("backlot: %v. Install Node.js, or name an emulator in BACKLOT_URL.", err)
	}
	lines := bufio.NewReader(output)
	ended := make(chan struct{})
	for {
		line, err := lines.ReadString('\n')
		var event struct {
			Event, URL string
			PID        int
		}
		if json.Unmarshal([]byte(line), &event) == nil && event.Event == "ready" {
			go func() {
				// A pipe that nothing reads would stop the emulator; its end is that of the last process.
				_, _ = io.Copy(io.Discard, lines)
				close(ended)
			}()
			t.Cleanup(func() {
				stop(event.PID, ended)
				_ = process.Wait()
			})
			return event.URL
		}
		if err != nil {
			_ = process.Wait()
			t.Fatalf("backlot: the emulator did not start (%s): %s\nIs the package there (npm install --save-dev backlot)? BACKLOT_URL names an emulator that runs already.",
				strings.Join(words, " "), strings.TrimSpace(said.String()))
		}
	}
}

// stop ends the emulator itself, which is no child where npx has started it; at once where it does not stop in time.
func stop(pid int, ended <-chan struct{}) {
	emulator, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	// Windows has no signals.
	if emulator.Signal(os.Interrupt) != nil {
		_ = emulator.Kill()
	}
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		_ = emulator.Kill()
	}
}
