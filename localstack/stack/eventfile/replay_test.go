package eventfile_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/app"
	"aviso/internal/app/bootstrap"
	"aviso/localstack/stack"
	"aviso/localstack/stack/eventfile"
	"aviso/localstack/stack/seed"
	"aviso/localstack/tests/testenv"
)

const (
	folder = "../../../events"
	// The operator's commands are replayed in internal/app/operatorfn, because they need
	// other data.
	elsewhere = "operator"
)

// tokenMark is the placeholder for an access token, which is valid for an hour and only on
// the stack that issued it.
const tokenMark = "ACCESS-TOKEN"

// tokenHint begins each event that wants a token. Lambda and the functions ignore the member.
const tokenHint = "{\n  \"comment\": \"Replace ACCESS-TOKEN by the access_token that events/identity/token.json gets: docs/development.md\",\n"

// tokenEvent is the event that requests a token.
const tokenEvent = "identity/token.json"

// file is one event.
type file struct {
	// Name is its path in the events folder, such as identity/token.json.
	Name string
	// Function is the name of its function.
	Function string
	// Event is the content of the file.
	Event []byte
}

// read reads one event. Its folder is named after its function.
func read(path string) (file, error) {
	event, err := os.ReadFile(path)
	if err != nil {
		return file{}, fmt.Errorf("read an event: %w", err)
	}
	if !json.Valid(event) {
		return file{}, fmt.Errorf("%s is not JSON", path)
	}
	function := filepath.Base(filepath.Dir(path))
	return file{Name: function + "/" + filepath.Base(path), Function: function, Event: event}, nil
}

// with returns the event with the token filled in.
func (f file) with(token string) []byte {
	return bytes.ReplaceAll(f.Event, []byte(tokenMark), []byte(token))
}

// newToken gets an access token from the stack whose Lambda API is at endpoint, with the
// event for that in folder.
func newToken(ctx context.Context, endpoint, folder string) (string, error) {
	f, err := read(filepath.Join(folder, tokenEvent))
	if err != nil {
		return "", err
	}
	answer, err := eventfile.Invoke(ctx, endpoint, f.Function, f.Event)
	if err != nil {
		return "", err
	}
	var response struct{ Body string }
	var body struct {
		AccessToken string `json:"access_token"`
	}
	err = errors.Join(json.Unmarshal(answer, &response), json.Unmarshal([]byte(response.Body), &body))
	if err != nil {
		return "", fmt.Errorf("read the response to %s: %w", f.Name, err)
	}
	return body.AccessToken, nil
}

// outcomes are the statuses of responses, to requests with a fresh token if they need one.
// Every other event just has to be handled.
var outcomes = map[string]int{
	"identity/token.json":                         200,
	"identity/token-wrong-secret.json":            401,
	"identity/key-set.json":                       200,
	"identity/document.json":                      200,
	"identity/create-user.json":                   201,
	"identity/unknown-path.json":                  404,
	"identity/clock-unknown-user.json":            404,
	"pfm/list-providers.json":                     200,
	"pfm/add-test-transactions-unknown-user.json": 404,
	"pfm/list-accounts-unknown-user.json":         404,
	"pfm/connect-unknown-link.json":               404,
	"pfm/connect-callback-forged.json":            404,
	"pfm/export-forged-ticket.json":               404,
	"identity/export-forged-ticket.json":          404,
	"cancellation/export-forged-ticket.json":      404,
	"cancellation/list-categories.json":           200,
	"cancellation/create-unknown-user.json":       404,
	"search/search.json":                          200,
	"notification/list-event-types.json":          200,
	"notification/create-subscription.json":       201,
	"console/overview.json":                       303,
	"console/sign-in-page.json":                   200,
	"sandbox/banks-page.json":                     200,
	"sandbox/front-page.json":                     200,
	"sandbox/home-page.json":                      200,
	"sandbox/icon.json":                           200,
	"letter-feedback/pingen-not-signed.json":      401,
	"reply-reader/mail-to-nobody.json":            202,
	"reply-reader/answer-not-signed.json":         401,
}

// Every event is handled by its function as deployed: built by the constructor that its
// main calls, with the variables of template.yaml.
func TestReplay(t *testing.T) {
	t.Parallel()
	endpoint := start(t)
	token, err := newToken(t.Context(), endpoint, folder)
	require.NoError(t, err)
	require.NotEmpty(t, token)
	replayed := map[string]bool{}
	for _, f := range all(t) {
		if f.Function == elsewhere {
			continue
		}
		replayed[f.Name] = true
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			answer, err := eventfile.Invoke(t.Context(), endpoint, f.Function, f.with(token))
			require.NoError(t, err)
			if bytes.Contains(f.Event, []byte(`"Records"`)) {
				assert.JSONEq(t, `{"batchItemFailures":null}`, string(answer), "none has failed")
				return
			}
			var got struct{ StatusCode int }
			require.NoError(t, json.Unmarshal(answer, &got))
			assert.Equal(t, outcomes[f.Name], got.StatusCode, "%s", answer)
			wants := !bytes.Equal(f.with("a token"), f.Event)
			assert.Equal(t, wants, bytes.HasPrefix(f.Event, []byte(tokenHint)), "the event that wants a token says how to get one")
			if !wants {
				return
			}
			stale, err := eventfile.Invoke(t.Context(), endpoint, f.Function, f.Event)
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(stale, &got))
			assert.Equal(t, 401, got.StatusCode, "as the file stands")
		})
	}
	// What new versions of workers are tried with: none may fail, or no version would ever be used.
	for _, worker := range []string{"bank-sync", "letter-dispatch", "webhook-delivery", "outbox-relay"} {
		t.Run("probe of "+worker, func(t *testing.T) {
			t.Parallel()
			answer, err := eventfile.Invoke(t.Context(), endpoint, worker, []byte(bootstrap.Probe))
			require.NoError(t, err)
			assert.JSONEq(t, `{"batchItemFailures":null}`, string(answer))
		})
	}
	for name := range outcomes {
		assert.Contains(t, replayed, name, "an outcome without its event")
	}
}

// all reads every event, function by function.
func all(t *testing.T) (files []file) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*", "*.json"))
	require.NoError(t, err)
	for _, path := range paths {
		f, err := read(path)
		require.NoError(t, err)
		files = append(files, f)
	}
	return files
}

// start runs the stack without its API, and returns the address of its Lambda API.
func start(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	port := l.Addr().(*net.TCPAddr).Port
	require.NoError(t, l.Close())
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- stack.Run(ctx, stack.Options{
			Port: port, DataDir: t.TempDir(), Template: filepath.Join("..", "..", "..", "template.yaml"), WorkersOnly: true,
			Functions: app.Functions(), Seed: seed.Local, Getenv: func(string) string { return "" }, Console: io.Discard,
			Ready: func(s stack.Surroundings) { ready <- s.Lambda },
		})
	}()
	select {
	case endpoint := <-ready:
		t.Cleanup(func() {
			stop()
			assert.NoError(t, <-ended)
		})
		return endpoint
	case err := <-ended:
		stop()
		require.FailNow(t, "the stack ended", "%v", err)
		return ""
	}
}

// Every event source in the template has an event, and every event has an event source.
func TestEventsAreThoseOfTheTemplate(t *testing.T) {
	t.Parallel()
	feeds := triggers(t)
	fed := map[string]bool{}
	for _, f := range all(t) {
		if f.Function == elsewhere {
			continue
		}
		if !assert.Contains(t, feeds, f.Function, "%s is of no function of the template", f.Name) {
			continue
		}
		source := source(t, f)
		owns := slices.IndexFunc(feeds[f.Function], func(trigger string) bool { return matches(trigger, source) })
		if assert.NotEqual(t, -1, owns, "the template does not feed %s by %q (%s)", f.Function, source, f.Name) {
			fed[f.Function+" "+feeds[f.Function][owns]] = true
		}
	}
	for function, all := range feeds {
		for _, trigger := range all {
			assert.Contains(t, slices.Collect(maps.Keys(fed)), function+" "+trigger, "an event is missing below events/%s", function)
		}
	}
}

// triggers returns the event sources of each function. The operator has none, because
// people call it.
func triggers(t *testing.T) map[string][]string {
	t.Helper()
	tpl := testenv.Template(t)
	names, all := map[string]string{}, map[string][]string{}
	for _, f := range tpl.Functions {
		names[f.ID] = f.Name
		if f.Name != elsewhere {
			all[f.Name] = nil
		}
	}
	add := func(function, trigger string) { all[names[function]] = append(all[names[function]], trigger) }
	for _, r := range tpl.Routes {
		route := r.Path
		if route != "$default" {
			route = r.Method + " " + route
		}
		add(r.Function, route)
	}
	for _, m := range tpl.QueueMappings {
		add(m.Function, "arn:aws:sqs:*-"+m.Queue+"-*")
	}
	for _, m := range tpl.Streams {
		add(m.Function, "arn:aws:dynamodb:*-"+m.Table+"-*")
	}
	for _, s := range tpl.Schedules {
		add(s.Function, "aws.scheduler")
	}
	for _, r := range tpl.Rules {
		add(r.Function, "aws.ses")
	}
	for _, l := range tpl.LogSubscriptions {
		add(l.Function, "awslogs")
	}
	for name, triggers := range all {
		assert.NotEmpty(t, triggers, "nothing feeds %s, and events/ does not say how it is called", name)
	}
	return all
}

// source returns the source of an event.
func source(t *testing.T, f file) string {
	t.Helper()
	var e struct {
		RouteKey, Source string
		Records          []struct{ EventSourceARN string }
		AWSLogs          json.RawMessage
	}
	require.NoError(t, json.Unmarshal(f.Event, &e))
	switch {
	case e.RouteKey != "":
		return e.RouteKey
	case len(e.Records) > 0:
		return e.Records[0].EventSourceARN
	case e.AWSLogs != nil:
		return "awslogs"
	default:
		return e.Source
	}
}

// matches reports whether the source is the trigger's. In an ARN, a name follows the
// stack's name and precedes something random.
func matches(trigger, source string) bool {
	before, resource, isARN := strings.Cut(trigger, "*")
	if !isARN {
		return trigger == source
	}
	return strings.HasPrefix(source, before) && strings.Contains(source, strings.TrimSuffix(resource, "*"))
}
