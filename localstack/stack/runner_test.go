package stack_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"aviso/localstack/stack"
	"aviso/localstack/stack/emulator"
)

const (
	patience = 30 * time.Second
	asRunner = "STACK_TEST_RUNNER"
)

// TestMain is also the stack process to which tests send signals.
func TestMain(m *testing.M) {
	if os.Getenv(asRunner) == "" {
		os.Exit(m.Run())
	}
	if err := runForTest(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func runForTest() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	port, err := strconv.Atoi(os.Getenv("PORT"))
	if err != nil {
		return err
	}
	return stack.Run(ctx, stack.Options{
		Port: port, DataDir: os.Getenv("DATA_DIR"), Template: "testdata/template.yaml",
		Functions: service(), Getenv: os.Getenv, Console: os.Stdout, WorkersOnly: os.Getenv("WORKERS_ONLY") != "",
		Docs: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "docs of "+r.URL.Path) }),
	})
}

// runner is a stack in a separate process.
type runner struct {
	cmd     *exec.Cmd
	url     string
	printed string
	ended   chan error
}

// run starts a stack and returns when it says that it is ready.
func run(t *testing.T, dataDir string, env ...string) *runner {
	t.Helper()
	port := freePort(t)
	r := &runner{cmd: exec.Command(os.Args[0]), url: "http://localhost:" + port, ended: make(chan error, 1)}
	// A stack that ran in this process has left its endpoints in the environment.
	inherited := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "AWS_") })
	own := []string{asRunner + "=1", "PORT=" + port, "DATA_DIR=" + dataDir, "AWS_PROFILE=absent"}
	r.cmd.Env = slices.Concat(inherited, own, env)
	r.cmd.Stderr = os.Stderr
	out, err := r.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, r.cmd.Start())
	t.Cleanup(func() { _ = r.cmd.Process.Kill() })
	ready := make(chan string, 1)
	go func() {
		var all strings.Builder
		for lines := bufio.NewScanner(out); lines.Scan(); {
			all.WriteString(lines.Text() + "\n")
			if strings.Contains(lines.Text(), "top with Ctrl-C") {
				ready <- all.String()
			}
		}
		r.ended <- r.cmd.Wait()
	}()
	select {
	case r.printed = <-ready:
	case err := <-r.ended:
		require.FailNow(t, "the stack ended", "%v", err)
	case <-time.After(patience):
		require.FailNow(t, "the stack is not ready")
	}
	return r
}

// interrupt sends Ctrl-C and requires a clean exit.
func (r *runner) interrupt(t *testing.T) {
	t.Helper()
	require.NoError(t, r.cmd.Process.Signal(os.Interrupt))
	select {
	case err := <-r.ended:
		require.NoError(t, err, "exit status 0")
	case <-time.After(patience):
		require.FailNow(t, "the stack does not stop")
	}
}

func (r *runner) call(t *testing.T, method, path string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, r.url+path, nil)
	require.NoError(t, err)
	return do(t, request)
}

// invoke calls a function over Lambda's API.
func (r *runner) invoke(t *testing.T, dataDir, function, payload string) (int, string) {
	t.Helper()
	endpoint, err := os.ReadFile(filepath.Join(dataDir, "lambda-endpoint"))
	require.NoError(t, err)
	url := strings.TrimSpace(string(endpoint))
	require.Contains(t, r.printed, url)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		url+"/2015-03-31/functions/"+function+"/invocations", strings.NewReader(payload))
	require.NoError(t, err)
	request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local")
	return do(t, request)
}

func do(t *testing.T, request *http.Request) (int, string) {
	t.Helper()
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(body)
}

func (r *runner) get(t *testing.T, path string) string {
	t.Helper()
	_, body := r.call(t, http.MethodGet, path)
	return body
}

func freePort(t *testing.T) string {
	t.Helper()
	port, err := emulator.FreePort()
	require.NoError(t, err)
	return strconv.Itoa(port)
}
