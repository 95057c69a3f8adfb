package receivers

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	examples = "../../../docs/examples"
	// buildWithin covers a machine that has to compile net/http first.
	buildWithin = 4 * time.Minute
	// within limits everything that a test waits for.
	within = time.Minute
)

// process is a running receiver.
type process struct {
	url    string
	lines  chan string
	ending func()
	stderr *bytes.Buffer
}

type answer struct {
	status int
	body   string
}

// program is a command that runs a receiver.
type program []string

// source returns an example's folder. It opens the files so that go test notices when one
// has changed, because it does not see what other programs read.
func source(t *testing.T, folder string, files ...string) string {
	t.Helper()
	for _, f := range files {
		require.FileExists(t, filepath.Join(examples, folder, f))
	}
	return filepath.Join(examples, folder)
}

func goProgram(t *testing.T) program {
	t.Helper()
	path := filepath.Join(t.TempDir(), "receiver")
	ctx, cancel := context.WithTimeout(t.Context(), buildWithin)
	defer cancel()
	build := exec.CommandContext(ctx, "go", "build", "-o", path, ".")
	build.Dir = source(t, "receiver-go", "main.go", "go.mod", "go.sum")
	// It is a separate module, built as a partner would build it.
	build.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly")
	output, err := build.CombinedOutput()
	require.NoError(t, err, "%s", output)
	return program{path}
}

func nodeProgram(t *testing.T) program {
	t.Helper()
	folder := source(t, "receiver-node", "receiver.js", "package.json", "package-lock.json")
	require.FileExists(t, folder+"/node_modules/.installed-lock.json", "its library is not installed: .ci/need receivers")
	return program{"node", folder + "/receiver.js"}
}

func pythonProgram(t *testing.T) program {
	t.Helper()
	folder := source(t, "receiver-python", "receiver.py", "requirements.txt")
	require.FileExists(t, folder+"/.venv/.installed", "its library is not installed: .ci/need receivers")
	return program{folder + "/.venv/bin/python", folder + "/receiver.py"}
}

// command returns the program with these keys, on a free port.
func (p program) command(ctx context.Context, secrets string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p[0], p[1:]...)
	cmd.Env = append(os.Environ(), "PORT=0", "WEBHOOK_SECRET="+secrets)
	return cmd
}

// start runs the program until the test ends.
func (p program) start(t *testing.T, secrets string) *process {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	run := &process{lines: make(chan string, 100), stderr: &bytes.Buffer{}}
	cmd := p.command(ctx, secrets)
	cmd.Stderr = run.stderr
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	ended := make(chan struct{})
	run.ending = func() { cancel(); <-ended }
	go func() {
		defer close(ended)
		for s := bufio.NewScanner(stdout); s.Scan(); {
			run.lines <- s.Text()
		}
		_ = cmd.Wait() // it is killed
		close(run.lines)
	}()
	t.Cleanup(run.ending)
	url, found := strings.CutPrefix(run.line(t), "Listening on ")
	require.True(t, found)
	run.url = url
	return run
}

// line waits for the next line that the receiver prints.
func (p *process) line(t *testing.T) string {
	t.Helper()
	select {
	case line, running := <-p.lines:
		if !running {
			require.Fail(t, "the receiver has ended", "%s", p.stderr)
		}
		return line
	case <-time.After(within):
		require.Fail(t, "the receiver has printed nothing")
		return ""
	}
}

func (p *process) assertLine(t *testing.T, want string) {
	t.Helper()
	assert.Equal(t, want, p.line(t))
}

// stop stops the receiver and returns the lines that nobody has waited for.
func (p *process) stop(t *testing.T) []string {
	t.Helper()
	p.ending()
	var left []string
	for line := range p.lines {
		left = append(left, line)
	}
	return left
}

func (p *process) post(t *testing.T, c callback) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+"/webhooks", bytes.NewReader(c.body))
	require.NoError(t, err)
	req.Header = c.header.Clone()
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return answer{status: resp.StatusCode, body: string(body)}
}
