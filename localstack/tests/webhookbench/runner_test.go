package webhookbench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/bench/meter"
	"aviso/localstack/tests/testenv"
)

// runner is the stack as make run starts it, in a process of its own, and two partners that call it.
type runner struct {
	binary, dir, base string
	env               []string
	command           *exec.Cmd
	client            *http.Client
	tokens            map[string]string
	seen              *receipts
}

// The partners that the stack is seeded with.
const one, other = "sandbox", "sandbox-2"

// newRunner builds and starts the stack. env are more variables of it.
func newRunner(t testing.TB, env ...string) *runner {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	port := strconv.Itoa(free.Addr().(*net.TCPAddr).Port)
	require.NoError(t, free.Close())
	r := &runner{
		dir: t.TempDir(), base: "http://127.0.0.1:" + port, tokens: map[string]string{}, seen: newReceipts(),
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: publishers}},
	}
	r.binary = filepath.Join(r.dir, "localstack")
	output, err := exec.Command("go", "build", "-o", r.binary, "aviso/localstack").CombinedOutput() // #nosec G204 -- as make run
	require.NoError(t, err, string(output))
	// The limit would end the measurement, not the partner's events.
	r.env = append([]string{"PORT=" + port, "DATA_DIR=" + r.dir, "RATE_LIMIT_PER_MINUTE=100000000"}, env...)
	t.Cleanup(func() { r.kill() })
	r.start(t)
	return r
}

// start starts the stack with the data that there is.
func (r *runner) start(t testing.TB) {
	t.Helper()
	r.command = exec.Command(r.binary) // #nosec G204 -- built above
	r.command.Env = append(os.Environ(), r.env...)
	log, err := os.Create(filepath.Join(r.dir, "stack.log"))
	require.NoError(t, err)
	defer func() { _ = log.Close() }()
	r.command.Stdout, r.command.Stderr = log, log
	require.NoError(t, r.command.Start())
	require.Eventually(t, func() bool {
		answer, err := r.client.Get(r.base + "/.well-known/jwks.json")
		if err != nil {
			return false
		}
		return answer.Body.Close() == nil && answer.StatusCode == http.StatusOK
	}, bound, 50*time.Millisecond, "the stack starts")
	for _, partner := range []string{one, other} {
		answer, err := r.client.PostForm("http://"+partner+":"+partner+"-secret@"+strings.TrimPrefix(r.base, "http://")+"/oauth2/token",
			url.Values{"grant_type": {"client_credentials"}})
		require.NoError(t, err)
		var token struct {
			Text string `json:"access_token"`
		}
		require.NoError(t, json.NewDecoder(answer.Body).Decode(&token))
		require.NoError(t, answer.Body.Close())
		r.tokens[partner] = token.Text
	}
}

// kill ends the stack as kill -9 does. Its emulators end with it.
func (r *runner) kill() {
	_ = r.command.Process.Kill()
	_ = r.command.Wait()
}

// call calls the API as the partner, and returns the data of the answer.
func (r *runner) call(ctx context.Context, partner, user, method, path string, body any) (data json.RawMessage, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, r.base+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+r.tokens[partner])
	if user != "" {
		request.Header.Set("X-User-Id", user)
	}
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", uuid.NewString())
	}
	answer, err := r.client.Do(request) // #nosec G704 -- on loopback
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	text, err = io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode >= http.StatusBadRequest {
		return nil, fmt.Errorf("%s %s answered %d: %s", method, path, answer.StatusCode, text)
	}
	var whole struct{ Data json.RawMessage }
	if len(text) == 0 { // deleted
		return nil, nil
	}
	err = json.Unmarshal(text, &whole)
	return whole.Data, err
}

// subscribe creates a subscription of the partner. remove deletes it.
func (r *runner) subscribe(t testing.TB, partner, address string) (remove func()) {
	t.Helper()
	data, err := r.call(t.Context(), partner, "", http.MethodPost, "/webhooks/v1/subscriptions",
		map[string]any{"serverUrl": address, "events": []string{"webhook.ping"}})
	require.NoError(t, err)
	var made struct {
		Subscription struct{ SubscriptionID string }
	}
	require.NoError(t, json.Unmarshal(data, &made))
	return func() {
		_, err := r.call(t.Context(), partner, "", http.MethodDelete, "/webhooks/v1/subscriptions/"+made.Subscription.SubscriptionID, nil)
		require.NoError(t, err)
	}
}

// message makes a callback of about 500 bytes.
var message = strings.Repeat("x", 330)

// emit publishes an event of the partner.
func (r *runner) emit(t testing.TB, partner string, seen *receipts) {
	begun := time.Now()
	data, err := r.call(t.Context(), partner, "", http.MethodPost, "/webhooks/v1/events",
		map[string]any{"eventType": "webhook.ping", "data": map[string]any{"message": message}})
	if err != nil {
		t.Errorf("publish: %v", err)
		return
	}
	var accepted struct{ Event struct{ EventID string } }
	if err := json.Unmarshal(data, &accepted); err != nil {
		t.Errorf("publish: %v", err)
	}
	seen.committed(accepted.Event.EventID, begun)
}

// emitAll publishes n events of the partner, side by side.
func (r *runner) emitAll(t testing.TB, partner string, n int) { r.publishAll(t, partner, n, r.seen) }

func (r *runner) publishAll(t testing.TB, partner string, n int, seen *receipts) {
	var all sync.WaitGroup
	for worker := range publishers {
		all.Go(func() {
			for i := worker; i < n; i += publishers {
				r.emit(t, partner, seen)
			}
		})
	}
	all.Wait()
}

// pace publishes n events of the partner.
func (r *runner) pace(t testing.TB, partner string, n, perSecond int) {
	next := time.Now()
	var all sync.WaitGroup
	for range n {
		time.Sleep(time.Until(next))
		next = next.Add(time.Second / time.Duration(perSecond))
		all.Go(func() { r.emit(t, partner, r.seen) })
	}
	all.Wait()
}

// settles is how long after the last callback there may be work for it: the console's feed has two
// seconds for a batch.
const settles = 3 * time.Second

// deliverAll publishes n events and waits until they have arrived, and are settled.
func (r *runner) deliverAll(t testing.TB, partner string, n int) {
	r.seen.reset()
	r.emitAll(t, partner, n)
	r.wait(t, n, bound)
	time.Sleep(settles)
}

func (r *runner) wait(t testing.TB, n int, most time.Duration) {
	ctx, cancel := context.WithTimeout(t.Context(), most)
	defer cancel()
	if err := r.seen.wait(ctx, n); err != nil {
		require.NoError(t, err, "%s", r.problems()) // reading the log takes longer than the last callbacks
	}
}

// problems returns what the functions have complained about.
func (r *runner) problems() []byte {
	log, _ := os.ReadFile(filepath.Join(r.dir, "functions.log"))
	return bytes.Join(regexp.MustCompile(`.*"level":"(WARN|ERROR)".*`).FindAll(log, 50), []byte("\n"))
}

// newMetered starts a stack whose calls of DynamoDB are counted, apart from those of streams.
func newMetered(t testing.TB) (*runner, *meter.Meter) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "certificate.pem")
	database := *testenv.Emulator(t).Options().BaseEndpoint
	tables, err := meter.Start(map[string]string{"": database}, file)
	require.NoError(t, err)
	t.Cleanup(tables.Stop)
	return newRunner(t, "SSL_CERT_FILE="+file, "AWS_ENDPOINT_URL_DYNAMODB="+tables.Endpoints[""],
		"AWS_ENDPOINT_URL_DYNAMODB_STREAMS="+database), tables
}

// cpu returns the processor time that the stack has used, and that of its emulators.
func (r *runner) cpu() (own, emulators time.Duration) {
	own, _ = processorTime(r.command.Process.Pid)
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range all {
		pid, _ := strconv.Atoi(filepath.Base(dir))
		if used, parent := processorTime(pid); parent == r.command.Process.Pid {
			emulators += used
		}
	}
	return own, emulators
}

// processorTime returns what a process has used, and its parent.
func processorTime(pid int) (used time.Duration, parent int) {
	const tick = 10 * time.Millisecond
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])) // after the name
	parent, _ = strconv.Atoi(fields[1])
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * tick, parent
}

// memory returns the most memory that the stack has had without its emulators, in MB.
func (r *runner) memory() float64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", r.command.Process.Pid))
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kilobytes, _ := strconv.ParseFloat(strings.Fields(rest + " 0")[0], 64)
	return kilobytes / 1000
}
